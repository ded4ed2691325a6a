/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Test double with the signatures that generated code uses. */
public class RpcException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    private final StatusCode code;
    private final transient DirectBuffer detail;

    public RpcException(final StatusCode code, final String text)
    {
        this(code, text, null);
    }

    public RpcException(final StatusCode code, final String text, final DirectBuffer detail)
    {
        super(text);
        this.code = code;
        if (null == detail)
        {
            this.detail = null;
        }
        else
        {
            final byte[] copy = new byte[detail.capacity()];
            detail.getBytes(0, copy);
            this.detail = new UnsafeBuffer(copy);
        }
    }

    public RpcException(final RpcException other)
    {
        super(other.getMessage(), other);
        this.code = other.code;
        this.detail = other.detail;
    }

    public StatusCode code()
    {
        return code;
    }

    public String text()
    {
        return getMessage();
    }

    public DirectBuffer detail()
    {
        return detail;
    }
}
