/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.codegen.schema;

import java.util.ArrayList;
import java.util.List;

/**
 * The kinds of calls.
 */
public enum CallKind
{
    /** One request, one response. */
    UNARY("unary", false, false),
    /** One request, many responses. */
    SERVER_STREAM("server-stream", false, true),
    /** Many requests, one response. */
    CLIENT_STREAM("client-stream", true, false),
    /** Many requests, many responses. */
    BIDI("bidi", true, true);

    private final String text;
    private final boolean isClientStreaming;
    private final boolean isServerStreaming;

    CallKind(final String text, final boolean isClientStreaming, final boolean isServerStreaming)
    {
        this.text = text;
        this.isClientStreaming = isClientStreaming;
        this.isServerStreaming = isServerStreaming;
    }

    /**
     * Does the client send items until it half-closes, rather than one request?
     *
     * @return true for client streams and bidirectional calls.
     */
    public boolean isClientStreaming()
    {
        return isClientStreaming;
    }

    /**
     * Does the server send items until it completes, rather than one response?
     *
     * @return true for server streams and bidirectional calls.
     */
    public boolean isServerStreaming()
    {
        return isServerStreaming;
    }

    /**
     * As the services grammar writes it.
     *
     * @return for example server-stream.
     */
    public String text()
    {
        return text;
    }

    static CallKind of(final String text)
    {
        for (final CallKind kind : values())
        {
            if (kind.text.equals(text))
            {
                return kind;
            }
        }
        return null;
    }

    static List<String> texts()
    {
        final List<String> texts = new ArrayList<>();
        for (final CallKind kind : values())
        {
            texts.add(kind.text);
        }
        return texts;
    }
}
