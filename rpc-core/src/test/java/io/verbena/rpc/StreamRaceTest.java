/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.rpc.test.InterruptAfter;
import io.verbena.rpc.test.RecordingStream;
import io.verbena.rpc.test.ScriptedAdapter;
import io.verbena.rpc.transport.LoopbackTransport;
import io.verbena.rpc.transport.Transport;
import java.util.Random;
import org.agrona.DirectBuffer;
import org.junit.jupiter.api.Test;

/**
 * Cancel, message, half-close, failure and deadline race for the end of a call, in ten thousand orders: it ends once at
 * each side, with statuses that fit each other. One seed is one call.
 */
class StreamRaceTest extends StreamContractSupport
{
    private static final int REPETITIONS = 10_000;
    private static final int STEPS = 60;
    private static final byte[] ITEM = new byte[200];
    private static final MethodKind[] KINDS = { MethodKind.SERVER_STREAM, MethodKind.CLIENT_STREAM, MethodKind.BIDI };

    private Random random;
    private int serverEnds;
    private int itemsAtServer;
    private boolean isCancelled;

    @Override
    protected Transport newTransport()
    {
        return new LoopbackTransport();
    }

    @Override
    protected String listenAddress()
    {
        return "loopback:stream-race";
    }

    @Test
    @InterruptAfter(120)
    void shouldEndOnceAndInOneStatusWhenEndsRace()
    {
        final int[] statuses = new int[StatusCode.values().length];
        rpc.service().on(DOWN, MethodKind.SERVER_STREAM, (call, buffer, offset, length) -> act(call))
            .on(UP, MethodKind.CLIENT_STREAM, (call, buffer, offset, length) -> act(call))
            .on(BOTH, MethodKind.BIDI, (call, buffer, offset, length) -> act(call));
        for (final int method : new int[]{DOWN, UP, BOTH})
        {
            rpc.service().onItem(method, this::onItem).onHalfClosed(method, this::act).onReady(method, this::act);
        }
        rpc.service().onEnded(ended -> serverEnds++);
        rpc.launchServer(context -> context.streamWindowItems(4).connectionWindowBytes(400)).launchClient(
            context -> context.streamWindowItems(3).connectionWindowBytes(300)).awaitReady();
        for (int seed = 1; seed <= REPETITIONS; seed++)
        {
            try
            {
                statuses[race(seed).ordinal()]++;
            }
            catch (final Throwable failure)
            {
                throw new AssertionError("seed " + seed + ", server errors " + rpc.serverErrors() +
                    ", client errors " + rpc.clientErrors(), failure);
            }
        }
        rpc.assertClean();
        assertTrue(statuses[StatusCode.OK.ordinal()] > REPETITIONS / 20, "too few end well");
        assertTrue(statuses[StatusCode.CANCELLED.ordinal()] > REPETITIONS / 20, "too few are cancelled");
        assertTrue(statuses[StatusCode.DEADLINE_EXCEEDED.ordinal()] > REPETITIONS / 20, "too few run out of time");
        assertTrue(statuses[StatusCode.ABORTED.ordinal()] > REPETITIONS / 20, "too few fail");
    }

    private StatusCode race(final int seed)
    {
        random = new Random(seed);
        serverEnds = 0;
        itemsAtServer = 0;
        isCancelled = false;
        rpc.service().ended().clear();
        final int requests = rpc.service().requestCount();
        final MethodKind kind = KINDS[random.nextInt(KINDS.length)];
        final RecordingStream stream = new RecordingStream();
        final long timeoutNs = 1_000_000L * (1 + random.nextInt(20));
        final long id = kind == MethodKind.SERVER_STREAM ? openDown(stream, timeoutNs) :
            openUp(kind == MethodKind.BIDI ? BOTH : UP, kind, stream, timeoutNs);
        stream.onItem(item -> maybeCancel(id));
        int sent = 0;
        for (int i = 0; i < STEPS && !stream.hasEnded(); i++)
        {
            switch (random.nextInt(10))
            {
                case 0, 1 -> rpc.server().doWork();
                case 2, 3 -> rpc.client().doWork();
                case 4, 5, 6 -> sent += send(kind, id) ? 1 : 0;
                case 7 -> halfClose(kind, id);
                case 8 -> rpc.clock().advanceMs(1);
                default -> maybeCancel(id);
            }
        }
        rpc.settle();
        while (!stream.hasEnded() || rpc.server().callsInFlight() != 0)
        {
            // a request that was still on its way has brought its own deadline along
            rpc.clock().advanceMs(25);
            rpc.settle();
        }
        assertEquals(1, stream.endCount(), stream::toString);
        assertFalse(stream.isToldAfterEnd(), stream::toString);
        assertTrue(itemsAtServer <= sent, "items out of nothing");
        final int started = rpc.service().requestCount() - requests;
        assertEquals(started, serverEnds, "ends told at the server");
        if (started == 1)
        {
            assertFit(stream.status(), rpc.service().ended().get(0));
        }
        rpc.assertNothingHeld();
        return stream.status();
    }

    /**
     * What the server has ended by itself reaches the client, unless that has ended the call before.
     */
    private void assertFit(final StatusCode client, final ScriptedAdapter.Ended ended)
    {
        final StatusCode server = ended.status();
        switch (client)
        {
            case OK, ABORTED -> assertEquals(client, server);
            case CANCELLED ->
            {
                assertTrue(isCancelled);
                assertTrue(
                    server == StatusCode.CANCELLED || server == StatusCode.OK || server == StatusCode.ABORTED ||
                    server == StatusCode.DEADLINE_EXCEEDED, server::toString);
            }
            case DEADLINE_EXCEEDED -> assertTrue(
                server == StatusCode.DEADLINE_EXCEEDED || server == StatusCode.CANCELLED ||
                server == StatusCode.OK || server == StatusCode.ABORTED, server::toString);
            default -> throw new AssertionError("ended with " + client);
        }
    }

    private boolean send(final MethodKind kind, final long id)
    {
        return kind.isClientStreaming() && rpc.channel().isReady(id) &&
            rpc.channel().offerItem(id, buffer(ITEM), 0, random.nextInt(ITEM.length)) > 0;
    }

    private void halfClose(final MethodKind kind, final long id)
    {
        if (kind.isClientStreaming() && random.nextInt(4) == 0)
        {
            rpc.channel().halfClose(id);
        }
    }

    private void maybeCancel(final long id)
    {
        if (random.nextInt(12) == 0)
        {
            isCancelled |= rpc.channel().cancel(id);
        }
    }

    private void onItem(final ServerCall call, final DirectBuffer buffer, final int offset, final int length)
    {
        itemsAtServer++;
        act(call);
    }

    /**
     * Does one of the things that a service may do.
     */
    private void act(final ServerCall call)
    {
        final boolean isStreaming = call.methodId() != UP;
        switch (random.nextInt(8))
        {
            case 0 -> call.fail(StatusCode.ABORTED, "by chance");
            case 1 ->
            {
                if (isStreaming)
                {
                    call.complete();
                }
                else
                {
                    call.claim(8);
                    call.send(8);
                }
            }
            case 2, 3, 4, 5 ->
            {
                int items = random.nextInt(6);
                while (isStreaming && items-- > 0)
                {
                    if (call.claimItem(100) < 0)
                    {
                        break;
                    }
                    call.send(random.nextInt(100));
                }
            }
            default ->
            {
                // leaves it for later
            }
        }
    }
}
