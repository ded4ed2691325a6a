/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import static io.verbena.rpc.RpcHarness.SERVICE_ID;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.verbena.rpc.protocol.ErrorPayload;
import io.verbena.rpc.protocol.FrameFlags;
import io.verbena.rpc.protocol.FrameType;
import io.verbena.rpc.test.InterruptAfter;
import io.verbena.rpc.test.RawPeer;
import io.verbena.rpc.test.RecordingHandler;
import io.verbena.rpc.test.ScriptedAdapter;
import io.verbena.rpc.transport.LoopbackTransport;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Limits of calls in progress and waiting, on the duty cycle.
 */
@InterruptAfter(30)
class AdmissionTest
{
    private static final AtomicInteger NAMES = new AtomicInteger();
    private static final long NONE = Long.MAX_VALUE;
    private static final int KEEP = 2;

    private final String address = "loopback:admission-" + NAMES.incrementAndGet();
    private final RpcHarness rpc = new RpcHarness(LoopbackTransport::new, () -> address);
    private final List<ServerCall> kept = new ArrayList<>();

    @AfterEach
    void closeAll()
    {
        rpc.close();
    }

    private void launch(final AdmissionControl admission)
    {
        rpc.service().on(KEEP, (call, buffer, offset, length) -> kept.add(call.detach()));
        rpc.launchServer(context -> context.admission(admission));
    }

    private static void answer(final ServerCall call)
    {
        call.claim(0);
        call.send(0);
    }

    @Test
    void shouldRefuseWithPushbackWhenQueueIsFullAndNeverReachTheHandler()
    {
        launch(new AdmissionControl().maxInProgress(2).maxQueued(3));
        final RawPeer raw = rpc.rawClient(5);
        for (int i = 0; i < 6; i++)
        {
            raw.request(SERVICE_ID, KEEP, RawPeer.id(5, 0, i), NONE, new byte[8]);
        }
        rpc.until(() -> raw.count(FrameType.ERROR) == 1);
        rpc.settle();
        final RawPeer.Frame refused = raw.last(FrameType.ERROR);
        assertEquals(1, raw.count(FrameType.ERROR));
        assertEquals(RawPeer.id(5, 0, 5), refused.correlationId());
        assertEquals(StatusCode.RESOURCE_EXHAUSTED.value(), refused.status());
        assertTrue((refused.flags() & FrameFlags.NOT_STARTED) != 0);
        assertTrue(refused.timeoutNs() > 0, "push-back " + refused.timeoutNs());
        assertTrue(ErrorPayload.isWellFormed(new UnsafeBuffer(refused.payload()), 0, refused.payload().length));
        assertEquals(2, rpc.service().requestCount());
        assertEquals(5, rpc.server().callsInFlight());
        answer(kept.remove(0));
        rpc.until(() -> rpc.service().requestCount() == 3);
        rpc.settle();
        assertEquals(3, rpc.service().requestCount(), "one place, one more started");
        rpc.until(() ->
        {
            kept.forEach(AdmissionTest::answer);
            kept.clear();
            return raw.count(FrameType.RESPONSE) == 5;
        });
        rpc.settle();
        rpc.assertClean();
    }

    @Test
    void shouldNeverStartACallWhoseDeadlinePassesInTheQueue()
    {
        launch(new AdmissionControl().maxInProgress(1));
        final RawPeer raw = rpc.rawClient(5);
        raw.request(SERVICE_ID, KEEP, RawPeer.id(5, 0, 0), NONE, new byte[8]);
        raw.request(SERVICE_ID, KEEP, RawPeer.id(5, 0, 1), 1_000_000, new byte[8]);
        raw.request(SERVICE_ID, KEEP, RawPeer.id(5, 0, 2), NONE, new byte[8]);
        rpc.until(() -> rpc.server().callsInFlight() == 3);
        rpc.clock().advanceMs(1);
        rpc.until(() -> raw.count(FrameType.ERROR) == 1);
        final RawPeer.Frame expired = raw.last(FrameType.ERROR);
        assertEquals(RawPeer.id(5, 0, 1), expired.correlationId());
        assertEquals(StatusCode.DEADLINE_EXCEEDED.value(), expired.status());
        assertTrue((expired.flags() & FrameFlags.NOT_STARTED) != 0);
        answer(kept.remove(0));
        rpc.until(() -> kept.size() == 1);
        assertEquals(RawPeer.id(5, 0, 2), kept.get(0).correlationId());
        assertEquals(2, rpc.service().requestCount());
        assertEquals(List.of(), rpc.service().cancelled(), "it never was the service's");
        answer(kept.remove(0));
        rpc.settle();
        rpc.assertClean();
    }

