/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.rpc.balance.BalancingPolicy;
import io.verbena.rpc.balance.StaticResolver;
import io.verbena.rpc.test.InterruptAfter;
import io.verbena.rpc.test.RecordingHandler;
import io.verbena.rpc.test.ScriptedAdapter;
import io.verbena.rpc.transport.TransportException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

@InterruptAfter(30)
class ChannelGroupTest
{
    private static final long MS = 1_000_000L;

    private final GroupHarness rpc = new GroupHarness();
    private final List<ServerCall> kept = new ArrayList<>();

    @AfterEach
    void closeAll()
    {
        rpc.closeAll();
        assertTrue(rpc.isResolverClosed);
    }

    @Test
    void shouldTakeTurnsWhenRoundRobin()
    {
        start(BalancingPolicy.ROUND_ROBIN, 1, 2, 3);
        for (int i = 0; i < 30; i++)
        {
            rpc.assertSucceeds(rpc.call(CallOptions.DEFAULT));
        }
        for (int number = 1; number <= 3; number++)
        {
            assertEquals(10, rpc.requestCount(number));
        }
        assertNothingLeft();
    }

    @Test
    void shouldStayWithOneWhenPickFirstAndGoBackOnlyWhenThatEnds()
    {
        start(BalancingPolicy.PICK_FIRST, 1, 2, 3);
        calls(10);
        assertEquals(10, rpc.requestCount(1));
        rpc.stopServer(1);
        rpc.until(() -> rpc.ready() == 2);
        calls(10);
        assertEquals(10, rpc.requestCount(2));
        rpc.launchServers(1);
        rpc.until(() ->
        {
            rpc.clock.advanceMs(10);
            return rpc.ready() == 3;
        });
        calls(10);
        assertEquals(20, rpc.requestCount(2));
        rpc.stopServer(2);
        rpc.until(() -> rpc.ready() == 2);
        calls(10);
        assertEquals(20, rpc.requestCount(1));
        assertEquals(0, rpc.requestCount(3));
        assertNothingLeft();
    }

    @Test
    void shouldPreferTheOneWithTheFewestCallsWhenLeastOutstanding()
    {
        start(BalancingPolicy.LEAST_OUTSTANDING, 1, 2);
        keepCalls(1);
        final CompletableFuture<DirectBuffer> first = rpc.call(CallOptions.DEFAULT);
        rpc.until(() -> rpc.requestCount(1) + rpc.requestCount(2) == 1);
        if (rpc.requestCount(2) == 1)
        {
            rpc.assertSucceeds(first);
            rpc.call(CallOptions.DEFAULT);
        }
        rpc.until(() -> kept.size() == 1);
        final int before = rpc.requestCount(2);
        calls(10);
        assertEquals(1, rpc.requestCount(1));
        assertEquals(before + 10, rpc.requestCount(2));
        answerKept();
        rpc.until(() -> rpc.group.callsInFlight() == 0);
        assertNothingLeft();
    }

    @Test
    void shouldPassOverEndpointsThatAreNotReady()
    {
        rpc.launchServers(2).launchClient(BalancingPolicy.ROUND_ROBIN, context -> {}).resolve(1, 2, 3);
        rpc.awaitReady(1);
        calls(10);
        assertEquals(10, rpc.requestCount(2));
        assertEquals(ChannelState.READY, rpc.group.state());
        assertNothingLeft();
    }

    @Test
    void shouldGiveReadyChannelsToTheZeroCopyFace()
    {
        rpc.launchServers(1, 2).launchClient(BalancingPolicy.ROUND_ROBIN, context -> {});
        assertNull(rpc.group.pick());
        rpc.resolve(1, 2).awaitReady(2);
        final RpcChannel first = rpc.group.pick();
        final RpcChannel second = rpc.group.pick();
        assertNotSame(first, second);
        assertSame(first, rpc.group.pick());
        final RecordingHandler handler = new RecordingHandler();
        assertTrue(second.offer(
            GroupHarness.SERVICE_ID, 1, new UnsafeBuffer(new byte[8]), 0, 8, RpcChannel.DEFAULT_TIMEOUT, handler) > 0);
        rpc.until(() -> handler.count() == 1);
        assertEquals(StatusCode.OK, handler.last().code());
    }

