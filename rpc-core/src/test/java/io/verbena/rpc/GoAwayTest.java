/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.rpc.balance.BalancingPolicy;
import io.verbena.rpc.test.InterruptAfter;
import io.verbena.rpc.test.ScriptedAdapter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A server goes away while increments are in flight: each is applied once at most, and those it never began are applied
 * elsewhere, invisibly.
 */
class GoAwayTest
{
    private static final int INCREMENTS = 1_000;

    private final GroupHarness rpc = new GroupHarness();
    private final int[] applied = new int[INCREMENTS];
    private final List<ServerCall> open = new ArrayList<>();

    @AfterEach
    void closeAll()
    {
        rpc.closeAll();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3, 7, 20, 60})
    @InterruptAfter(30)
    void shouldApplyEachIncrementOnceAtMostWhenAServerGoesAway(final int cyclesBefore)
    {
        rpc.launchServers(1, 2)
            .launchClient(BalancingPolicy.PICK_FIRST, context -> {}).resolve(1, 2).awaitReady(2);
        // the first keeps every second call open, so that some have begun when it goes
        rpc.services.get(1).on(GroupHarness.METHOD, (call, buffer, offset, length) ->
        {
            final int number = buffer.getInt(offset);
            applied[number]++;
            if ((number & 1) == 0)
            {
                open.add(call.detach());
            }
            else
            {
                ScriptedAdapter.ECHO.onRequest(call, buffer, offset, length);
            }
        });
        rpc.services.get(2).on(GroupHarness.METHOD, (call, buffer, offset, length) ->
        {
            applied[buffer.getInt(offset)]++;
            ScriptedAdapter.ECHO.onRequest(call, buffer, offset, length);
        });
        final List<CompletableFuture<DirectBuffer>> futures = new ArrayList<>();
        for (int number = 0; number < INCREMENTS; number++)
        {
            final UnsafeBuffer request = new UnsafeBuffer(new byte[8]);
            request.putInt(0, number);
            futures.add(rpc.group.call(
                GroupHarness.SERVICE_ID, GroupHarness.METHOD, request, 0, 8, CallOptions.DEFAULT));
        }
        for (int i = 0; i < cyclesBefore; i++)
        {
            rpc.pump();
        }
        rpc.stopServer(1);
        rpc.until(() -> futures.stream().allMatch(CompletableFuture::isDone));
        int failed = 0;
        for (int number = 0; number < INCREMENTS; number++)
        {
            final CompletableFuture<DirectBuffer> future = futures.get(number);
            final int times = applied[number];
            if (future.isCompletedExceptionally())
            {
                final RpcException failure = ResilienceSupport.failureOf(future);
                assertEquals(StatusCode.UNAVAILABLE, failure.code());
                // it may have been applied, and then nobody may apply it again
                assertTrue(times <= 1 && !failure.isNotStarted(), failure::toString);
                failed++;
            }
            else
            {
                assertEquals(1, times, "times that increment " + number + " was applied");
            }
        }
        final int lost = failed;
        assertTrue(lost <= rpc.requestCount(1), () -> lost + " failed");
        assertEquals(0, rpc.group.callsWaiting());
        assertEquals(0, rpc.group.retainedBytes());
    }
}
