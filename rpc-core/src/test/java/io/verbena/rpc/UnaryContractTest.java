/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import static io.verbena.rpc.RpcHarness.ECHO_METHOD_ID;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.rpc.test.InterruptAfter;
import io.verbena.rpc.test.RecordingHandler;
import io.verbena.rpc.transport.Connection;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.agrona.DirectBuffer;
import org.agrona.collections.MutableInteger;
import org.junit.jupiter.api.Test;

/**
 * What holds of unary calls over each transport: subclass it, say how to make a transport and an address. All parts of
 * the contract are inherited; this one lets everything happen at random.
 */
public abstract class UnaryContractTest extends UnaryFailuresContract
{
    private static final int STEPS = 300;

    /** Of the calls in one random run. */
    private final Map<Long, byte[]> echoes = new HashMap<>();
    private final List<Long> made = new ArrayList<>();
    private final List<CompletableFuture<DirectBuffer>> futures = new ArrayList<>();
    private final MutableInteger aborted = new MutableInteger();

    /**
     * For subclasses.
     */
    protected UnaryContractTest()
    {
    }

    /**
     * How many seeds the random test runs.
     *
     * @return a number that takes a few seconds.
     */
    protected int randomSeeds()
    {
        return 20;
    }

    @Test
    @InterruptAfter(120)
    void shouldEndEachCallOnceWhenEverythingHappensAtRandom()
    {
        rpc.start();
        for (long seed = 1; seed <= randomSeeds(); seed++)
        {
            try
            {
                runAtRandom(new Random(seed));
            }
            catch (final Throwable failure)
            {
                throw new AssertionError(
                    "seed " + seed + ": made " + made.size() + ", server errors " + rpc.serverErrors() +
                    ", client errors " + rpc.clientErrors(), failure);
            }
        }
    }

    private void runAtRandom(final Random random)
    {
        echoes.clear();
        made.clear();
        futures.clear();
        kept.clear();
        scriptAtRandom(random);
        final RecordingHandler handler = new RecordingHandler();
        for (int step = 0; step < STEPS; step++)
        {
            switch (random.nextInt(12))
            {
                case 0, 1, 2 -> offerAtRandom(random, handler);
                case 3 -> claimAtRandom(random, handler);
                case 4 -> futures.add(rpc.channel().call(
                    SERVICE_ID, 1 + random.nextInt(4), buffer(new byte[64]), 0, random.nextInt(64),
                    timeoutAtRandom(random)));
                case 5 -> cancelAtRandom(random);
                case 6 -> rpc.clock().advanceNs(random.nextLong(3 * MS));
                case 7 -> answerAtRandom(random);
                case 8 -> loseConnectionSometimes(random);
                default ->
                {
                    for (int i = random.nextInt(8); i > 0; i--)
                    {
                        rpc.pump();
                    }
                }
            }
        }
        endAll(handler);
    }

    private void endAll(final RecordingHandler handler)
    {
        rpc.until(() ->
        {
            kept.forEach(call -> call.fail(StatusCode.ABORTED, "at the end"));
            kept.clear();
            rpc.clock().advanceMs(1);
            return rpc.channel().callsInFlight() == 0 && rpc.channel().callsWaiting() == 0 &&
                rpc.server().callsInFlight() == 0 && rpc.channel().state() == ChannelState.READY &&
                rpc.client().outstandingBuffers() == 0 && rpc.server().outstandingBuffers() == 0;
        });
        rpc.settle();
        assertEquals(made.size(), handler.count());
        final Map<Long, RecordingHandler.Outcome> outcomes = new HashMap<>();
        for (final RecordingHandler.Outcome outcome : handler.outcomes())
        {
            assertEquals(null, outcomes.put(outcome.correlationId(), outcome), () -> "twice: " + outcome);
            if (outcome.code() == StatusCode.OK && outcome.methodId() == ECHO_METHOD_ID)
            {
                assertArrayEquals(echoes.get(outcome.correlationId()), outcome.payload());
            }
        }
        made.forEach(id -> assertTrue(outcomes.containsKey(id), () -> "never ended: " + id));
        futures.forEach(future -> assertTrue(future.isDone()));
        assertEquals(List.of(), rpc.clientErrors());
        assertEquals(aborted.get(), rpc.serverErrors().size());
        rpc.serverErrors().clear();
        aborted.set(0);
        rpc.assertNothingHeld();
    }

