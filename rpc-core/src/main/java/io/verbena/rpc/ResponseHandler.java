/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import org.agrona.DirectBuffer;

/**
 * Called once for each call that was made, on the client's duty cycle. Generated proxies implement it and turn it into
 * the typed listener of the service.
 */
public interface ResponseHandler
{
    /**
     * The call succeeded.
     *
     * @param correlationId of the call.
     * @param methodId      of the method.
     * @param buffer        that holds the SBE message header and body; valid until this method returns.
     * @param offset        of the SBE message header, 8-byte aligned.
     * @param length        of header and body in bytes.
     */
    void onResponse(long correlationId, int methodId, DirectBuffer buffer, int offset, int length);

    /**
     * The call failed.
     *
     * @param correlationId of the call.
     * @param methodId      of the method.
     * @param code          how; not {@link StatusCode#OK}.
     * @param text          for people, empty if there is none.
     * @param detail        that holds the SBE message header and body of a typed error; valid until this method
     *                      returns; may be null where there is none.
     * @param detailOffset  of the detail, in bytes.
     * @param detailLength  of the detail in bytes; 0 where there is none.
     */
    void onError(
        long correlationId,
        int methodId,
        StatusCode code,
        String text,
        DirectBuffer detail,
        int detailOffset,
        int detailLength);
}
