/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.rpc.protocol.FrameFlags;
import io.verbena.rpc.protocol.FrameType;
import io.verbena.rpc.test.InterruptAfter;
import io.verbena.rpc.test.RawPeer;
import io.verbena.rpc.test.RecordingHandler;
import io.verbena.rpc.test.ScriptedAdapter;
import io.verbena.rpc.test.SilentTransport;
import io.verbena.rpc.transport.LoopbackTransport;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/**
 * That what happens to connections is counted, and what policies above single calls do: retries, admission, drain.
 */
@InterruptAfter(30)
class RpcCountersConnectionsTest extends ResilienceSupport
{
    private static final int KEEP = 3;
    private static final CallOptions IDEMPOTENT = CallOptions.DEFAULT.idempotent(true);

    private final List<ServerCall> kept = new ArrayList<>();

    private long client(final RpcCounter counter)
    {
        return rpc.client().counters().get(counter);
    }

    private long server(final RpcCounter counter)
    {
        return rpc.server().counters().get(counter);
    }

    private void assertBoth(final long expected, final RpcCounter counter)
    {
        assertEquals(expected, client(counter), counter + " at the client");
        assertEquals(expected, server(counter), counter + " at the server");
    }

    private void launchServer()
    {
        rpc.service().on(KEEP, (call, buffer, offset, length) -> kept.add(call.detach()));
        rpc.launchServer(context -> {});
    }

    @Test
    void shouldCountConnectionsWhenTheyOpenAndCloseInOrder()
    {
        launchServer();
        rpc.launchClient(context -> {}).awaitReady();
        assertBoth(1, RpcCounter.CONNECTIONS_OPEN);
        assertBoth(1, RpcCounter.CONNECTIONS_OPENED);
        final RpcCounters counters = rpc.client().counters();
        rpc.closeClient();
        rpc.settle();
        assertEquals(0, counters.get(RpcCounter.CONNECTIONS_OPEN));
        assertEquals(0, server(RpcCounter.CONNECTIONS_OPEN));
        assertEquals(0, server(RpcCounter.CONNECTIONS_LOST));
        assertEquals(0, counters.get(RpcCounter.CONNECTIONS_LOST));
        assertEquals(0, counters.get(RpcCounter.RECONNECT_ATTEMPTS));
    }

    @Test
    void shouldCountGoAwayAndReconnectWhenTheServerCloses()
    {
        launchServer();
        rpc.launchClient(context -> {}).awaitReady();
        rpc.closeServer();
        rpc.settle();
        assertEquals(1, server(RpcCounter.GO_AWAYS));
        assertEquals(1, client(RpcCounter.GO_AWAYS));
        assertBoth(0, RpcCounter.CONNECTIONS_OPEN);
        assertEquals(0, client(RpcCounter.RECONNECT_ATTEMPTS), "not yet");
        rpc.clock().advanceMs(100);
        rpc.settle();
        assertEquals(1, client(RpcCounter.RECONNECT_ATTEMPTS));
    }

    @Test
    void shouldCountRefusedConnectionsWhenTheServerHasItsLimit()
    {
        rpc.launchServer(context -> context.maxConnections(1));
        rpc.rawClient(5);
        rpc.launchClient(context -> {});
        rpc.until(() -> client(RpcCounter.CONNECTIONS_REFUSED) == 1);
        rpc.until(() -> server(RpcCounter.CONNECTIONS_REFUSED) == 1);
        assertEquals(1, server(RpcCounter.CONNECTIONS_OPENED));
    }

    @Test
    void shouldCountProtocolErrorsWhenAPeerBreaksTheProtocol()
    {
        final RawPeer raw = rawServer(context -> {});
        raw.sendBytes(new byte[32]);
        rpc.until(() -> client(RpcCounter.PROTOCOL_ERRORS) == 1);
        rpc.settle();
        assertEquals(1, client(RpcCounter.CONNECTIONS_LOST));
        assertEquals(0, client(RpcCounter.CONNECTIONS_OPEN));
    }

    @Test
    void shouldCountKeepAliveTimeoutsWhenThePeersAreSilent()
    {
        final List<SilentTransport> transports = new ArrayList<>();
        try (RpcHarness silent = new RpcHarness(() ->
        {
            transports.add(new SilentTransport(new LoopbackTransport()));
            return transports.get(transports.size() - 1);
        }, () -> "loopback:counters-silent"))
        {
            silent.service().on(KEEP, (call, buffer, offset, length) -> kept.add(call.detach()));
            final long second = TimeUnit.SECONDS.toNanos(1);
            silent.launchServer(context -> context.keepAliveIntervalNs(second).keepAliveTimeoutNs(second))
                .launchClient(context -> context.keepAliveIntervalNs(second).keepAliveTimeoutNs(second)).awaitReady();
            silent.offer(KEEP, new byte[8], RpcChannel.NO_TIMEOUT, new RecordingHandler());
            silent.until(() -> kept.size() == 1);
            transports.forEach(SilentTransport::fallSilent);
            for (int i = 0; i < 60; i++)
            {
                silent.clock().advanceMs(50);
                silent.settle();
            }
            assertEquals(1, silent.client().counters().get(RpcCounter.KEEP_ALIVE_TIMEOUTS));
            assertEquals(1, silent.client().counters().get(RpcCounter.CONNECTIONS_LOST));
            // a new connection is not silent
            assertEquals(1, silent.server().counters().get(RpcCounter.CONNECTIONS_OPENED) -
                silent.server().counters().get(RpcCounter.CONNECTIONS_OPEN));
        }
    }