    private void scriptAtRandom(final Random random)
    {
        rpc.service()
            .on(2, keep)
            .on(3, (call, buffer, offset, length) ->
            {
                switch (random.nextInt(4))
                {
                    case 0 -> call.fail(StatusCode.ABORTED, "failed");
                    case 1 -> throw new RpcException(StatusCode.DATA_LOSS, "thrown", buffer(new byte[5_000]));
                    case 2 ->
                    {
                        aborted.increment();
                        throw new IllegalStateException("thrown");
                    }
                    default ->
                    {
                        aborted.increment();
                        call.claim(100);
                    }
                }
            })
            .on(4, (call, buffer, offset, length) -> answer(call, new byte[lengthAtRandom(random)]));
    }

    private void offerAtRandom(final Random random, final RecordingHandler handler)
    {
        final byte[] payload = bytes(lengthAtRandom(random), random.nextLong());
        note(payload, rpc.channel().offer(
            SERVICE_ID, 1 + random.nextInt(4), buffer(payload), 0, payload.length, timeoutAtRandom(random), handler));
    }

    private void claimAtRandom(final Random random, final RecordingHandler handler)
    {
        final byte[] payload = bytes(lengthAtRandom(random), random.nextLong());
        final long id = rpc.channel().claim(
            SERVICE_ID, 1 + random.nextInt(4), payload.length, timeoutAtRandom(random), handler);
        if (id > 0)
        {
            if (random.nextInt(8) == 0)
            {
                rpc.channel().abort();
                return;
            }
            if (random.nextInt(8) == 0)
            {
                cancelAtRandom(random);
            }
            rpc.channel().buffer().putBytes(rpc.channel().offset(), payload);
            rpc.channel().commit(payload.length);
        }
        note(payload, id);
    }

    private void note(final byte[] payload, final long result)
    {
        if (result > 0)
        {
            made.add(result);
            echoes.put(result, payload);
        }
        else
        {
            assertTrue(
                result == Connection.BACK_PRESSURED || result == Connection.NOT_CONNECTED ||
                result == Connection.ADMIN_ACTION || result == Connection.CLOSED, () -> "result " + result);
        }
    }

    private void cancelAtRandom(final Random random)
    {
        if (!made.isEmpty())
        {
            rpc.channel().cancel(made.get(random.nextInt(made.size())));
        }
        if (!futures.isEmpty())
        {
            futures.get(random.nextInt(futures.size())).cancel(true);
        }
    }

    private void answerAtRandom(final Random random)
    {
        if (!kept.isEmpty())
        {
            answer(kept.remove(random.nextInt(kept.size())), new byte[lengthAtRandom(random)]);
        }
    }

    private void loseConnectionSometimes(final Random random)
    {
        final Link link = rpc.channel().connector().link();
        if (random.nextInt(10) == 0 && link != null)
        {
            link.connection().close();
            rpc.until(() -> rpc.channel().state() != ChannelState.READY);
            rpc.clock().advanceMs(50);
        }
    }

    private static int lengthAtRandom(final Random random)
    {
        return switch (random.nextInt(10))
        {
            case 0 -> random.nextInt(300_000);
            case 1, 2 -> random.nextInt(20_000);
            default -> random.nextInt(200);
        };
    }

    private static long timeoutAtRandom(final Random random)
    {
        return random.nextInt(3) == 0 ? RpcChannel.NO_TIMEOUT : 1 + random.nextLong(10 * MS);
    }
}
