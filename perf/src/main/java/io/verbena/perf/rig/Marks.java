/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf.rig;

import io.vertx.core.json.JsonObject;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * What the coordinator saw of the server and of the machine at each mark of a run.
 */
final class Marks
{
    private final Map<String, JsonObject> server = new HashMap<>();
    private final Set<Long> own;
    private CpuUsage cpuBefore;
    private OthersUsage others;

    /**
     * None yet.
     *
     * @param own processes that are part of the measurement.
     */
    Marks(final Set<Long> own)
    {
        this.own = own;
    }

    /**
     * Takes one: has the server do what is wanted, and keeps what it reports. The machine's CPU is looked at last
     * before the window and first after it.
     *
     * @param message of the client.
     * @param child   the server.
     * @throws RunFailedException when the server is gone.
     */
    void take(final JsonObject message, final ChildProcess child) throws RunFailedException
    {
        final String name = message.getString(ClientControl.NAME);
        if (ClientControl.WINDOW_END.equals(name))
        {
            others = CpuUsage.look().since(cpuBefore, own);
        }
        final String action = message.getString(ClientControl.ACTION);
        final String command = action == null ? ServerChild.MARK : action;
        child.send(command);
        put(name, child.await(command).mergeIn(message.getJsonObject(ClientControl.COUNTERS)));
        if (ClientControl.WINDOW_START.equals(name))
        {
            cpuBefore = CpuUsage.look();
        }
    }

    void put(final String name, final JsonObject report)
    {
        server.put(name, report);
    }

    /**
     * What the server reported.
     *
     * @param name of the mark.
     * @param key  of the figure.
     * @return the figure, 0 where there is none.
     */
    long server(final String name, final String key)
    {
        final JsonObject message = server.get(name);
        return message == null ? 0 : message.getLong(key, 0L);
    }

    /**
     * By how much a figure of the server grew between two marks.
     *
     * @param from name of the earlier mark.
     * @param to   name of the later one.
     * @param key  of the figure.
     * @return the difference.
     */
    long growth(final String from, final String to, final String key)
    {
        return server(to, key) - server(from, key);
    }

    /**
     * By how much a figure of the server grew over the window.
     *
     * @param key of the figure.
     * @return the difference.
     */
    long windowGrowth(final String key)
    {
        return growth(ClientControl.WINDOW_START, ClientControl.WINDOW_END, key);
    }

    /**
     * What others did over the window.
     *
     * @return their use of the CPU, or null where it is not known.
     */
    OthersUsage others()
    {
        return CpuUsage.isKnown() ? others : null;
    }
}
