/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.samples.pricing;

import io.verbena.auto.Transports;
import io.verbena.rpc.RpcChannel;
import io.verbena.rpc.RpcClient;
import io.verbena.rpc.RpcException;
import io.verbena.rpc.RpcServer;
import io.verbena.rpc.StatusCode;
import io.verbena.rpc.test.InterruptAfter;
import io.verbena.samples.pricing.generated.DepthDecoder;
import io.verbena.samples.pricing.generated.InvalidQuantityException;
import io.verbena.samples.pricing.generated.PriceDecoder;
import io.verbena.samples.pricing.generated.PricingClient;
import io.verbena.samples.pricing.generated.QuoteDecoder;
import io.verbena.samples.pricing.generated.Side;
import io.verbena.samples.pricing.generated.UnknownSymbolException;
import io.verbena.samples.pricing.generated.Venue;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.agrona.concurrent.SleepingMillisIdleStrategy;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * The generated stub end to end, over every transport: a server and a client with threads of their own.
 */
@InterruptAfter(60)
class PricingTest
{
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(30);
    private static final long LONG_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(30);

    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"loopback:pricing", "udp://localhost:0", "ipc:"})
    void shouldAnswerPriceWhenSymbolIsKnown(final String address)
    {
        withClient(address, pricing ->
        {
            final PriceDecoder price = pricing.getPrice(
                request -> request.venue(Venue.NEW_YORK).symbol("VRB"), LONG_TIMEOUT_NS);
            assertEquals(421_350, price.bid().mantissa());
            assertEquals(421_400, price.ask().mantissa());
            assertEquals(-4, price.ask().exponent());
            assertEquals(Venue.NEW_YORK, price.venue());
            assertEquals("VRB", price.symbol());
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"loopback:pricing", "udp://localhost:0", "ipc:"})
    void shouldThrowDeclaredErrorWhenSymbolIsUnknown(final String address)
    {
        withClient(address, pricing ->
        {
            final UnknownSymbolException failure = assertThrows(
                UnknownSymbolException.class,
                () -> pricing.getPrice(request -> request.venue(Venue.TOKYO).symbol("ACME"), LONG_TIMEOUT_NS));
            assertEquals(StatusCode.NOT_FOUND, failure.code());
            assertEquals("no such symbol there", failure.text());
            assertEquals(Venue.TOKYO, failure.error().venue());
            assertEquals("ACME", failure.error().symbol());
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"loopback:pricing", "udp://localhost:0", "ipc:"})
    void shouldAnswerGroupsWhenDepthIsAskedFor(final String address)
    {
        withClient(address, pricing ->
        {
            final DepthDecoder depth = pricing.getDepth(
                request -> request.venue(Venue.LONDON).maxLevels(2).symbol("BARC"), LONG_TIMEOUT_NS);
            final StringBuilder levels = new StringBuilder();
            for (final DepthDecoder.BidsDecoder bid : depth.bids())
            {
                levels.append(bid.price().mantissa()).append('x').append(bid.quantity()).append(' ');
            }
            for (final DepthDecoder.AsksDecoder ask : depth.asks())
            {
                levels.append(ask.price().mantissa()).append('x').append(ask.quantity()).append(' ');
            }
            assertEquals("29835x100 29830x200 29845x100 29850x200 ", levels.toString());
            assertEquals("BARC", depth.symbol());
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"loopback:pricing", "udp://localhost:0", "ipc:"})
    void shouldTellRangeWhenQuantityIsBeyondIt(final String address)
    {
        withClient(address, pricing ->
        {
            final InvalidQuantityException failure = assertThrows(
                InvalidQuantityException.class,
                () -> quote(pricing, 5_001));
            assertEquals(StatusCode.OUT_OF_RANGE, failure.code());
            assertEquals(1, failure.error().minimum());
            assertEquals(5_000, failure.error().maximum());
            assertEquals(5_001, failure.error().requested());
            assertThrows(InvalidQuantityException.class, () -> quote(pricing, 0));
            assertEquals(5_000, quote(pricing, 5_000).quantity());
            assertEquals(1, quote(pricing, 1).quantity());
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"loopback:pricing", "udp://localhost:0", "ipc:"})
    void shouldFailWithStatusWhenSideIsMissing(final String address)
    {
        withClient(address, pricing ->
        {
            final RpcException failure = assertThrows(
                RpcException.class,
                () -> pricing.requestQuote(
                    request -> request.quantity(1).venue(Venue.NEW_YORK).side(Side.NULL_VAL).symbol("VRB").note(""),
                    LONG_TIMEOUT_NS));
            assertEquals(StatusCode.INVALID_ARGUMENT, failure.code());
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"loopback:pricing", "udp://localhost:0", "ipc:"})
    void shouldServeVirtualThreadsWhenTheyBlock(final String address)
    {
        withClient(address, pricing ->
        {
            final AtomicReference<Throwable> failure = new AtomicReference<>();
            final Thread[] threads = new Thread[50];
            for (int i = 0; i < threads.length; i++)
            {
                final long quantity = i + 1;
                threads[i] = Thread.ofVirtual().start(() ->
                {
                    try
                    {
                        assertEquals(quantity, quote(pricing, quantity).quantity());
                    }
                    catch (final Throwable ex)
                    {
                        failure.set(ex);
                    }
                });
            }
            for (final Thread thread : threads)
            {
                assertTrue(join(thread), "a virtual thread has not ended");
            }
            assertNull(failure.get());
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"udp://localhost:0", "ipc:"})
    void shouldPrintTheTourWhenServerIsThere(final String address)
    {
        final ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (RpcServer server = serve(address))
        {
            PricingTour.run(server.addresses().get(0), new PrintStream(out, true, StandardCharsets.UTF_8));
        }
        assertEquals(
            """
              getPrice ACME      bid 101.24 ask 101.26
              getDepth VOD       bids 72.14x100 72.13x200 72.12x300
              requestQuote VRB   quote 1: 250 at 42.1400
              getPrice in TOKYO  NOT_FOUND, as declared: no such symbol there (TOKYO)
              zero-copy getPrice bid mantissa 10124
            """,
            out.toString(StandardCharsets.UTF_8));
    }

    private void withClient(final String address, final Consumer<PricingClient> calls)
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
                calls.accept(new PricingClient(channel));
            }
        }
    }

    private RpcServer serve(final String address)
    {
        // a driver directory of its own for each test, so that none meets the files of another
        final String own = address.equals("ipc:") ? "ipc:" + directory.resolve("driver") : address;
        return PricingServer.launch(List.of(own), new SleepingMillisIdleStrategy(1));
    }

    private static QuoteDecoder quote(final PricingClient pricing, final long quantity)
    {
        return pricing.requestQuote(
            request -> request.quantity(quantity).venue(Venue.NEW_YORK).side(Side.BUY).symbol("VRB").note("test"),
            LONG_TIMEOUT_NS);
    }

    private static boolean join(final Thread thread)
    {
        try
        {
            return thread.join(java.time.Duration.ofSeconds(30));
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
