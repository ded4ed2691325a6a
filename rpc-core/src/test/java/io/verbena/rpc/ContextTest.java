/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.rpc.test.DeflateCodec;
import io.verbena.rpc.test.ScriptedAdapter;
import io.verbena.rpc.transport.LoopbackTransport;
import io.verbena.rpc.transport.TransportException;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

class ContextTest
{
    private static final long HOUR_NS = 3_600_000_000_000L;

    private static RpcServer.Context server()
    {
        return new RpcServer.Context().listen(new LoopbackTransport(), "loopback:context")
            .service(new ScriptedAdapter(1)).useAgentInvoker(true);
    }

    private static RpcClient.Context client()
    {
        return new RpcClient.Context().transport(new LoopbackTransport()).useAgentInvoker(true);
    }

    private static void refused(final String setting, final Consumer<RpcClient.Context> change)
    {
        final RpcClient.Context context = client();
        change.accept(context);
        final IllegalStateException ex = assertThrows(IllegalStateException.class, context::conclude);
        assertTrue(ex.getMessage().startsWith(setting + ": expected "), ex::getMessage);
        assertTrue(ex.getMessage().contains("found "), ex::getMessage);
    }

    private static void taken(final Consumer<RpcClient.Context> change)
    {
        final RpcClient.Context context = client();
        change.accept(context);
        context.conclude();
    }

    @Test
    void shouldNameTheSettingWhenItIsOutOfRange()
    {
        refused("maxCallsInFlight", context -> context.maxCallsInFlight(0));
        refused("maxCallsInFlight", context -> context.maxCallsInFlight(65537));
        taken(context -> context.maxCallsInFlight(1));
        taken(context -> context.maxCallsInFlight(65536));
        refused("maxMessageLength", context -> context.maxMessageLength(2047));
        refused("maxMessageLength", context -> context.maxMessageLength((1 << 30) + 1));
        taken(context -> context.maxMessageLength(2048).maxQueuedBytes(2048).maxAssemblyBytes(2048));
        taken(context -> context.maxMessageLength(1 << 30).maxQueuedBytes(1 << 30).maxAssemblyBytes(1 << 30));
        refused("maxQueuedBytes", context -> context.maxMessageLength(5000).maxQueuedBytes(4999));
        refused("maxAssemblyBytes", context -> context.maxMessageLength(5000).maxAssemblyBytes(4999));
        refused("maxRetainedBufferBytes", context -> context.maxRetainedBufferBytes(-1));
        taken(context -> context.maxRetainedBufferBytes(0));
        refused("taskQueueLength", context -> context.taskQueueLength(0));
        refused("taskQueueLength", context -> context.taskQueueLength((1 << 24) + 1));
        refused("pollLimit", context -> context.pollLimit(0));
        refused("pollLimit", context -> context.pollLimit(65537));
        refused("maxMetadataLength", context -> context.maxMetadataLength(-1));
        refused("maxMetadataLength", context -> context.maxMetadataLength(65529));
        taken(context -> context.maxMetadataLength(0));
        taken(context -> context.maxMetadataLength(65528));
        refused("checksum", context -> context.checksum(-1));
        taken(context -> context.checksum(1));
        refused("compression: id of deflate", context -> context.compression(new DeflateCodec(0), 1));
        refused("compression: id of deflate", context -> context.compression(new DeflateCodec(31), 1));
        refused("compression: threshold of deflate", context -> context.compression(new DeflateCodec(30), 0));
        refused("compression", context -> context.compression(new DeflateCodec(2), 1)
            .compression(new DeflateCodec(2), 1));
        taken(context -> context.compression(new DeflateCodec(1), 1)
            .compression(new DeflateCodec(30), Integer.MAX_VALUE));
        refused("streamWindowItems", context -> context.streamWindowItems(0));
        refused("streamWindowBytes", context -> context.streamWindowBytes(0));
        refused("connectionWindowBytes", context -> context.connectionWindowBytes(0));
        taken(context -> context.streamWindowItems(1).streamWindowBytes(1).connectionWindowBytes(1));
        refused("handshakeTimeoutNs", context -> context.handshakeTimeoutNs(0));
        refused("handshakeTimeoutNs", context -> context.handshakeTimeoutNs(HOUR_NS + 1));
        taken(context -> context.handshakeTimeoutNs(HOUR_NS));
        refused("closeTimeoutNs", context -> context.closeTimeoutNs(-1));
        refused("closeTimeoutNs", context -> context.closeTimeoutNs(HOUR_NS + 1));
        taken(context -> context.closeTimeoutNs(0));
        refused("asyncQueueLength", context -> context.asyncQueueLength(1));
        refused("asyncQueueLength", context -> context.asyncQueueLength((1 << 24) + 1));
        refused("defaultTimeoutNs", context -> context.defaultTimeoutNs(0));
        taken(context -> context.defaultTimeoutNs(Long.MAX_VALUE));
        refused("reconnectMinBackoffNs", context -> context.reconnectMinBackoffNs(0));
        refused("reconnectMaxBackoffNs", context -> context.reconnectMinBackoffNs(5).reconnectMaxBackoffNs(4));
        taken(context -> context.reconnectMinBackoffNs(5).reconnectMaxBackoffNs(5));
        refused("transport", context -> context.transport(null));
    }

