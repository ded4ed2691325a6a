/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc.transport;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;

import com.sun.management.ThreadMXBean;
import io.verbena.rpc.test.InterruptAfter;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The contract of {@link Transport} and {@link Connection}, which each transport runs: subclass it, say how to make a
 * transport and an address. {@link ContractPeer} checks the rules about callbacks in every test.
 */
public abstract class TransportContractTest extends TransportLifecycleContract
{
    private static final int ENOUGH_TO_FILL = 64 * 1024 * 1024;
    private static final int MAX_ROUNDS = 4;
    private static final int VERY_LONG = 17 * 1024 * 1024;

    /**
     * How many echoes show that nothing is allocated.
     *
     * @return 100,000, or fewer where an echo takes long.
     */
    protected int steadyStateMessages()
    {
        return 100_000;
    }

    @Test
    @InterruptAfter(60)
    void shouldKeepOrderAndBoundariesWhenSizesVary()
    {
        final Connection connection = connect();
        final Random random = new Random(20261201);
        final int[] lengths = random.ints(2_000, 1, connection.maxMessageLength() + 1).toArray();
        for (int i = 0; i < lengths.length; i++)
        {
            lengths[i] = i % 3 == 0 ? lengths[i] : 1 + lengths[i] % 200;
            offer(connection, pattern(i, 1, lengths[i]));
        }
        pumpUntil(() -> server.messageCount() == lengths.length);
        final List<byte[]> messages = server.record(server.only()).messages();
        for (int i = 0; i < lengths.length; i++)
        {
            assertArrayEquals(pattern(i, 1, lengths[i]), messages.get(i), "message " + i);
        }
    }

    @Test
    @InterruptAfter(30)
    void shouldCarryEveryLengthWhenAtTheLimits()
    {
        final Connection connection = connect();
        final Connection inbound = server.only();
        final int maxClaim = connection.maxClaimLength();
        final int maxMessage = connection.maxMessageLength();
        final List<byte[]> sent = new ArrayList<>();
        for (final int length : new int[]{1, 7, 8, 9, 255, 256, 257, maxClaim - 1, maxClaim})
        {
            sent.add(pattern(length, 1, length));
            claim(connection, pattern(length, 1, length));
            claim(inbound, pattern(length, 1, length));
        }
        for (final int length : new int[]{1, 7, 8, maxClaim - 1, maxClaim, Math.min(maxClaim + 1, maxMessage),
            maxMessage - 1, maxMessage})
        {
            sent.add(pattern(length, 2, length));
            offer(connection, pattern(length, 2, length));
            offer(inbound, pattern(length, 2, length));
        }
        pumpUntil(() -> server.messageCount() == sent.size() && client.messageCount() == sent.size());
        for (int i = 0; i < sent.size(); i++)
        {
            assertArrayEquals(sent.get(i), server.record(inbound).messages().get(i));
            assertArrayEquals(sent.get(i), client.record(connection).messages().get(i));
        }
    }

    @Test
    @InterruptAfter(30)
    void shouldRefuseLengthsAndGoOnWhenOutOfRange()
    {
        final Connection connection = connect();
        final MessageClaim claim = new MessageClaim();
        final int maxMessage = connection.maxMessageLength();
        final UnsafeBuffer large = new UnsafeBuffer(new byte[VERY_LONG]);
        for (final int length : new int[]{-1, 0, connection.maxClaimLength() + 1, Integer.MAX_VALUE})
        {
            final IllegalArgumentException e =
                assertThrows(IllegalArgumentException.class, () -> connection.tryClaim(length, claim));
            assertTrue(e.getMessage().contains(String.valueOf(length)), e::getMessage);
            assertTrue(e.getMessage().contains(String.valueOf(connection.maxClaimLength())), e::getMessage);
            assertFalse(claim.isOpen());
        }
        for (final int length : new int[]{-1, 0, maxMessage + 1, VERY_LONG})
        {
            final IllegalArgumentException e =
                assertThrows(IllegalArgumentException.class, () -> connection.offer(large, 0, length));
            assertTrue(e.getMessage().contains(String.valueOf(length)), e::getMessage);
            assertTrue(e.getMessage().contains(String.valueOf(maxMessage)), e::getMessage);
        }
        offer(connection, pattern(1, 1, 10));
        pumpUntil(() -> server.messageCount() == 1);
        assertArrayEquals(pattern(1, 1, 10), server.record(server.only()).messages().get(0));
    }

