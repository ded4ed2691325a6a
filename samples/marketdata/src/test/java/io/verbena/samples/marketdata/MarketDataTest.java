/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.samples.marketdata;

import io.verbena.auto.Transports;
import io.verbena.rpc.RpcChannel;
import io.verbena.rpc.RpcClient;
import io.verbena.rpc.RpcConfiguration;
import io.verbena.rpc.RpcException;
import io.verbena.rpc.RpcServer;
import io.verbena.rpc.StatusCode;
import io.verbena.rpc.test.InterruptAfter;
import io.verbena.samples.marketdata.generated.InvalidTradeException;
import io.verbena.samples.marketdata.generated.MarketDataClient;
import io.verbena.samples.marketdata.generated.SummaryDecoder;
import io.verbena.samples.marketdata.generated.TickDecoder;
import io.verbena.samples.marketdata.generated.UnknownSymbolException;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.agrona.concurrent.SleepingMillisIdleStrategy;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * The generated stubs of streams end to end, over every transport: a server and a client with threads of their own.
 */
@InterruptAfter(60)
class MarketDataTest
{
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(30);
    private static final long MANY = 1_000_000_000L;

    @TempDir
    private Path directory;

    private final InMemoryMarket market = new InMemoryMarket();

    @ParameterizedTest
    @ValueSource(strings = {"loopback:market", "udp://localhost:0", "ipc:"})
    void shouldTakeEveryTickInOrderWhenStreamIsLongerThanItsWindow(final String address)
    {
        final long count = 3L * RpcConfiguration.STREAM_WINDOW_ITEMS_DEFAULT;
        withClient(address, client ->
        {
            try (MarketDataClient.WatchStream ticks = client.watch(request -> request.count(count).symbol("ACME")))
            {
                long expected = 0;
                for (final TickDecoder tick : ticks)
                {
                    expected++;
                    assertEquals(expected, tick.sequence());
                    assertEquals(10_120 + expected % 7, tick.price());
                    assertEquals("ACME", tick.symbol());
                }
                assertEquals(count, expected);
                assertTrue(ticks.isEnded());
                assertNull(ticks.take());
            }
            awaitTrue(() -> market.callsEnded() == 1);
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"loopback:market", "udp://localhost:0", "ipc:"})
    void shouldPushEveryTickWhenConsumerIsGiven(final String address)
    {
        final long count = 2L * RpcConfiguration.STREAM_WINDOW_ITEMS_DEFAULT;
        withClient(address, client ->
        {
            final AtomicLong last = new AtomicLong();
            client.watchAsync(
                request -> request.count(count).symbol("VRB"),
                tick -> assertTrue(last.compareAndSet(tick.sequence() - 1, tick.sequence()))).join();
            assertEquals(count, last.get());
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"loopback:market", "udp://localhost:0", "ipc:"})
    void shouldHoldServerBackAndStopItWhenReaderIsSlowAndCloses(final String address)
    {
        withClient(address, client ->
        {
            try (MarketDataClient.WatchStream ticks = client.watch(request -> request.count(MANY).symbol("ACME")))
            {
                assertEquals(1, ticks.take().sequence());
                awaitTrue(() -> market.ticksSent() == RpcConfiguration.STREAM_WINDOW_ITEMS_DEFAULT);
                // another call on the connection goes through, and meanwhile the server sends no further tick
                assertEquals(0, upload(client, 0).trades());
                assertEquals(RpcConfiguration.STREAM_WINDOW_ITEMS_DEFAULT, market.ticksSent());
                assertEquals(2, ticks.take().sequence());
            }
            // the upload and the watch
            awaitTrue(() -> market.callsEnded() == 2);
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"loopback:market", "udp://localhost:0", "ipc:"})
    void shouldThrowDeclaredErrorWhenSymbolIsUnknown(final String address)
    {
        withClient(address, client ->
        {
            try (MarketDataClient.WatchStream ticks = client.watch(request -> request.count(1).symbol("NONE")))
            {
                final UnknownSymbolException failure = assertThrows(UnknownSymbolException.class, ticks::take);
                assertEquals(StatusCode.NOT_FOUND, failure.code());
                assertEquals("NONE", failure.error().symbol());
            }
            final CompletionException failure = assertThrows(CompletionException.class, () -> client.watchAsync(
                request -> request.count(1).symbol("NONE"), tick -> { }).join());
            assertInstanceOf(UnknownSymbolException.class, failure.getCause());
            try (MarketDataClient.SubscribeStream ticks = client.subscribe())
            {
                assertTrue(ticks.send(request -> request.count(1).symbol("NOT")));
                assertThrows(UnknownSymbolException.class, ticks::take);
            }
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"loopback:market", "udp://localhost:0", "ipc:"})
    void shouldSumTradesWhenUploadIsLongerThanItsWindow(final String address)
    {
        final long count = 2L * RpcConfiguration.STREAM_WINDOW_ITEMS_DEFAULT;
        withClient(address, client ->
        {
            final SummaryDecoder summary = upload(client, count);
            assertEquals(count, summary.trades());
            assertEquals(count * (count + 1) / 2, summary.quantity());
            assertEquals(3 * count * (count + 1) / 2, summary.value());
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"loopback:market", "udp://localhost:0", "ipc:"})
    void shouldEndUploadWithDeclaredErrorWhenTradeIsInvalid(final String address)
    {
        withClient(address, client ->
        {
            try (MarketDataClient.UploadStream trades = client.upload())
            {
                assertTrue(trades.send(trade -> trade.price(1).quantity(1)));
                assertTrue(trades.send(trade -> trade.price(1).quantity(-5)));
                final InvalidTradeException failure = assertThrows(InvalidTradeException.class, trades::finish);
                assertEquals(2, failure.error().position());
                assertEquals(-5, failure.error().quantity());
            }
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"loopback:market", "udp://localhost:0", "ipc:"})
    void shouldMixTicksInTurnWhenMoreIsSubscribedTo(final String address)
    {
        withClient(address, client ->
        {
            try (MarketDataClient.SubscribeStream ticks = client.subscribe())
            {
                ticks.send(request -> request.count(1).symbol("VRB"));
                assertEquals("VRB", ticks.take().symbol());
                ticks.send(request -> request.count(3).symbol("ACME"));
                ticks.send(request -> request.count(2).symbol("VRB"));
                ticks.halfClose();
                final List<String> acme = new ArrayList<>();
                final List<String> vrb = new ArrayList<>();
                for (final TickDecoder tick : ticks)
                {
                    ("ACME".equals(tick.symbol()) ? acme : vrb).add(tick.symbol() + tick.sequence());
                }
                assertEquals(List.of("ACME1", "ACME2", "ACME3"), acme);
                assertEquals(List.of("VRB1", "VRB2"), vrb);
            }
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"loopback:market", "udp://localhost:0", "ipc:"})
    void shouldFailWithCancelledWhenCallIsGivenUp(final String address)
    {
        withClient(address, client ->
        {
            final MarketDataClient.SubscribeStream ticks = client.subscribe();
            assertTrue(ticks.send(request -> request.count(1).symbol("ACME")));
            assertEquals(1, ticks.take().sequence());
            ticks.cancel();
            assertEquals(StatusCode.CANCELLED, assertThrows(RpcException.class, ticks::take).code());
            assertThrows(RpcException.class, () -> ticks.send(request -> request.count(1).symbol("ACME")));
            // the server is told
            awaitTrue(() -> market.callsEnded() == 1);
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"udp://localhost:0", "ipc:"})
    void shouldPrintTheTourWhenServerIsThere(final String address)
    {
        final ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (RpcServer server = serve(address))
        {
            MarketDataTour.run(server.addresses().get(0), new PrintStream(out, true, StandardCharsets.UTF_8));
        }
        assertEquals(
            """
              watch ACME      tick 1: 200 at 10121
              watch ACME      tick 2: 300 at 10122
              watch ACME      tick 3: 400 at 10123
              watch VRB       10000 ticks pushed, 3999800 units
              watch ACME      1 of 1000000 ticks taken, then closed
              upload          1000 trades, 500500 units
              upload          INVALID_ARGUMENT, as declared: trade 2, a trade has a quantity from 1
              subscribe       ACME ACME VRB
              zero-copy       10000 ticks watched
              zero-copy       10000 trades uploaded
            """,
            out.toString(StandardCharsets.UTF_8));
    }

    private static SummaryDecoder upload(final MarketDataClient client, final long count)
    {
        try (MarketDataClient.UploadStream trades = client.upload())
        {
            for (long i = 1; i <= count; i++)
            {
                final long quantity = i;
                assertTrue(trades.send(trade -> trade.price(3).quantity(quantity)));
            }
            return trades.finish();
        }
    }

    private void withClient(final String address, final Consumer<MarketDataClient> calls)
    {
        try (RpcServer server = serve(address))
        {
            final String bound = server.addresses().get(0);
            assertFalse(bound.endsWith(":0"), bound);
            try (RpcClient client = RpcClient.launch(new RpcClient.Context()
                .transport(Transports.forAddress(bound))
                .idleStrategy(new SleepingMillisIdleStrategy(1))))
            {
                final RpcChannel channel = client.connect(bound);
                assertTrue(channel.awaitReady(PATIENCE_NS), "not connected");
                calls.accept(new MarketDataClient(channel));
            }
        }
    }

    private RpcServer serve(final String address)
    {
        // a driver directory of its own for each test, so that none meets the files of another
        final String own = address.equals("ipc:") ? "ipc:" + directory.resolve("driver") : address;
        return MarketDataServer.launch(own, new SleepingMillisIdleStrategy(1), market);
    }

    private static void awaitTrue(final BooleanSupplier condition)
    {
        final long deadlineNs = System.nanoTime() + PATIENCE_NS;
        while (!condition.getAsBoolean())
        {
            assertTrue(System.nanoTime() - deadlineNs < 0, "not within 30 s");
            LockSupport.parkNanos(100_000);
        }
    }
}
