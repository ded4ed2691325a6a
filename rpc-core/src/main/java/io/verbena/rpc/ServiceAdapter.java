/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import org.agrona.DirectBuffer;

/**
 * What stands between the server and the implementation of one service: decodes requests and dispatches them by method
 * id. Generated ({@code XxxAdapter}) for each service in a schema.
 * <p>
 * <b>Threading:</b> called on the server's duty cycle alone.
 */
public interface ServiceAdapter
{
    /**
     * The service's id, as its schema has it.
     *
     * @return 1 to 65535.
     */
    int serviceId();

    /**
     * The service's name, for messages.
     *
     * @return the name.
     */
    String serviceName();

    /**
     * The id of the SBE schema that its messages are of.
     *
     * @return 0 to 65535.
     */
    int schemaId();

    /**
     * The version of that schema.
     *
     * @return 0 to 65535.
     */
    int schemaVersion();

    /**
     * A request has arrived.
     *
     * @param call     to answer it with; valid until this method returns, {@link ServerCall#detach()} outlives it.
     * @param methodId of the method.
     * @param buffer   that holds the SBE message header and body; valid until this method returns.
     * @param offset   of the SBE message header, 8-byte aligned.
     * @param length   of header and body in bytes.
     */
    void onRequest(ServerCall call, int methodId, DirectBuffer buffer, int offset, int length);

    /**
     * A call ended before it was answered: its deadline passed by the server's clock, the caller cancelled it, or its
     * connection ended. Called once for such a call, and never for one that was answered or whose request never came to
     * {@link #onRequest}.
     *
     * @param connectionId  of the call.
     * @param correlationId of the call.
     * @param methodId      of the method.
     * @param cause         {@link StatusCode#DEADLINE_EXCEEDED}, {@link StatusCode#CANCELLED} or
     *                      {@link StatusCode#UNAVAILABLE}.
     */
    void onCancelled(long connectionId, long correlationId, int methodId, StatusCode cause);
}