    @Test
    @InterruptAfter(30)
    void shouldThrowWhenSendingWhileAClaimIsOpen()
    {
        final Connection connection = connect();
        final MessageClaim claim = new MessageClaim();
        assertTrue(connection.tryClaim(24, claim) > 0);
        assertThrows(IllegalStateException.class, () -> connection.tryClaim(24, new MessageClaim()));
        assertThrows(IllegalStateException.class, () -> server.only().tryClaim(24, claim), "open on another one");
        assertThrows(IllegalStateException.class, () -> connection.offer(new UnsafeBuffer(new byte[8]), 0, 8));
        claim.buffer().putBytes(claim.offset(), pattern(1, 1, 24));
        claim.commit();
        assertThrows(IllegalStateException.class, claim::commit);
        claim(connection, pattern(2, 1, 24));
        pumpUntil(() -> server.messageCount() == 2);
        assertArrayEquals(pattern(1, 1, 24), server.record(server.only()).messages().get(0));
    }

    @Test
    @InterruptAfter(30)
    void shouldDeliverNothingOfAMessageWhenItsClaimIsAborted()
    {
        final Connection connection = connect();
        final MessageClaim claim = new MessageClaim();
        claim(connection, pattern(0, 1, 30));
        for (int i = 0; i < 100; i++)
        {
            final int length = 1 + i;
            pumpUntil(() -> connection.tryClaim(length, claim) > 0);
            claim.buffer().putBytes(claim.offset(), pattern(9, 9, length));
            claim.abort();
            claim.abort();
        }
        claim(connection, pattern(1, 1, 30));
        pumpUntil(() -> server.messageCount() == 2);
        assertArrayEquals(pattern(0, 1, 30), server.record(server.only()).messages().get(0));
        assertArrayEquals(pattern(1, 1, 30), server.record(server.only()).messages().get(1));
    }

    @Test
    @InterruptAfter(30)
    void shouldAbortTheClaimWhenTheConnectionCloses()
    {
        final Connection connection = connect();
        final MessageClaim claim = new MessageClaim();
        claim(connection, pattern(0, 1, 30));
        assertTrue(connection.tryClaim(40, claim) > 0);
        connection.close();
        assertFalse(claim.isOpen());
        assertThrows(IllegalStateException.class, claim::commit);
        final ContractPeer.Record inbound = server.records().get(0);
        pumpUntil(() -> inbound.cause() != null);
        assertEquals(1, inbound.messages().size());
        assertEquals(DisconnectCause.CLOSED_BY_PEER, inbound.cause());
    }

