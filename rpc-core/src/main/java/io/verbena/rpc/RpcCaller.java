/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.agrona.DirectBuffer;

/**
 * Makes calls from any thread: to one server where it is a channel, to one of several where it is a group of
 * channels. The generated future and blocking clients work over it.
 * <p>
 * A call that provably never began at a server (it was not sent yet when its connection ended, or a server that goes
 * away refused it unseen) moves to the next connection by itself, within its deadline. Whatever may have begun is
 * never sent again, unless {@link CallOptions#idempotent(boolean)} declares that to be harmless and a policy asks for
 * it.
 */
public interface RpcCaller
{
    /**
     * Makes a unary call. Its deadline counts from here, wherever it waits, and spans all attempts.
     *
     * @param serviceId of the service.
     * @param methodId  of the method.
     * @param payload   that holds SBE message header and body; copied before this method returns.
     * @param offset    of the SBE message header, in bytes.
     * @param length    of header and body in bytes.
     * @param options   of the call.
     * @return completed on the client's thread with the response's SBE message header and body from index 0, or
     *     exceptionally with an {@link RpcException}. Cancelling it, or completing it by any other means, cancels the
     *     call. Stages that depend on it run on the client's thread unless they are asynchronous: they must not block.
     * @throws IllegalArgumentException if the length is negative, or the options hedge a method that is not declared
     *     idempotent.
     */
    CompletableFuture<DirectBuffer> call(
        int serviceId, int methodId, DirectBuffer payload, int offset, int length, CallOptions options);

    /**
     * Opens a call that streams, whose items are taken by {@link ClientStream#take()} or {@link ClientStream#poll()}.
     * Policies for retry and hedging are not for streams and are ignored here.
     *
     * @param serviceId of the service.
     * @param methodId  of the method.
     * @param kind      of the method; not {@link MethodKind#UNARY}.
     * @param payload   the request of a server stream, SBE message header and body; copied before this method returns.
     *                  May be null for the other kinds.
     * @param offset    of the SBE message header, in bytes.
     * @param length    of header and body in bytes; 0 for other kinds than a server stream.
     * @param options   of the call.
     * @return the stream; one that could not be opened has ended, and says so to whoever takes or sends.
     * @throws IllegalArgumentException if the kind is unary, or the length negative, or not 0 for a kind without a
     *     request.
     */
    default ClientStream stream(
        final int serviceId,
        final int methodId,
        final MethodKind kind,
        final DirectBuffer payload,
        final int offset,
        final int length,
        final CallOptions options)
    {
        return stream(serviceId, methodId, kind, payload, offset, length, options, null);
    }

    /**
     * Opens a call that streams and has its items pushed.
     *
     * @param serviceId of the service.
     * @param methodId  of the method.
     * @param kind      of the method; not {@link MethodKind#UNARY}.
     * @param payload   the request of a server stream, SBE message header and body; copied before this method returns.
     *                  May be null for the other kinds.
     * @param offset    of the SBE message header, in bytes.
     * @param length    of header and body in bytes; 0 for other kinds than a server stream.
     * @param options   of the call.
     * @param consumer  given each item, SBE message header and body from index 0, on the client's thread: it must not
     *                  block, and the buffer is valid until it returns. Credit goes back to the server when it has
     *                  returned. If it throws, the call ends as {@link StatusCode#INTERNAL}. Null for a stream whose
     *                  items are taken.
     * @return the stream; one that could not be opened has ended, and says so to whoever takes or sends.
     * @throws IllegalArgumentException if the kind is unary, or the length negative, or not 0 for a kind without a
     *     request.
     */
    ClientStream stream(
        int serviceId,
        int methodId,
        MethodKind kind,
        DirectBuffer payload,
        int offset,
        int length,
        CallOptions options,
        Consumer<DirectBuffer> consumer);

    /**
     * Says what service a stub is for, so that each server's is compared with it when a connection is made. Generated
     * stubs do so. Idempotent; any thread. The same schema in another version works by SBE's rules. Where the server
     * has the service with another schema, calls of it fail at once as {@link StatusCode#FAILED_PRECONDITION}, thrown
     * by the zero-copy face, and the error handler is told once. A service that the server does not have is left to the
     * server, which answers {@link StatusCode#UNIMPLEMENTED}.
     *
     * @param serviceId     of the service.
     * @param serviceName   of the service, for messages.
     * @param schemaId      that the stub was generated from.
     * @param schemaVersion that the stub was generated from.
     * @throws IllegalArgumentException if another stub has said another schema id for the service.
     */
    void require(int serviceId, String serviceName, int schemaId, int schemaVersion);
}