    @Test
    void shouldTellTheServiceOnceWhenAStartedCallIsCancelledAndNeverOfAQueuedOne()
    {
        launch(new AdmissionControl().maxInProgress(1));
        final RawPeer raw = rpc.rawClient(5);
        raw.request(SERVICE_ID, KEEP, RawPeer.id(5, 0, 0), NONE, new byte[8]);
        raw.request(SERVICE_ID, KEEP, RawPeer.id(5, 0, 1), NONE, new byte[8]);
        rpc.until(() -> rpc.server().callsInFlight() == 2);
        raw.send(FrameType.CANCEL, SERVICE_ID, KEEP, RawPeer.id(5, 0, 1), 0, new byte[0]);
        raw.send(FrameType.CANCEL, SERVICE_ID, KEEP, RawPeer.id(5, 0, 0), 0, new byte[0]);
        rpc.until(() -> rpc.server().callsInFlight() == 0);
        rpc.settle();
        assertEquals(1, rpc.service().requestCount());
        assertEquals(1, rpc.service().cancelled().size());
        assertEquals(RawPeer.id(5, 0, 0), rpc.service().cancelled().get(0).correlationId());
        rpc.assertClean();
    }

    @Test
    void shouldDropWhatWaitsWhenItsConnectionEnds()
    {
        launch(new AdmissionControl().maxInProgress(1));
        final RawPeer raw = rpc.rawClient(5);
        raw.request(SERVICE_ID, KEEP, RawPeer.id(5, 0, 0), NONE, new byte[8]);
        raw.request(SERVICE_ID, KEEP, RawPeer.id(5, 0, 1), NONE, new byte[8]);
        rpc.until(() -> rpc.server().callsInFlight() == 2);
        raw.connection().close();
        rpc.until(() -> rpc.server().sessionCount() == 0);
        rpc.settle();
        assertEquals(1, rpc.service().requestCount());
        rpc.assertClean();
    }

    @Test
    void shouldRefuseWhatHasWaitedTooLong()
    {
        launch(new AdmissionControl().maxInProgress(1).targetDelayNs(5_000_000).intervalNs(100_000_000));
        final RawPeer raw = rpc.rawClient(5);
        raw.request(SERVICE_ID, KEEP, RawPeer.id(5, 0, 0), NONE, new byte[8]);
        raw.request(SERVICE_ID, KEEP, RawPeer.id(5, 0, 1), NONE, new byte[8]);
        rpc.until(() -> rpc.server().callsInFlight() == 2);
        rpc.clock().advanceMs(100);
        rpc.settle();
        assertEquals(0, raw.count(FrameType.ERROR));
        rpc.clock().advanceNs(1);
        rpc.until(() -> raw.count(FrameType.ERROR) == 1);
        assertEquals(RawPeer.id(5, 0, 1), raw.last(FrameType.ERROR).correlationId());
        assertEquals(StatusCode.RESOURCE_EXHAUSTED.value(), raw.last(FrameType.ERROR).status());
        answer(kept.remove(0));
        rpc.settle();
        rpc.assertClean();
    }

    @Test
    void shouldHandleOneRequestInACycleWhileThereIsMoreToReadAndServeAllInTheEnd()
    {
        launch(new AdmissionControl());
        rpc.launchClient(context -> {}).awaitReady();
        final RecordingHandler handler = new RecordingHandler();
        for (int i = 0; i < 200; i++)
        {
            rpc.offer(RpcHarness.ECHO_METHOD_ID, new byte[] { (byte)i }, RpcChannel.DEFAULT_TIMEOUT, handler);
        }
        final int before = rpc.service().requestCount();
        rpc.server().doWork();
        assertTrue(rpc.service().requestCount() - before <= 5, "handled " + rpc.service().requestCount());
        rpc.until(() -> handler.count() == 200);
        handler.outcomes().forEach(outcome -> assertEquals(StatusCode.OK, outcome.code(), outcome::toString));
        rpc.settle();
        rpc.assertClean();
    }