    @Test
    @InterruptAfter(30)
    void shouldStopAnEncoderWhenItWritesPastItsClaim()
    {
        final Connection connection = connect();
        final MessageClaim claim = new MessageClaim();
        for (final int length : new int[]{1, 8, 13, 100})
        {
            pumpUntil(() -> connection.tryClaim(length, claim) > 0);
            claim.buffer().putByte(claim.offset() + length - 1, (byte)1);
            assertThrows(
                IndexOutOfBoundsException.class, () -> claim.buffer().putByte(claim.offset() + length, (byte)1));
            claim.abort();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {64, 1000})
    @InterruptAfter(60)
    void shouldReportBackPressureAndLoseNothingWhenThePeerDoesNotPoll(final int length)
    {
        final Connection connection = connect();
        int accepted = 0;
        int refusals = 0;
        while (refusals < 100)
        {
            final byte[] message = pattern(accepted, 6, length);
            if ((accepted & 1) == 0 ? tryOffer(connection, message) : tryClaim(connection, message))
            {
                ++accepted;
                assertTrue((long)accepted * length < ENOUGH_TO_FILL, "never back-pressured");
            }
            else
            {
                ++refusals;
                client.poll();
            }
        }
        final int total = accepted + 10;
        pumpUntil(() -> server.messageCount() > 0);
        while (accepted < total)
        {
            offer(connection, pattern(accepted++, 6, length));
        }
        pumpUntil(() -> server.messageCount() == total);
        final List<byte[]> messages = server.record(server.only()).messages();
        for (int i = 0; i < total; i++)
        {
            assertArrayEquals(pattern(i, 6, length), messages.get(i), "message " + i);
        }
    }

    @Test
    @InterruptAfter(30)
    void shouldDeliverNoMoreThanTheLimitWhenMoreWaits()
    {
        final Connection connection = connect();
        for (int i = 0; i < 10; i++)
        {
            offer(connection, pattern(i, 1, 20));
        }
        int polls = 0;
        while (server.messageCount() < 10)
        {
            client.poll();
            final int before = server.messageCount();
            server.poll(3);
            polls += server.messageCount() > before ? 1 : 0;
            failIfInterrupted();
        }
        assertTrue(polls >= 4, "10 messages at 3 a poll take 4 polls");
        offer(connection, pattern(11, 1, 20));
        offer(connection, pattern(12, 1, 20));
        while (server.messageCount() < 12)
        {
            client.poll(1);
            server.poll(1);
            failIfInterrupted();
        }
    }

    @Test
    @InterruptAfter(30)
    void shouldJoinLongMessagesWhenTheirPartsComeInManyPollsOfTwoConnections()
    {
        final int each = 10;
        final List<Connection> ends = List.of(connect(), connect());
        final int length = ends.get(0).maxMessageLength();
        final int[] sent = new int[2];
        while (server.messageCount() < 2 * each)
        {
            for (int i = 0; i < 2; i++)
            {
                if (sent[i] < each && tryOffer(ends.get(i), pattern(sent[i], i, length)))
                {
                    ++sent[i];
                }
            }
            client.poll();
            server.poll(1);
            failIfInterrupted();
        }
        for (int i = 0; i < 2; i++)
        {
            final List<byte[]> messages = server.records().get(i).messages();
            assertEquals(each, messages.size());
            for (int j = 0; j < each; j++)
            {
                assertArrayEquals(pattern(j, i, length), messages.get(j));
            }
        }
    }

    @Test
    @InterruptAfter(60)
    void shouldCarryBothWaysAtOnceWhenSizesAndWaysOfSendingAreRandom()
    {
        final long seed = 42;
        final Connection[] ends = {connect(), null};
        ends[1] = server.only();
        final Random random = new Random(seed);
        final List<List<byte[]>> sent = List.of(new ArrayList<>(), new ArrayList<>());
        final int count = 3_000;
        while (sent.get(0).size() < count || sent.get(1).size() < count)
        {
            final int way = sent.get(0).size() == count ? 1 : sent.get(1).size() == count ? 0 : random.nextInt(2);
            final boolean claims = random.nextBoolean();
            final int limit = claims ? ends[way].maxClaimLength() : ends[way].maxMessageLength();
            final byte[] message =
                pattern(sent.get(way).size(), way, 1 + random.nextInt(random.nextInt(8) == 0 ? limit : 64));
            if (claims ? tryClaim(ends[way], message) : tryOffer(ends[way], message))
            {
                sent.get(way).add(message);
            }
            else
            {
                pump();
            }
        }
        pumpUntil(() -> server.messageCount() == count && client.messageCount() == count);
        for (int i = 0; i < count; i++)
        {
            assertArrayEquals(sent.get(0).get(i), server.record(ends[1]).messages().get(i), "seed " + seed);
            assertArrayEquals(sent.get(1).get(i), client.record(ends[0]).messages().get(i), "seed " + seed);
        }
    }

    @Test
    @InterruptAfter(30)
    void shouldAnswerWhenSendingInsideOnMessage()
    {
        final Connection connection = connect();
        server.onMessage((inbound, buffer, offset, length) -> assertTrue(inbound.offer(buffer, offset, length) > 0));
        for (int i = 0; i < 200; i++)
        {
            final int expected = i + 1;
            offer(connection, pattern(i, 8, 1 + i));
            pumpUntil(() -> client.messageCount() == expected);
            assertArrayEquals(pattern(i, 8, 1 + i), client.record(connection).messages().get(i));
        }
    }

    @Test
    @InterruptAfter(30)
    void shouldPassTheExceptionOnAndDeliverTheNextMessageWhenAListenerThrows()
    {
        final Connection connection = connect();
        final RuntimeException thrown = new RuntimeException("by the listener");
        server.onMessage((inbound, buffer, offset, length) ->
        {
            if (server.messageCount() == 1)
            {
                throw thrown;
            }
        });
        offer(connection, pattern(0, 1, 16));
        assertEquals(thrown, assertThrows(RuntimeException.class, () -> pumpUntil(() -> false)));
        offer(connection, pattern(1, 1, 16));
        pumpUntil(() -> server.messageCount() == 2);
        assertArrayEquals(pattern(1, 1, 16), server.record(server.only()).messages().get(1));
    }

    @Test
    @InterruptAfter(60)
    void shouldCarryWhenEachEndHasItsOwnThread() throws InterruptedException
    {
        final Connection connection = connect();
        server.onMessage((inbound, buffer, offset, length) ->
        {
            while (inbound.offer(buffer, offset, length) < 0 && !Thread.currentThread().isInterrupted())
            {
                Thread.onSpinWait();
            }
        });
        final CountDownLatch done = new CountDownLatch(1);
        whileServerPolls(() ->
        {
            for (int i = 0; i < 2_000; i++)
            {
                final int expected = i + 1;
                final byte[] message = pattern(i, 3, 1 + i % 300);
                pollUntil(client, () -> tryOffer(connection, message));
                pollUntil(client, () -> client.messageCount() == expected);
                assertArrayEquals(message, client.record(connection).messages().get(i));
            }
            done.countDown();
        });
        assertEquals(0, done.getCount());
    }

    @Test
    @InterruptAfter(120)
    void shouldAllocateNothingWhenInSteadyState()
    {
        final Connection connection = connect();
        final Connection inbound = server.only();
        final EchoPair pair = new EchoPair(server.transport(), client.transport(), connection);
        final int count = steadyStateMessages();
        pair.run(count / 2);
        final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
        long allocated = Long.MAX_VALUE;
        // What is not compiled yet may allocate what compiled code does not; on a busy machine that takes some rounds.
        for (int round = 0; round < MAX_ROUNDS && allocated >= count / 100; round++)
        {
            final long before = threads.getCurrentThreadAllocatedBytes();
            pair.run(count);
            allocated = threads.getCurrentThreadAllocatedBytes() - before;
        }
        assertEquals(ConnectionState.CONNECTED, inbound.state());
        assertTrue(allocated < count / 100, allocated + " bytes for " + count + " echoes");
    }

    /**
     * An echo over both ends that itself allocates nothing: the request by a claim, the answer by an offer.
     */
    private static final class EchoPair implements TransportListener
    {
        private final Transport server;
        private final Transport client;
        private final Connection connection;
        private final MessageClaim claim = new MessageClaim();
        private final UnsafeBuffer unanswered = new UnsafeBuffer(new byte[32]);
        private Connection unansweredFrom;
        private long answers;

        EchoPair(final Transport server, final Transport client, final Connection connection)
        {
            this.server = server;
            this.client = client;
            this.connection = connection;
        }

        void run(final int count)
        {
            final long target = answers + count;
            while (answers < target)
            {
                final long expected = answers + 1;
                while (connection.tryClaim(32, claim) < 0)
                {
                    poll();
                }
                claim.buffer().putLong(claim.offset(), expected);
                claim.commit();
                while (answers < expected)
                {
                    poll();
                }
            }
        }

        private void poll()
        {
            if (client.poll(this, 16) + server.poll(this, 16) == 0)
            {
                // Other threads may have to work for this one.
                Thread.yield();
            }
            if (unansweredFrom != null && unansweredFrom.offer(unanswered, 0, unanswered.capacity()) > 0)
            {
                unansweredFrom = null;
            }
            if (Thread.currentThread().isInterrupted())
            {
                throw new IllegalStateException("interrupted after " + answers);
            }
        }

        @Override
        public void onMessage(final Connection from, final DirectBuffer buffer, final int offset, final int length)
        {
            if (!from.isInbound())
            {
                ++answers;
            }
            else if (from.offer(buffer, offset, length) < 0)
            {
                // A driver elsewhere may be slow to say that there is room again.
                unanswered.putBytes(0, buffer, offset, length);
                unansweredFrom = from;
            }
        }

        @Override
        public void onConnected(final Connection opened)
        {
            throw new IllegalStateException("connected already");
        }

        @Override
        public void onDisconnected(final Connection ended, final DisconnectCause cause)
        {
            throw new IllegalStateException("ended with " + cause);
        }
    }
}