    @Test
    void shouldNameTheSettingWhenAServerCanNotBe()
    {
        assertServerRefused("maxConnections: expected 1 to 65536, found 0", server().maxConnections(0));
        assertServerRefused("maxConnections: expected 1 to 65536, found 65537", server().maxConnections(65537));
        assertServerRefused("listen: expected at least one", new RpcServer.Context().service(new ScriptedAdapter(1)));
        assertServerRefused("service: expected at least one",
            new RpcServer.Context().listen(new LoopbackTransport(), "loopback:context"));
        assertServerRefused("service: expected ids that differ, found id 1", server().service(new ScriptedAdapter(1)));
        assertServerRefused("service: id of Scripted: expected 1 to 65535, found 65536",
            server().service(new ScriptedAdapter(65536)));
        assertServerRefused("service: id of Scripted: expected 1 to 65535, found 0",
            server().service(new ScriptedAdapter(0)));
        final RpcServer.Context many = server();
        for (int id = 2; id <= 512; id++)
        {
            many.service(new ScriptedAdapter(id));
        }
        many.conclude();
        assertServerRefused("service: number of services: expected 0 to 512, found 513", addedTo(server(), 513));
    }

    private static RpcServer.Context addedTo(final RpcServer.Context context, final int count)
    {
        for (int id = 2; id <= count; id++)
        {
            context.service(new ScriptedAdapter(id));
        }
        return context;
    }

    private static void assertServerRefused(final String message, final RpcServer.Context context)
    {
        final IllegalStateException ex = assertThrows(IllegalStateException.class, context::conclude);
        assertTrue(ex.getMessage().startsWith(message), ex::getMessage);
    }

    @Test
    void shouldServeOneLaunchOnly()
    {
        final RpcClient.Context context = client();
        try (RpcClient client = RpcClient.launch(context))
        {
            assertEquals(context, client.context());
            assertThrows(IllegalStateException.class, () -> RpcClient.launch(context));
        }
    }

    @Test
    void shouldCloseItsTransportsWhenAnAddressIsInUse()
    {
        try (RpcServer first = RpcServer.launch(server()))
        {
            assertEquals(java.util.List.of("loopback:context"), first.addresses());
            final LoopbackTransport transport = new LoopbackTransport();
            final RpcServer.Context context = new RpcServer.Context().listen(transport, "loopback:context-2")
                .listen(transport, "loopback:context").service(new ScriptedAdapter(1)).useAgentInvoker(true);
            assertThrows(TransportException.class, () -> RpcServer.launch(context));
            assertThrows(TransportException.class, () -> transport.listen("loopback:context-3"));
        }
        RpcServer.launch(server()).close();
    }

