/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A server goes away while increments are in flight: each is applied once at most, and those it never began are applied
 * elsewhere, invisibly.
 */
class GoAwayTest
{
    private static final int INCREMENTS = 1_000;
    private static final long MS = 1_000_000L;

    private final GroupHarness rpc = new GroupHarness();
    private final int[] applied = new int[INCREMENTS];
    private final List<ServerCall> open = new ArrayList<>();
    private final List<CompletableFuture<DirectBuffer>> futures = new ArrayList<>();

    @AfterEach
    void closeAll()
    {
        rpc.closeAll();
    }

    @Test
    @InterruptAfter(30)
    void shouldApplyNoIncrementTwiceWhenAServerStopsAtOnce()
    {
        prepare();
        for (int i = 0; i < 3; i++)
        {
            rpc.pump();
        }
        rpc.stopServer(1);
        rpc.until(() -> futures.stream().allMatch(CompletableFuture::isDone));
        int succeeded = 0;
        for (int number = 0; number < INCREMENTS; number++)
        {
            // what fails may have been applied, and then nobody may apply it again
            final boolean isOk = !futures.get(number).isCompletedExceptionally();
            assertTrue(isOk ? applied[number] == 1 : applied[number] <= 1);
            succeeded += isOk ? 1 : 0;
        }
        assertTrue(succeeded > 0 && succeeded < INCREMENTS);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3, 7, 20, 60})
    @InterruptAfter(30)
    void shouldApplyEachIncrementOnceAtMostWhenAServerGoesAway(final int cyclesBefore)
    {
        prepare();
        for (int i = 0; i < cyclesBefore; i++)
        {
            rpc.pump();
        }
        final CompletableFuture<Boolean> drained = rpc.servers.get(1).drain(100 * MS);
        // what has begun is finished, but for a half of what is kept open
        rpc.until(() -> futures.stream().filter(future -> !future.isDone()).count() == open.size());
        for (int i = open.size() / 2; i < open.size(); i++)
        {
            open.get(i).claim(8);
            open.get(i).send(8);
        }
        rpc.settle();
        rpc.clock.advanceMs(100);
        rpc.until(() -> futures.stream().allMatch(CompletableFuture::isDone) && drained.isDone());
        int failed = 0;
        for (int number = 0; number < INCREMENTS; number++)
        {
            final CompletableFuture<DirectBuffer> future = futures.get(number);
            assertEquals(1, applied[number], "times that increment " + number + " was applied");
            if (future.isCompletedExceptionally())
            {
                final RpcException failure = ResilienceSupport.failureOf(future);
                assertEquals(StatusCode.UNAVAILABLE, failure.code());
                assertFalse(failure.isNotStarted());
                failed++;
            }
        }
        assertEquals(open.size() / 2, failed);
        assertEquals(INCREMENTS, rpc.requestCount(1) + rpc.requestCount(2));
        assertEquals(0, rpc.group.callsWaiting());
        assertEquals(0, rpc.group.retainedBytes());
    }

    private void prepare()
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
        for (int number = 0; number < INCREMENTS; number++)
        {
            final UnsafeBuffer request = new UnsafeBuffer(new byte[8]);
            request.putInt(0, number);
            futures.add(rpc.group.call(
                GroupHarness.SERVICE_ID, GroupHarness.METHOD, request, 0, 8, CallOptions.DEFAULT));
        }
    }
}
