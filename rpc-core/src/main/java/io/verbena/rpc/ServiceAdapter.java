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
     * A call ended before it was answered: its deadline passed by the server's clock, the caller cancelled it or broke
     * the protocol's rules for it, or its connection ended. Called once for such a call, and never for one that was
     * answered or whose request never came to {@link #onRequest}.
     *
     * @param connectionId  of the call.
     * @param correlationId of the call.
     * @param methodId      of the method.
     * @param cause         {@link StatusCode#DEADLINE_EXCEEDED}, {@link StatusCode#CANCELLED},
     *                      {@link StatusCode#INTERNAL} or {@link StatusCode#UNAVAILABLE}; or another that the client
     *                      gave with its cancel.
     */
    void onCancelled(long connectionId, long correlationId, int methodId, StatusCode cause);

    /**
     * What kind a method is. The core asks before it takes a call in.
     *
     * @param methodId of the method; may be one that the service does not have.
     * @return the kind; {@link MethodKind#UNARY} unless the service declares another.
     */
    default MethodKind methodKind(final int methodId)
    {
        return MethodKind.UNARY;
    }

    /**
     * An item of the client's stream has arrived. For a method whose client streams, {@link #onRequest} comes first,
     * when the call begins, with a length of 0.
     *
     * @param call     to answer with; valid until this method returns.
     * @param methodId of the method.
     * @param buffer   that holds the SBE message header and body; valid until this method returns.
     * @param offset   of the SBE message header, 8-byte aligned.
     * @param length   of header and body in bytes.
     */
    default void onItem(
        final ServerCall call, final int methodId, final DirectBuffer buffer, final int offset, final int length)
    {
        throw new UnsupportedOperationException(serviceName() + " takes no stream of requests");
    }

    /**
     * The client has sent its last item. Called once at most, after all items.
     *
     * @param call     to answer with; valid until this method returns.
     * @param methodId of the method.
     */
    default void onHalfClosed(final ServerCall call, final int methodId)
    {
    }

    /**
     * Items can be sent again, after one was refused for want of credit or by back pressure.
     *
     * @param call     to send with; valid until this method returns.
     * @param methodId of the method.
     */
    default void onReady(final ServerCall call, final int methodId)
    {
    }

    /**
     * A call that streams in either direction has ended: called exactly once for each that came to {@link #onRequest},
     * however it ended, and as the last. {@link #onCancelled} is not called for such a call.
     *
     * @param connectionId  of the call.
     * @param correlationId of the call.
     * @param methodId      of the method.
     * @param attachment    that the service gave the call ({@code ServerCall.attach}), or null.
     * @param status        {@link StatusCode#OK} if the service completed it, else how it ended.
     */
    default void onEnded(
        final long connectionId,
        final long correlationId,
        final int methodId,
        final Object attachment,
        final StatusCode status)
    {
    }

    /**
     * Whether credit for an item of the client's goes back by itself once {@link #onItem} has returned.
     *
     * @param methodId of the method.
     * @return true, the default; false where the service grants by {@code ServerCall.grant}.
     */
    default boolean isGrantAutomatic(final int methodId)
    {
        return true;
    }

    /**
     * What the service is, for tools: names, ids and its schema.
     *
     * @return the descriptor, which generated adapters have; null for an adapter that has none.
     */
    default ServiceDescriptor descriptor()
    {
        return null;
    }
}