    @Test
    @ResourceLock(Resources.SYSTEM_PROPERTIES)
    void shouldReadPropertiesAndSayWhatIsWrongWithThem()
    {
        final Map<String, Function<RpcClient.Context, Number>> sizes = Map.of(
            RpcConfiguration.MAX_MESSAGE_LENGTH_PROP_NAME, RpcClient.Context::maxMessageLength,
            RpcConfiguration.MAX_QUEUED_BYTES_PROP_NAME, RpcClient.Context::maxQueuedBytes,
            RpcConfiguration.STREAM_WINDOW_BYTES_PROP_NAME, RpcClient.Context::streamWindowBytes,
            RpcConfiguration.CONNECTION_WINDOW_BYTES_PROP_NAME, RpcClient.Context::connectionWindowBytes,
            RpcConfiguration.MAX_ASSEMBLY_BYTES_PROP_NAME, RpcClient.Context::maxAssemblyBytes,
            RpcConfiguration.MAX_RETAINED_BUFFER_BYTES_PROP_NAME, RpcClient.Context::maxRetainedBufferBytes);
        sizes.forEach((name, getter) -> assertProperty(name, "64k", 65536, getter));
        final Map<String, Function<RpcClient.Context, Number>> counts = Map.of(
            RpcConfiguration.MAX_CALLS_IN_FLIGHT_PROP_NAME, RpcClient.Context::maxCallsInFlight,
            RpcConfiguration.STREAM_WINDOW_ITEMS_PROP_NAME, RpcClient.Context::streamWindowItems,
            RpcConfiguration.TASK_QUEUE_LENGTH_PROP_NAME, RpcClient.Context::taskQueueLength,
            RpcConfiguration.POLL_LIMIT_PROP_NAME, RpcClient.Context::pollLimit,
            RpcConfiguration.ASYNC_QUEUE_LENGTH_PROP_NAME, RpcClient.Context::asyncQueueLength);
        counts.forEach((name, getter) -> assertProperty(name, " 77 ", 77, getter));
        final Map<String, Function<RpcClient.Context, Number>> durations = Map.of(
            RpcConfiguration.HANDSHAKE_TIMEOUT_PROP_NAME, RpcClient.Context::handshakeTimeoutNs,
            RpcConfiguration.CLOSE_TIMEOUT_PROP_NAME, RpcClient.Context::closeTimeoutNs,
            RpcConfiguration.DEFAULT_TIMEOUT_PROP_NAME, RpcClient.Context::defaultTimeoutNs,
            RpcConfiguration.RECONNECT_MIN_BACKOFF_PROP_NAME, RpcClient.Context::reconnectMinBackoffNs,
            RpcConfiguration.RECONNECT_MAX_BACKOFF_PROP_NAME, RpcClient.Context::reconnectMaxBackoffNs);
        durations.forEach((name, getter) -> assertProperty(name, "300ms", 300_000_000L, getter));
        System.setProperty(RpcConfiguration.MAX_CONNECTIONS_PROP_NAME, "5");
        try
        {
            assertEquals(5, new RpcServer.Context().maxConnections());
        }
        finally
        {
            System.clearProperty(RpcConfiguration.MAX_CONNECTIONS_PROP_NAME);
        }
        assertEquals(1024, new RpcServer.Context().maxConnections());
    }

    private static void assertProperty(
        final String name, final String value, final long expected, final Function<RpcClient.Context, Number> getter)
    {
        final long unset = getter.apply(new RpcClient.Context()).longValue();
        try
        {
            System.setProperty(name, value);
            assertEquals(expected, getter.apply(new RpcClient.Context()).longValue(), name);
            for (final String nonsense : new String[]{"many", "12parsecs", "99999999999999999999"})
            {
                System.setProperty(name, nonsense);
                final IllegalStateException ex = assertThrows(IllegalStateException.class, RpcClient.Context::new);
                assertTrue(ex.getMessage().startsWith(name + ": expected "), ex::getMessage);
                assertTrue(ex.getMessage().endsWith("found " + nonsense), ex::getMessage);
            }
        }
        finally
        {
            System.clearProperty(name);
        }
        assertEquals(unset, getter.apply(new RpcClient.Context()).longValue(), name);
    }

    @Test
    @ResourceLock(Resources.SYSTEM_ERR)
    void shouldPrintOneLineWhenNobodyElseIsToldOfAnError()
    {
        final PrintStream systemErr = System.err;
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        System.setErr(new PrintStream(bytes, true, StandardCharsets.UTF_8));
        try
        {
            Limits.DEFAULT_ERROR_HANDLER.onError(new IllegalStateException("what happened"));
            Limits.DEFAULT_ERROR_HANDLER.onError(new RuntimeException()
            {
                private static final long serialVersionUID = 1L;

                @Override
                public String toString()
                {
                    throw new AssertionError();
                }
            });
        }
        finally
        {
            System.setErr(systemErr);
        }
        final String[] lines = bytes.toString(StandardCharsets.UTF_8).split(System.lineSeparator());
        assertEquals("verbena: java.lang.IllegalStateException: what happened", lines[0]);
        assertEquals("verbena: " + ContextTest.class.getName() + "$1", lines[1]);
        assertEquals(2, lines.length);
    }
}
