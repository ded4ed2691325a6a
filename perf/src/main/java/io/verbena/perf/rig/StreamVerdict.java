/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf.rig;

import io.vertx.core.json.JsonObject;

import java.util.List;

/**
 * Of streams: the rate at which items were received, both directions together, and whether each item arrived in its
 * turn.
 */
final class StreamVerdict extends Verdict
{
    @Override
    RunResult result(
        final RunSpec spec, final JsonObject message, final Marks marks, final List<String> jvmFlags)
    {
        final long atClient = message.getLong("received");
        final long atServer = marks.windowGrowth(ServerChild.RECEIVED);
        final double toClientPerS = perSecond(atClient, message.getLong("elapsed_ns"));
        final double toServerPerS = perSecond(atServer, marks.windowGrowth(ServerChild.NANO_TIME));
        final long outOfOrder =
            message.getLong("out_of_order") + marks.server(StreamExperiment.END_MARK, ServerChild.OUT_OF_ORDER);
        final double clientOps = Math.max(1, atClient + message.getLong("sent"));
        final double serverOps = Math.max(1, atServer + marks.windowGrowth(ServerChild.SENT));
        return result(spec, message, marks, jvmFlags, reason(spec, message, marks, outOfOrder), new Figures(
            atClient + atServer,
            outOfOrder,
            toClientPerS + toServerPerS,
            message.getLong(ServerChild.ALLOCATED_BYTES) / clientOps,
            marks.windowGrowth(ServerChild.ALLOCATED_BYTES) / serverOps,
            new JsonObject()
                .put("items_to_client_per_s", toClientPerS)
                .put("items_to_server_per_s", toServerPerS)));
    }

    private static String reason(
        final RunSpec spec, final JsonObject message, final Marks marks, final long outOfOrder)
    {
        final String toClient = lossReason(
            "client",
            spec.workload().kind().isServerStreaming(),
            marks.server(StreamExperiment.END_MARK, ServerChild.SENT),
            message.getLong("total_received"));
        if (!toClient.isEmpty())
        {
            return toClient;
        }
        final String toServer = lossReason(
            "server",
            spec.workload().kind().isClientStreaming(),
            message.getLong("total_sent"),
            marks.server(StreamExperiment.END_MARK, ServerChild.RECEIVED));
        if (!toServer.isEmpty())
        {
            return toServer;
        }
        return outOfOrder == 0 ? "" : outOfOrder + " items out of order";
    }

    private static String lossReason(final String end, final boolean isExpected, final long sent, final long received)
    {
        if (isExpected && received == 0)
        {
            return "no item arrived at the " + end;
        }
        return sent == received ? "" : received + " of " + sent + " items arrived at the " + end;
    }

    private static double perSecond(final long count, final long elapsedNs)
    {
        return count * 1e9 / Math.max(1, elapsedNs);
    }
}