    @Test
    void shouldHoldServicesToTheirOwnLimitsAndAllTogetherToTheServers()
    {
        final ScriptedAdapter other = new ScriptedAdapter(8)
            .on(KEEP, (call, buffer, offset, length) -> kept.add(call.detach()));
        rpc.service().on(KEEP, (call, buffer, offset, length) -> kept.add(call.detach()));
        rpc.launchServer(context -> context
            .admission(new AdmissionControl().maxInProgress(3).maxQueued(1))
            .service(other, ServiceExecution.dutyCycle(), new AdmissionControl().maxInProgress(1).maxQueued(0)));
        final RawPeer raw = rpc.rawClient(5);
        raw.request(8, KEEP, RawPeer.id(5, 0, 0), NONE, new byte[8]);
        raw.request(8, KEEP, RawPeer.id(5, 0, 1), NONE, new byte[8]);
        rpc.until(() -> raw.count(FrameType.ERROR) == 1);
        for (int i = 2; i < 5; i++)
        {
            raw.request(SERVICE_ID, KEEP, RawPeer.id(5, 0, i), NONE, new byte[8]);
        }
        rpc.until(() -> rpc.server().callsInFlight() == 4);
        rpc.settle();
        assertEquals(3, kept.size());
        raw.request(SERVICE_ID, KEEP, RawPeer.id(5, 0, 6), NONE, new byte[8]);
        rpc.until(() -> raw.count(FrameType.ERROR) == 2);
        assertEquals(RawPeer.id(5, 0, 6), raw.last(FrameType.ERROR).correlationId());
    }

    @Test
    void shouldRefuseWithoutGarbage()
    {
        launch(new AdmissionControl().maxInProgress(1).maxQueued(0));
        final RawPeer raw = rpc.rawClient(5);
        raw.request(SERVICE_ID, KEEP, RawPeer.id(5, 0, 63), NONE, new byte[8]);
        rpc.until(() -> kept.size() == 1);
        final int warmUp = 2_000;
        final int measured = 2_000;
        final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
        long allocated = 0;
        for (int batch = 0; batch < warmUp + measured; batch++)
        {
            for (int i = 0; i < 16; i++)
            {
                raw.request(SERVICE_ID, KEEP, RawPeer.id(5, batch, i), NONE, new byte[8]);
            }
            final long before = threads.getCurrentThreadAllocatedBytes();
            rpc.server().doWork();
            allocated += batch < warmUp ? 0 : threads.getCurrentThreadAllocatedBytes() - before;
            raw.poll();
        }
        rpc.until(() -> raw.count(FrameType.ERROR) == 16 * (warmUp + measured));
        assertTrue(allocated < measured, allocated + " bytes for " + 16 * measured + " refusals");
        assertEquals(1, rpc.service().requestCount());
    }

    @Test
    void shouldNameTheSettingWhenItIsOutOfRange()
    {
        final List<AdmissionControl> wrong = List.of(
            new AdmissionControl().maxInProgress(0), new AdmissionControl().maxInProgress((1 << 24) + 1),
            new AdmissionControl().maxQueued(-1), new AdmissionControl().maxQueued((1 << 24) + 1),
            new AdmissionControl().maxQueuedBytes(-1), new AdmissionControl().targetDelayNs(0),
            new AdmissionControl().targetDelayNs(5).intervalNs(4),
            new AdmissionControl().intervalNs(3_600_000_000_001L));
        for (final AdmissionControl admission : wrong)
        {
            final IllegalStateException ex = assertThrows(IllegalStateException.class, admission::conclude);
            assertTrue(ex.getMessage().startsWith("admission: "), ex::getMessage);
        }
        new AdmissionControl().maxInProgress(1).maxQueued(0)
            .maxQueuedBytes(0).targetDelayNs(1).intervalNs(1).conclude();
        new AdmissionControl().conclude();
    }
}
