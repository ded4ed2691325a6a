/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.samples.guide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.rpc.CallOptions;
import io.verbena.rpc.ChannelGroup;
import io.verbena.rpc.ClientStream;
import io.verbena.rpc.HedgingPolicy;
import io.verbena.rpc.MethodKind;
import io.verbena.rpc.ResponseHandler;
import io.verbena.rpc.RetryPolicy;
import io.verbena.rpc.RpcCaller;
import io.verbena.rpc.RpcChannel;
import io.verbena.rpc.RpcClient;
import io.verbena.rpc.RpcServer;
import io.verbena.rpc.ServerCall;
import io.verbena.rpc.StatusCode;
import io.verbena.rpc.balance.BalancingPolicy;
import io.verbena.rpc.balance.DnsResolver;
import io.verbena.rpc.balance.FileResolver;
import io.verbena.rpc.balance.StaticResolver;
import io.verbena.rpc.test.InterruptAfter;
import io.verbena.rpc.test.RecordingHandler;
import io.verbena.rpc.test.ScriptedAdapter;
import io.verbena.rpc.transport.LoopbackTransport;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the guide says about retries, hedging, streams of any thread and groups of endpoints.
 */
@InterruptAfter(60)
class ResilienceGuideTest
{
    private static final int SERVICE = 7;
    private static final int PRICE = 1;
    private static final int WATCH = 2;
    private static final String ADDRESS = "loopback:guide-resilience";

    // region retry options
    static final CallOptions RETRIED = CallOptions.DEFAULT
        .timeoutNs(50_000_000)
        .idempotent(true)
        .retry(new RetryPolicy(3, 1_000_000, 20_000_000, StatusCode.UNAVAILABLE, StatusCode.RESOURCE_EXHAUSTED));
    // endregion

    // region hedging options
    static final CallOptions HEDGED = CallOptions.DEFAULT
        .timeoutNs(50_000_000)
        .idempotent(true)
        .hedging(new HedgingPolicy(2, 1_000_000, StatusCode.UNAVAILABLE));
    // endregion

    private final UnsafeBuffer request = new UnsafeBuffer(new byte[8]);
    private final int length = request.capacity();
    private final AtomicInteger failures = new AtomicInteger(1);
    private final AtomicInteger sum = new AtomicInteger();
    private final RpcServer server = RpcServer.launch(new RpcServer.Context()
        .listen(new LoopbackTransport(), ADDRESS)
        .service(new ScriptedAdapter(SERVICE)
            .on(PRICE, this::price)
            .on(WATCH, MethodKind.SERVER_STREAM, ResilienceGuideTest::watch)));
    private final RpcClient client = RpcClient.launch(new RpcClient.Context().transport(new LoopbackTransport()));

    @TempDir
    private Path directory;

    @AfterEach
    void close()
    {
        client.close();
        server.close();
    }

    @Test
    void shouldTryAgainAndHedge()
    {
        final RpcCaller caller = client.connect(ADDRESS);
        // region retried call
        final CompletableFuture<DirectBuffer> answer =
            caller.call(SERVICE, PRICE, request, 0, length, RETRIED.waitForReady(true));
        // endregion
        assertEquals(length, answer.join().capacity());
        assertEquals(length, caller.call(SERVICE, PRICE, request, 0, length, HEDGED).join().capacity());
    }

    @Test
    void shouldTakeItemsOnAVirtualThread() throws Exception
    {
        final RpcCaller caller = client.connect(ADDRESS);
        // region pulled stream
        final Thread reader = Thread.ofVirtual().start(() ->
        {
            try (ClientStream prices = caller.stream(
                SERVICE, WATCH, MethodKind.SERVER_STREAM, request, 0, length, CallOptions.DEFAULT))
            {
                DirectBuffer item;
                while ((item = prices.take()) != null)
                {
                    onPrice(item);
                }
            }
        });
        // endregion
        reader.join();
        assertEquals(3, sum.get());
    }

    @Test
    void shouldPushItems()
    {
        final RpcCaller caller = client.connect(ADDRESS);
        // region pushed stream
        final ClientStream prices = caller.stream(
            SERVICE, WATCH, MethodKind.SERVER_STREAM, request, 0, length, CallOptions.DEFAULT, this::onPrice);
        prices.result().thenRun(() -> System.out.println("the market has closed"));
        // endregion
        prices.result().join();
        assertEquals(3, sum.get());
    }

    @Test
    void shouldBalance() throws Exception
    {
        failures.set(0);
        final Path file = directory.resolve("endpoints");
        Files.writeString(file, ADDRESS + "  # the only one\n");
        connectByName();
        // region group
        final ChannelGroup group = client.connect(new FileResolver(file), BalancingPolicy.LEAST_OUTSTANDING);
        final CompletableFuture<DirectBuffer> answer =
            group.call(SERVICE, PRICE, request, 0, length, CallOptions.DEFAULT.waitForReady(true));
        // endregion
        assertEquals(length, answer.join().capacity());
        assertEquals(ADDRESS, group.addresses().get(0));
        final ResponseHandler handler = new RecordingHandler();
        final CountDownLatch picked = new CountDownLatch(1);
        client.execute(() ->
        {
            // region picked channel
            final RpcChannel channel = group.pick();
            if (channel != null)
            {
                channel.offer(SERVICE, PRICE, request, 0, length, RpcChannel.DEFAULT_TIMEOUT, handler);
            }
            // endregion
            assertTrue(channel != null);
            picked.countDown();
        });
        picked.await();
    }

    private static void connectByName()
    {
        // region resolvers
        final StaticResolver fixed = new StaticResolver("udp://10.0.0.1:9000", "udp://10.0.0.2:9000");
        final DnsResolver byName = new DnsResolver("udp://quotes.example:9000");
        final FileResolver byFile = new FileResolver(Path.of("endpoints.txt"));
        // endregion
        fixed.close();
        byName.close();
        byFile.close();
    }

    private void onPrice(final DirectBuffer item)
    {
        sum.addAndGet(item.getInt(0));
    }

    private void price(final ServerCall call, final DirectBuffer buffer, final int offset, final int size)
    {
        if (failures.getAndDecrement() > 0)
        {
            call.fail(StatusCode.UNAVAILABLE, "not yet");
        }
        else
        {
            ScriptedAdapter.ECHO.onRequest(call, buffer, offset, size);
        }
    }

    private static void watch(final ServerCall call, final DirectBuffer buffer, final int offset, final int size)
    {
        for (int price = 0; price < 3; price++)
        {
            assertTrue(call.claimItem(8) > 0);
            call.buffer().putInt(call.offset(), price);
            call.send(8);
        }
        call.complete();
    }
}