    @Test
    void shouldTakeNewEndpointsInAndLetRemovedOnesDrain()
    {
        start(BalancingPolicy.ROUND_ROBIN, 1, 2);
        keepCalls(1);
        final CompletableFuture<DirectBuffer> a = rpc.call(CallOptions.DEFAULT.timeoutNs(RpcChannel.NO_TIMEOUT));
        final CompletableFuture<DirectBuffer> b = rpc.call(CallOptions.DEFAULT.timeoutNs(RpcChannel.NO_TIMEOUT));
        rpc.until(() -> kept.size() == 1 && (a.isDone() || b.isDone()));
        rpc.launchServers(3).resolve(2, 3);
        rpc.until(() -> rpc.group.addresses().equals(rpc.addresses(2, 3)) && rpc.ready() == 2);
        calls(10);
        assertEquals(1, rpc.requestCount(1));
        assertTrue(rpc.requestCount(3) > 0);
        assertEquals(1, rpc.group.callsInFlight());
        final RpcChannel leaving = rpc.group.endpoints().removed()[0];
        assertEquals(ChannelState.READY, leaving.state());
        answerKept();
        rpc.until(() -> a.isDone() && b.isDone());
        rpc.until(() -> leaving.state() == ChannelState.CLOSED);
        assertEquals(0, rpc.group.endpoints().removed().length);
        assertNothingLeft();
    }

    @Test
    void shouldUseAnEndpointAgainWhenItComesBackWhileItDrains()
    {
        start(BalancingPolicy.ROUND_ROBIN, 1, 2);
        keepCalls(1);
        rpc.call(CallOptions.DEFAULT);
        rpc.call(CallOptions.DEFAULT);
        rpc.until(() -> kept.size() == 1);
        final RpcChannel channel = rpc.group.endpoints().channels()[0];
        rpc.resolve(2).until(() -> rpc.group.addresses().size() == 1);
        rpc.resolve(1, 2).until(() -> rpc.group.addresses().size() == 2);
        assertSame(channel, rpc.group.endpoints().channels()[0]);
        assertEquals(0, rpc.group.endpoints().removed().length);
        answerKept();
        rpc.until(() -> rpc.group.callsInFlight() == 0);
    }

    @Test
    void shouldCancelWhatARemovedEndpointHasLeftWhenItsTimeIsUp()
    {
        rpc.launchServers(1, 2)
            .launchClient(BalancingPolicy.PICK_FIRST, context -> context.removedDrainTimeoutNs(50 * MS))
            .resolve(1, 2).awaitReady(2);
        keepCalls(1);
        final CompletableFuture<DirectBuffer> future =
            rpc.call(CallOptions.DEFAULT.timeoutNs(RpcChannel.NO_TIMEOUT));
        rpc.until(() -> kept.size() == 1);
        rpc.resolve(2).until(() -> rpc.group.addresses().size() == 1);
        rpc.clock.advanceMs(49);
        rpc.settle();
        assertFalse(future.isDone());
        rpc.clock.advanceMs(1);
        rpc.until(future::isDone);
        assertEquals(StatusCode.CANCELLED, ResilienceSupport.failureOf(future).code());
        assertNothingLeft();
    }

    @Test
    void shouldUseTheFirstWhenThereAreMoreThanTheLimit()
    {
        rpc.launchServers(1, 2, 3).launchClient(BalancingPolicy.ROUND_ROBIN, context -> context.maxEndpoints(2));
        rpc.resolve(1, 2, 2, 1).awaitReady(2);
        assertEquals(List.of(), rpc.errors);
        rpc.resolve(3, 2, 1).until(() -> rpc.group.addresses().equals(rpc.addresses(3, 2)));
        assertEquals(1, rpc.errors.size());
        final String error = rpc.errors.get(0).getMessage();
        assertTrue(error.contains("at most 2") && error.contains("found 3") &&
            error.contains(RpcConfiguration.MAX_ENDPOINTS_PROP_NAME), error);
    }

    @Test
    void shouldKeepItsEndpointsWhenAListMakesNoSense()
    {
        start(BalancingPolicy.ROUND_ROBIN, 1, 2);
        rpc.listener.onAddresses(List.of(rpc.address(1), "nonsense:3"));
        rpc.until(() -> rpc.errors.size() == 1);
        assertTrue(rpc.errors.get(0) instanceof TransportException);
        rpc.listener.onAddresses(List.of());
        rpc.until(() -> rpc.errors.size() == 2);
        rpc.listener.onError(new IllegalStateException("the resolver"));
        rpc.until(() -> rpc.errors.size() == 3);
        assertEquals(rpc.addresses(1, 2), rpc.group.addresses());
        calls(2);
        assertNothingLeft();
    }