    @Test
    void shouldCountRetriesAndTheBudgetWhenCallsAreTriedAgain()
    {
        rpc.launchServer(context -> {})
            .launchClient(context -> context.retryMaxTokens(4).retryTokenThousandths(1)).awaitReady();
        rpc.service().on(METHOD, UNAVAILABLE);
        final CompletableFuture<DirectBuffer> future =
            call(IDEMPOTENT.retry(new RetryPolicy(5, MS, MS, StatusCode.UNAVAILABLE)));
        while (!future.isDone())
        {
            rpc.clock().advanceMs(1);
            rpc.settle();
        }
        // of 4 tokens one failure leaves 3, a second 2: no more than half
        assertEquals(1, client(RpcCounter.RETRIES));
        assertEquals(1, client(RpcCounter.RETRY_BUDGET_REFUSALS));
        assertBoth(2, RpcCounter.CALLS_STARTED);
    }

    @Test
    void shouldCountHedgesWhenAttemptsAreMadeBesideOthers()
    {
        final RawPeer raw = rawServer(context -> {});
        final CompletableFuture<DirectBuffer> future =
            call(IDEMPOTENT.hedging(new HedgingPolicy(3, 10 * MS, StatusCode.UNAVAILABLE)));
        request(raw, 1);
        rpc.clock().advanceMs(10);
        refuse(raw, request(raw, 2), StatusCode.UNAVAILABLE, 0, false);
        answer(raw, request(raw, 3));
        assertSucceeds(future);
        assertEquals(2, client(RpcCounter.HEDGES));
        assertEquals(0, client(RpcCounter.RETRIES));
    }

    @Test
    void shouldCountMovesWhenTheServerHasNotStartedTheCall()
    {
        final RawPeer raw = rawServer(context -> {});
        final CompletableFuture<DirectBuffer> future = call(CallOptions.DEFAULT);
        refuse(raw, request(raw, 1), StatusCode.UNAVAILABLE, 0, true);
        answer(raw, request(raw, 2));
        assertSucceeds(future);
        assertEquals(1, client(RpcCounter.TRANSPARENT_RETRIES));
    }

    @Test
    void shouldCountAdmissionWhenCallsWaitAndAreRefused()
    {
        rpc.service().on(KEEP, (call, buffer, offset, length) -> kept.add(call.detach()));
        rpc.launchServer(context -> context.admission(new AdmissionControl().maxInProgress(1).maxQueued(2)));
        final RawPeer raw = rpc.rawClient(5);
        for (int i = 0; i < 4; i++)
        {
            raw.request(SERVICE_ID, KEEP, RawPeer.id(5, 0, i), RpcChannel.NO_TIMEOUT, new byte[8]);
        }
        rpc.until(() -> raw.count(FrameType.ERROR) == 1);
        rpc.settle();
        assertEquals(1, server(RpcCounter.ADMISSION_REFUSALS));
        assertEquals(2, server(RpcCounter.ADMISSION_QUEUED));
        assertEquals(2, server(RpcCounter.ADMISSION_WAITING));
        assertEquals(3, server(RpcCounter.CALLS_IN_FLIGHT));
        rpc.until(() ->
        {
            kept.forEach(call -> ScriptedAdapter.ECHO.onRequest(call, new UnsafeBuffer(), 0, 0));
            kept.clear();
            return raw.count(FrameType.RESPONSE) == 3;
        });
        assertEquals(0, server(RpcCounter.ADMISSION_WAITING));
        assertEquals(0, server(RpcCounter.CALLS_IN_FLIGHT));
    }

    @Test
    void shouldCountWhatADrainRefusesAndLetsFinishWhenItIsUnderWay()
    {
        launchServer();
        final RawPeer raw = rpc.rawClient(5);
        raw.request(SERVICE_ID, KEEP, RawPeer.id(5, 0, 0), RpcChannel.NO_TIMEOUT, new byte[8]);
        rpc.until(() -> kept.size() == 1);
        rpc.server().drain(TimeUnit.SECONDS.toNanos(10));
        rpc.until(() -> raw.count(FrameType.GO_AWAY) == 1);
        assertEquals(1, server(RpcCounter.GO_AWAYS));
        raw.request(SERVICE_ID, KEEP, RawPeer.id(5, 0, 1), RpcChannel.NO_TIMEOUT, new byte[8]);
        rpc.until(() -> raw.count(FrameType.ERROR) == 1);
        assertTrue((raw.last(FrameType.ERROR).flags() & FrameFlags.NOT_STARTED) != 0);
        assertEquals(1, server(RpcCounter.DRAIN_REFUSALS));
        assertEquals(0, server(RpcCounter.CALLS_DRAINED));
        kept.get(0).fail(StatusCode.ABORTED, "done");
        rpc.settle();
        assertEquals(1, server(RpcCounter.CALLS_DRAINED));
    }
}
