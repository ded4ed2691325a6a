/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import io.verbena.rpc.ChannelState;
import io.verbena.rpc.RpcChannel;
import io.verbena.rpc.RpcCounter;
import io.verbena.rpc.RpcException;
import io.verbena.rpc.RpcHarness;
import io.verbena.rpc.StatusCode;

/**
 * One run of the simulation: a client with some channels and a server, calls of all kinds, a network that goes wrong,
 * and then peace, in which everything has to come to its end.
 */
final class Run implements AutoCloseable
{
    private static final String ADDRESS = "sim:server";
    private static final int MAX_CALLS = 40;
    private static final int STEPS = 600;
    private static final int MAX_QUIET_STEPS = 20_000;
    private static final int MAX_ATTEMPTS = 3;

    private final Random random;
    private final RpcHarness rpc;
    private final SimNetwork network;
    private final SimService service;
    private final HostileService hostileService;
    private final HostileClient hostile;
    private final List<RpcChannel> channels = new ArrayList<>();
    private final List<SimCall> open = new ArrayList<>();
    private final Map<Long, SimCall> byKey = new HashMap<>();
    private final List<SimCall> toRetry = new ArrayList<>();
    private final int windowItems;
    private final int windowBytes;
    private final long connectionBytes;
    private final int[] endings = new int[StatusCode.values().length];
    private long nextPlan;
    private int started;
    private boolean isHostileClosed;
    private int paceOfServer = 1;
    private int paceOfClient = 1;

    /**
     * A run to come.
     *
     * @param seed      of all that is random.
     * @param isHostile whether, instead of a network that is cut, there is a client that breaks all rules.
     */
    Run(final long seed, final boolean isHostile)
    {
        random = new Random(seed * 0x9E3779B97F4A7C15L);
        nextPlan = (seed & 0xFFFF_FFFFL) * MAX_CALLS * 2;
        final SimNetwork[] made = new SimNetwork[1];
        rpc = new RpcHarness(() -> made[0].newTransport(), () -> ADDRESS);
        network = new SimNetwork(random, rpc.clock());
        made[0] = network;
        service = new SimService(random, this);
        hostileService = new HostileService(random);
        windowItems = 1 + random.nextInt(20);
        windowBytes = 1 + random.nextInt(20_000);
        connectionBytes = 1 + random.nextInt(40_000);
        final int maxCalls = 4 + random.nextInt(40);
        rpc.launchServer((ctx) -> ctx
            .service(service)
            .service(hostileService)
            .maxCallsInFlight(maxCalls)
            .streamWindowItems(windowItems)
            .streamWindowBytes(windowBytes)
            .connectionWindowBytes(connectionBytes));
        rpc.launchClient((ctx) -> ctx
            .reconnectMinBackoffNs(100_000)
            .reconnectMaxBackoffNs(2_000_000)
            .maxCallsInFlight(1 + random.nextInt(maxCalls))
            .streamWindowItems(windowItems)
            .streamWindowBytes(windowBytes)
            .connectionWindowBytes(connectionBytes));
        channels.add(rpc.channel());
        for (int i = random.nextInt(3); i > 0; i--)
        {
            channels.add(rpc.client().connect(ADDRESS));
        }
        hostile = !isHostile ? null :
            new HostileClient(random, rpc.clock(), network.newHostileTransport(), ADDRESS);
    }

    long nowNs()
    {
        return network.nowNs();
    }


    /** How many calls ended with a status. */
    int endings(final StatusCode code)
    {
        return endings[code.value()];
    }

    /** The next random number: another one if anything went another way. */
    long fingerprint()
    {
        return random.nextLong();
    }

    /** Requests and ends that the hostile client's calls had. */
    long hostileEvents()
    {
        return hostileService.requests() + hostile.ended();
    }

    int started()
    {
        return started;
    }

    CreditWitness witness()
    {
        return network.witness();
    }

    void run()
    {
        for (int i = 0; i < STEPS; i++)
        {
            if (i % 50 == 0)
            {
                paceOfServer = 1 + random.nextInt(8);
                paceOfClient = 1 + random.nextInt(8);
            }
            step();
        }
        network.heal();
        closeHostile();
        paceOfServer = 1;
        paceOfClient = 1;
        settle();
        assertQuiet();
    }

    private void closeHostile()
    {
        if (hostile != null)
        {
            isHostileClosed = true;
            rpc.clock().stepOnReadNs(10_000);
            hostile.close();
            rpc.clock().stepOnReadNs(0);
            assertEquals(0, hostile.open(), "calls of the hostile client that did not end");
            assertEquals(List.of(), hostile.violations());
            assertEquals(0, hostile.callsInFlight());
            hostile.errors().forEach(Run::assertExpected);
        }
    }

    /** What may be told to an error handler where peers are hostile. */
    private static void assertExpected(final Throwable error)
    {
        assertTrue(error instanceof SimService.PlannedFailure || error instanceof RpcException ||
            String.valueOf(error.getMessage()).contains("protocol error"), () -> "told to the error handler: " + error);
    }

    private void step()
    {
        final int dice = random.nextInt(100);
        if (dice < 25)
        {
            startCall();
        }
        else if (dice == 25 && hostile == null)
        {
            network.cut();
        }
        else if (dice < 50)
        {
            workOnCalls();
        }
        rpc.clock().advanceNs(random.nextInt(random.nextInt(20) == 0 ? 2_000_000 : 60_000));
        pump();
    }