    @Test
    void shouldSayWhyWhenNoEndpointIsKnown()
    {
        rpc.launchClient(BalancingPolicy.ROUND_ROBIN, context -> {});
        final CompletableFuture<DirectBuffer> waiting = rpc.call(CallOptions.DEFAULT.waitForReady(true));
        final CompletableFuture<DirectBuffer> failing = rpc.call(CallOptions.DEFAULT);
        rpc.settle();
        // not resolved yet: as good as connecting
        assertFalse(failing.isDone());
        assertEquals(ChannelState.CONNECTING, rpc.group.state());
        rpc.listener.onError(new IllegalStateException("names.txt: expected a file of addresses, found none"));
        rpc.until(failing::isDone);
        final RpcException failure = ResilienceSupport.failureOf(failing);
        assertEquals(StatusCode.UNAVAILABLE, failure.code());
        assertTrue(failure.text().contains("names.txt"), failure::text);
        rpc.launchServers(1).resolve(1);
        rpc.assertSucceeds(waiting);
        assertNothingLeft();
    }

    @Test
    void shouldHedgeAtAnotherEndpoint()
    {
        start(BalancingPolicy.PICK_FIRST, 1, 2);
        keepCalls(1);
        final CompletableFuture<DirectBuffer> future = rpc.call(
            CallOptions.DEFAULT.idempotent(true).hedging(new HedgingPolicy(2, 10 * MS)));
        rpc.until(() -> kept.size() == 1);
        rpc.settle();
        assertEquals(0, rpc.requestCount(2));
        rpc.clock.advanceMs(10);
        rpc.assertSucceeds(future);
        assertEquals(1, rpc.requestCount(2));
        rpc.until(() -> rpc.services.get(1).cancelled().size() == 1);
        // the choice itself has not moved
        rpc.services.get(1).on(GroupHarness.METHOD, ScriptedAdapter.ECHO);
        calls(5);
        assertEquals(6, rpc.requestCount(1));
        assertNothingLeft();
    }

    @Test
    void shouldHedgeAtTheSameEndpointWhenThereIsNoOther()
    {
        start(BalancingPolicy.ROUND_ROBIN, 1);
        keepCalls(1);
        final CompletableFuture<DirectBuffer> future = rpc.call(
            CallOptions.DEFAULT.idempotent(true).hedging(new HedgingPolicy(2, 10 * MS)));
        rpc.until(() -> kept.size() == 1);
        rpc.settle();
        rpc.clock.advanceMs(10);
        rpc.until(() -> kept.size() == 2);
        answerKept();
        rpc.assertSucceeds(future);
        assertNothingLeft();
    }

    @Test
    void shouldEndAllWhenItIsClosed()
    {
        start(BalancingPolicy.ROUND_ROBIN, 1, 2);
        keepCalls(1);
        keepCalls(2);
        final CompletableFuture<DirectBuffer> inFlight = rpc.call(CallOptions.DEFAULT);
        rpc.until(() -> kept.size() == 1);
        rpc.group.close();
        rpc.group.close();
        assertEquals(StatusCode.CANCELLED, ResilienceSupport.failureOf(inFlight).code());
        assertEquals(StatusCode.UNAVAILABLE, ResilienceSupport.failureOf(rpc.call(CallOptions.DEFAULT)).code());
        assertEquals(ChannelState.CLOSED, rpc.group.state());
        assertNull(rpc.group.pick());
        assertTrue(rpc.isResolverClosed);
        rpc.listener.onAddresses(rpc.addresses(1));
        rpc.settle();
        assertEquals(List.of(), rpc.group.addresses());
    }

    @Test
    void shouldRefuseGroupsWhenTheClientIsClosed()
    {
        rpc.launchClient(BalancingPolicy.ROUND_ROBIN, context -> {});
        rpc.client.close();
        assertThrows(
            IllegalStateException.class,
            () -> rpc.client.connect(new StaticResolver(rpc.address(1)), BalancingPolicy.ROUND_ROBIN));
        assertEquals(ChannelState.CLOSED, rpc.group.state());
    }

    private void start(final BalancingPolicy policy, final int... numbers)
    {
        rpc.launchServers(numbers).launchClient(policy, context -> {}).resolve(numbers).awaitReady(numbers.length);
    }

    private void calls(final int count)
    {
        IntStream.range(0, count).forEach(i -> rpc.assertSucceeds(rpc.call(CallOptions.DEFAULT)));
    }

    private void keepCalls(final int number)
    {
        rpc.services.get(number).on(
            GroupHarness.METHOD, (call, buffer, offset, length) -> kept.add(call.detach()));
    }

    private void answerKept()
    {
        for (final ServerCall call : kept)
        {
            call.claim(8);
            call.send(8);
        }
    }

    private void assertNothingLeft()
    {
        rpc.settle();
        assertEquals(0, rpc.group.callsWaiting());
        assertEquals(0, rpc.group.retainedBytes());
        assertEquals(0, rpc.group.callsInFlight());
        assertEquals(0, rpc.client.outstandingBuffers());
    }
}
