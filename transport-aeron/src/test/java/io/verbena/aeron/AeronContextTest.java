/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.aeron;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.function.UnaryOperator;

import org.junit.jupiter.api.Test;

class AeronContextTest
{
    private static final long MS = 1_000_000L;

    @Test
    void shouldTakeOptionsWhenAtTheirLimits()
    {
        taken((ctx) -> ctx.udpTermLength(65_536).ipcTermLength(65_536).udpMtu(16_384).ipcMtu(64));
        taken((ctx) -> ctx.udpTermLength(1 << 30).ipcTermLength(1 << 30).udpMtu(65_504).ipcMtu(65_504));
        taken((ctx) -> ctx.stream(1));
        taken((ctx) -> ctx.stream(Integer.MAX_VALUE - 1));
        taken((ctx) -> ctx.socketRcvbufLength(ctx.udpMtu()).socketSndbufLength(ctx.udpMtu()));
        taken((ctx) -> ctx.connectionsPerStreamPair(1));
        taken((ctx) -> ctx.connectionsPerStreamPair(65_535));
        taken((ctx) -> ctx.livenessTimeoutNs(100 * MS).stallTimeoutNs(MS).connectTimeoutNs(MS).closeTimeoutNs(0));
        taken((ctx) -> ctx.livenessTimeoutNs(3_600_000 * MS));
    }

    @Test
    void shouldRefuseOptionsWhenOutOfRange()
    {
        refused("udpTermLength", (ctx) -> ctx.udpTermLength(32_768));
        refused("udpTermLength", (ctx) -> ctx.udpTermLength(65_537));
        refused("ipcTermLength", (ctx) -> ctx.ipcTermLength(Integer.MIN_VALUE));
        refused("udpMtu", (ctx) -> ctx.udpMtu(32));
        refused("udpMtu", (ctx) -> ctx.udpMtu(1_409));
        refused("udpMtu", (ctx) -> ctx.udpMtu(16_384 + 32));
        refused("ipcMtu", (ctx) -> ctx.ipcTermLength(1 << 30).ipcMtu(65_536));
        refused("stream", (ctx) -> ctx.stream(0));
        refused("stream", (ctx) -> ctx.stream(Integer.MAX_VALUE));
        refused("socketSndbufLength", (ctx) -> ctx.socketSndbufLength(1_000));
        refused("socketRcvbufLength", (ctx) -> ctx.socketRcvbufLength(-1));
        refused("connectionsPerStreamPair", (ctx) -> ctx.connectionsPerStreamPair(0));
        refused("connectionsPerStreamPair", (ctx) -> ctx.connectionsPerStreamPair(65_536));
        refused("livenessTimeoutNs", (ctx) -> ctx.livenessTimeoutNs(100 * MS - 1));
        refused("livenessTimeoutNs", (ctx) -> ctx.livenessTimeoutNs(3_600_000 * MS + 1));
        refused("stallTimeoutNs", (ctx) -> ctx.stallTimeoutNs(MS - 1));
        refused("connectTimeoutNs", (ctx) -> ctx.connectTimeoutNs(MS - 1));
        refused("closeTimeoutNs", (ctx) -> ctx.closeTimeoutNs(-1));
    }

    @Test
    void shouldServeOneTransportOnlyWhenConcluded()
    {
        final AeronTransport.Context ctx = new AeronTransport.Context().conclude();
        assertThrows(IllegalStateException.class, ctx::conclude);
        assertThrows(IllegalStateException.class, () -> new AeronTransport(ctx).close());
    }

    @Test
    void shouldFollowThePropertiesWhenSet()
    {
        System.setProperty(AeronConfiguration.UDP_TERM_LENGTH_PROP_NAME, "256k");
        System.setProperty(AeronConfiguration.LIVENESS_TIMEOUT_PROP_NAME, "700ms");
        System.setProperty(AeronConfiguration.EMBEDDED_PROP_NAME, "false");
        System.setProperty(AeronConfiguration.CONNECTIONS_PER_STREAM_PAIR_PROP_NAME, "1");
        try
        {
            final AeronTransport.Context ctx = new AeronTransport.Context();
            assertEquals(256 * 1024, ctx.udpTermLength());
            assertEquals(700 * MS, ctx.livenessTimeoutNs());
            assertFalse(ctx.embedded());
            assertEquals(1, ctx.connectionsPerStreamPair());
        }
        finally
        {
            System.clearProperty(AeronConfiguration.UDP_TERM_LENGTH_PROP_NAME);
            System.clearProperty(AeronConfiguration.LIVENESS_TIMEOUT_PROP_NAME);
            System.clearProperty(AeronConfiguration.EMBEDDED_PROP_NAME);
            System.clearProperty(AeronConfiguration.CONNECTIONS_PER_STREAM_PAIR_PROP_NAME);
        }
        assertTrue(new AeronTransport.Context().embedded());
    }

    private static void taken(final UnaryOperator<AeronTransport.Context> options)
    {
        assertDoesNotThrow(() -> options.apply(new AeronTransport.Context()).conclude());
    }

    private static void refused(final String named, final UnaryOperator<AeronTransport.Context> options)
    {
        final AeronTransport.Context ctx = options.apply(new AeronTransport.Context());
        final IllegalArgumentException e = assertThrows(IllegalArgumentException.class, ctx::conclude);
        assertTrue(e.getMessage().startsWith(named + " must be "), e::getMessage);
        assertTrue(e.getMessage().contains("found "), e::getMessage);
    }
}
