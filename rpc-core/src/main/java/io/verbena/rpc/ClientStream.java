/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import java.util.concurrent.CompletableFuture;
import org.agrona.DirectBuffer;

/**
 * A call that streams, in the hands of any thread: {@link #take()} and {@link #send} block and are meant for virtual
 * threads, {@link #poll()}, {@link #offer} and {@link #whenReady()} do not. Made by {@link RpcCaller#stream}.
 * <p>
 * <b>Bounds:</b> in each direction it holds at most the client's stream window, in items and in bytes (and beyond that
 * the one item that went over it): a server whose items are not taken runs out of credit, and a sender that is ahead
 * of the server has to wait.
 * <p>
 * <b>Order and end:</b> items come in the order they were sent; the end comes once, after them all: null from
 * {@link #take()}, or its {@link RpcException}, again and again. {@link #cancel()}, {@link #close()} and an interrupt
 * drop what was not taken.
 * <p>
 * <b>Threading:</b> any thread; several may take, or send, at a time, and each item then goes to one of them. What
 * blocks must not be called on the client's thread.
 */
public interface ClientStream extends AutoCloseable
{
    /**
     * Takes the next item; waits for it. An interrupt cancels the call.
     *
     * @return SBE message header and body from index 0, owned by the caller; null when the stream has ended well, at
     *     once for a method without a stream of responses that has ended.
     * @throws RpcException          with the status of the call, if it failed; {@link StatusCode#CANCELLED} if this
     *                               thread was interrupted, which then is still marked as interrupted.
     * @throws IllegalStateException if the items are pushed to a consumer, or on the client's thread.
     */
    DirectBuffer take();

    /**
     * Takes the next item if there is one.
     *
     * @return SBE message header and body from index 0, owned by the caller; null if there is none now, which
     *     {@link #isEnded()} tells from the end.
     * @throws RpcException          with the status of the call, if it failed and all items before that were taken.
     * @throws IllegalStateException if the items are pushed to a consumer.
     */
    DirectBuffer poll();

    /**
     * Sends an item if there is room for it.
     *
     * @param buffer that holds SBE message header and body; copied before this method returns.
     * @param offset of the SBE message header, in bytes.
     * @param length of header and body in bytes.
     * @return false if there is no room now: {@link #whenReady()} tells when. Also false if the call has ended well
     *     without this item: the server had enough.
     * @throws RpcException          with the status of the call, if it failed. An item that exceeds the limit of either
     *                               side ends the call as {@link StatusCode#RESOURCE_EXHAUSTED}.
     * @throws IllegalStateException if the method has no stream of requests, or it was half-closed.
     */
    boolean offer(DirectBuffer buffer, int offset, int length);

    /**
     * Sends an item; waits for room. An interrupt cancels the call.
     *
     * @param buffer that holds SBE message header and body; copied before this method returns.
     * @param offset of the SBE message header, in bytes.
     * @param length of header and body in bytes.
     * @return false if the call has ended well without this item: the server had enough.
     * @throws RpcException          as of {@link #offer}; {@link StatusCode#CANCELLED} if this thread was interrupted,
     *                               which then is still marked as interrupted.
     * @throws IllegalStateException as of {@link #offer}; or on the client's thread.
     */
    boolean send(DirectBuffer buffer, int offset, int length);

    /**
     * Tells when there is room for an item.
     *
     * @return completed, perhaps already, when {@link #offer} is worth a try or the call has ended; on the client's
     *     thread, unless stages that depend on it are asynchronous: they must not block.
     */
    CompletableFuture<Void> whenReady();

    /**
     * No more items will be sent; those sent before are. Does nothing for a method without a stream of requests, or
     * a second time.
     */
    void halfClose();

    /**
     * Gives up the call: it ends as {@link StatusCode#CANCELLED} at both ends. Does nothing if it has ended.
     */
    void cancel();

    /**
     * Whether there is nothing left to take: the call has ended, and all its items were taken or dropped.
     *
     * @return true if {@link #take()} will not wait, and never give an item again.
     */
    boolean isEnded();

    /**
     * The end of the call.
     *
     * @return completed on the client's thread when the end has arrived, though items may wait to be taken: with the
     *     response of a client stream (SBE message header and body from index 0), with null for the other kinds, or
     *     exceptionally with an {@link RpcException}. Stages that depend on it run on the client's thread unless they
     *     are asynchronous: they must not block. Completing or cancelling it does not cancel the call.
     */
    CompletableFuture<DirectBuffer> result();

    /**
     * Cancels the call if it has not ended. Idempotent.
     */
    @Override
    void close();
}
