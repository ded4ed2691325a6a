/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

/**
 * What came with a response, item, end or error besides its payload and status: valid inside the callback of a
 * {@link ResponseHandler}. One instance for each
 * channel, reused.
 * <p>
 * <b>Threading:</b> the client's thread alone.
 */
public final class ResponseInfo
{
    private long pushbackNs;
    private boolean isNotStarted;
    private boolean isCut;

    ResponseInfo()
    {
        clear();
    }

    /**
     * What the server says about calling again, with an error.
     *
     * @return nanoseconds to wait at least before that; 0 where it says nothing; negative: don't.
     */
    public long pushbackNs()
    {
        return pushbackNs;
    }

    /**
     * Whether no handler at the server has seen the call, for certain, so that it may be made again even where its
     * method is not idempotent.
     *
     * @return true if so; only ever with an error.
     */
    public boolean isNotStarted()
    {
        return isNotStarted;
    }

    /**
     * Whether the error's text or detail was too long: the text is cut then, the detail left out.
     *
     * @return true if so.
     */
    public boolean isCut()
    {
        return isCut;
    }

    /**
     * For an end that this side has come to by itself.
     */
    void clear()
    {
        pushbackNs = 0;
        isNotStarted = false;
        isCut = false;
    }

    void set(final long newPushbackNs, final boolean newNotStarted, final boolean newCut)
    {
        pushbackNs = newPushbackNs;
        isNotStarted = newNotStarted;
        isCut = newCut;
    }
}