    private void pump()
    {
        if (random.nextInt(paceOfServer) == 0)
        {
            rpc.server().doWork();
            service.work();
        }
        if (random.nextInt(paceOfClient) == 0)
        {
            rpc.client().doWork();
        }
        if (hostile != null && !isHostileClosed)
        {
            hostile.work();
        }
    }

    private void startCall()
    {
        final RpcChannel channel = channels.get(random.nextInt(channels.size()));
        if (channel.state() != ChannelState.READY || started >= MAX_CALLS)
        {
            return;
        }
        if (!toRetry.isEmpty() && random.nextBoolean())
        {
            final SimCall before = toRetry.remove(toRetry.size() - 1);
            start(new SimCall(random, this, channel, before.plan, before.attempt + 1));
        }
        else
        {
            start(new SimCall(random, this, channel, new Plan(nextPlan++), 0));
        }
    }

    private void start(final SimCall call)
    {
        byKey.put(call.key, call);
        if (call.start())
        {
            ++started;
            open.add(call);
        }
    }

    private void workOnCalls()
    {
        for (int i = 0; i < open.size(); i++)
        {
            if (random.nextInt(3) == 0)
            {
                open.get(i).work();
            }
        }
        open.removeIf((call) -> call.ended() != null);
    }

    private void settle()
    {
        for (int i = 0; i < MAX_QUIET_STEPS; i++)
        {
            workOnCalls();
            for (final SimCall call : new ArrayList<>(open))
            {
                if (call.plan.ending == Plan.Ending.NEVER && call.ended() == null && i > 500)
                {
                    call.cancel();
                }
            }
            rpc.clock().advanceNs(20_000);
            pump();
            if (open.isEmpty() && service.open() == 0 && rpc.callsAtServer() == 0 &&
                channels.stream().allMatch((channel) -> channel.state() == ChannelState.READY))
            {
                return;
            }
        }
        fail("after all was quiet for long, still open: " + open + "; at the server " + rpc.callsAtServer() +
            ", streams and such " + service.open() + ", channels " +
            channels.stream().map(RpcChannel::state).toList());
    }

    private void assertQuiet()
    {
        for (int i = 0; i < 200; i++)
        {
            rpc.clock().advanceNs(50_000);
            pump();
        }
        channels.forEach((channel) -> assertEquals(0, channel.callsInFlight(), "calls in flight"));
        rpc.assertNothingHeld();
        assertTrue(rpc.clientErrors().isEmpty(), () -> "client errors " + rpc.clientErrors());
        for (final Throwable error : rpc.serverErrors())
        {
            if (hostile == null)
            {
                assertTrue(error instanceof SimService.PlannedFailure, () -> "server errors " + rpc.serverErrors());
            }
            assertExpected(error);
        }
        for (final RpcCounter gauge : new RpcCounter[]{
            RpcCounter.CALLS_IN_FLIGHT, RpcCounter.STREAMS_OPEN, RpcCounter.BYTES_QUEUED})
        {
            assertEquals(0, rpc.client().counters().get(gauge), () -> "at the client " + gauge);
            assertEquals(0, rpc.server().counters().get(gauge), () -> "at the server " + gauge);
        }
        assertEquals(channels.size(), rpc.client().counters().get(RpcCounter.CONNECTIONS_OPEN));
        assertEquals(channels.size(), rpc.server().counters().get(RpcCounter.CONNECTIONS_OPEN));
        network.assertNoCreditLost();
        assertEquals(List.of(), hostileService.violations());
        assertEquals(0, hostileService.open(), "calls of the hostile client at the server");
    }

    /** Whether a call's end at the client is one that its history allows. */
    void checkClientEnd(final SimCall call, final StatusCode code, final String text)
    {
        final ServerSide side = service.side(call.key);
        final StatusCode outcome = side == null ? null : side.outcome;
        final boolean isAllowed = switch (code)
        {
            case OK -> outcome == StatusCode.OK || call.plan.kind().isClientStreaming() && call.plan.clientItems == 0;
            case DEADLINE_EXCEEDED -> isPast(call);
            case CANCELLED -> call.isCancelled();
            case UNAVAILABLE -> network.lastNoticeNs() >= call.startNs;
            default -> outcome == code;
        };
        assertTrue(isAllowed, () -> "ended as " + code + " (" + text + "), which nothing explains: " + call + "; " +
            side);
        endings[code.value()]++;
        if (code == StatusCode.UNAVAILABLE && call.attempt + 1 < MAX_ATTEMPTS)
        {
            toRetry.add(call);
        }
    }

    /** Whether a call's end at the server is one that its history allows. */
    void checkServerEnd(final ServerSide side, final StatusCode status)
    {
        final SimCall call = byKey.get(side.key);
        final boolean isAllowed = switch (status)
        {
            case OK -> side.outcome == StatusCode.OK;
            case DEADLINE_EXCEEDED -> call == null || isPast(call);
            case CANCELLED -> call == null || call.isCancelled() || isPast(call);
            case UNAVAILABLE -> network.cuts() > 0;
            default -> side.outcome == status;
        };
        assertTrue(isAllowed, () -> "ended at the server as " + status + ", which nothing explains: " + call + "; " +
            side);
    }

    private boolean isPast(final SimCall call)
    {
        return call.plan.timeoutNs != RpcChannel.NO_TIMEOUT && nowNs() - call.startNs >= call.plan.timeoutNs;
    }

    @Override
    public void close()
    {
        rpc.close();
    }

    @Override
    public String toString()
    {
        return "windows " + windowItems + " items, " + windowBytes + " and " + connectionBytes + " bytes, " +
            channels.size() + " channels, " + started + " calls, " + network.cuts() + " cuts";
    }
}
