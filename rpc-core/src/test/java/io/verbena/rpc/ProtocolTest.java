/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import static io.verbena.rpc.RpcHarness.ECHO_METHOD_ID;
import static io.verbena.rpc.RpcHarness.SERVICE_ID;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.rpc.protocol.CreditPayload;
import io.verbena.rpc.protocol.ErrorPayload;
import io.verbena.rpc.protocol.FrameFlags;
import io.verbena.rpc.protocol.FrameHeader;
import io.verbena.rpc.protocol.FrameType;
import io.verbena.rpc.protocol.HelloPayload;
import io.verbena.rpc.protocol.MetadataBlock;
import io.verbena.rpc.test.InterruptAfter;
import io.verbena.rpc.test.RawPeer;
import io.verbena.rpc.test.RecordingHandler;
import io.verbena.rpc.transport.Connection;
import io.verbena.rpc.transport.LoopbackTransport;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Frames made by hand, well formed and not, at a live server and a live client: whatever comes, only its connection
 * ends.
 */
class ProtocolTest
{
    private static final AtomicInteger NAMES = new AtomicInteger();
    private static final long NONE = Long.MAX_VALUE;

    private final String address = "loopback:protocol-" + NAMES.incrementAndGet();
    private final RpcHarness rpc = new RpcHarness(LoopbackTransport::new, () -> address);


    @AfterEach
    void closeAll()
    {
        rpc.close();
    }

    @Test
    @InterruptAfter(20)
    void shouldAnswerHelloWithLimitsAndServices()
    {
        rpc.launchServer(context -> context.maxCallsInFlight(77).maxMessageLength(123_456));
        final RawPeer raw = rpc.rawClient(9);
        final RawPeer.Frame ack = raw.last(FrameType.HELLO_ACK);
        final UnsafeBuffer payload = new UnsafeBuffer(ack.payload());
        assertTrue(HelloPayload.isWellFormed(payload, 0, payload.capacity()));
        assertEquals(9, HelloPayload.incarnation(payload, 0));
        assertEquals(9L << 48, ack.correlationId());
        assertEquals(77, HelloPayload.maxCallsInFlight(payload, 0));
        assertEquals(123_456, HelloPayload.maxMessageLength(payload, 0));
        assertEquals(1, HelloPayload.serviceCount(payload, 0));
        assertEquals(SERVICE_ID, HelloPayload.serviceId(payload, 0, 0));
    }

    @Test
    @InterruptAfter(60)
    void shouldEndOnlyThatConnectionWhenClientBreaksTheProtocol()
    {
        final byte[] hello = RawPeer.helloPayload(3, 64, 1 << 20);
        final long id = RawPeer.id(3, 0, 0);
        final List<Consumer<RawPeer>> breaks = List.of(
            raw -> raw.hello(3),
            raw -> raw.hello(4),
            raw -> raw.request(SERVICE_ID, 1, RawPeer.id(4, 0, 0), NONE, new byte[8]),
            raw -> raw.request(SERVICE_ID, 1, RawPeer.id(0, 0, 0), NONE, new byte[8]),
            raw -> raw.request(SERVICE_ID, 1, -1, NONE, new byte[8]),
            raw -> raw.request(SERVICE_ID, 1, RawPeer.id(3, 0, 1024), NONE, new byte[8]),
            raw -> raw.request(SERVICE_ID, 1, RawPeer.id(3, 0, 0xFFFF), NONE, new byte[8]),
            raw -> raw.send(FrameType.RESPONSE, SERVICE_ID, 1, id, 0, new byte[8]),
            raw -> raw.send(FrameType.ERROR, SERVICE_ID, 1, id, 0, new byte[8]),
            raw -> raw.send(FrameType.HELLO_ACK, 0, 0, id, 0, hello),
            raw -> raw.send(FrameType.GO_AWAY, 0, 0, 0, 0, new byte[0]),
            raw -> raw.send(FrameType.CREDIT, SERVICE_ID, 1, id, 0, new byte[8]),
            raw -> raw.send(FrameType.CREDIT, 0, 0, 3L << 48, 0, new byte[16]),
            raw -> raw.send(FrameType.CREDIT, 0, 0, 3L << 48, 0, credit(0, -1)),
            raw -> raw.send(FrameType.CREDIT, 0, 0, 3L << 48, 0, credit(1, 1)),
            raw -> raw.send(0, SERVICE_ID, 1, id, 0, new byte[8]),
            raw -> raw.send(13, SERVICE_ID, 1, id, 0, new byte[8]),
            raw -> raw.send(255, SERVICE_ID, 1, id, 0, new byte[8]),
            raw -> raw.send(FrameType.CANCEL, FrameFlags.WHOLE | FrameFlags.COMPRESSED, SERVICE_ID, 1, id, NONE, 0,
                new byte[8]),
            raw -> raw.send(FrameType.PING, FrameFlags.WHOLE | FrameFlags.CHECKSUM, SERVICE_ID, 1, id, NONE, 0,
                new byte[8]),
            raw -> raw.sendBytes(new byte[1]),
            raw -> raw.sendBytes(new byte[31]),
            raw -> raw.sendBytes(new byte[32]),
            raw -> raw.sendBytes(request(buffer -> buffer.putByte(0, (byte)2))),
            raw -> raw.sendBytes(request(buffer -> buffer.putInt(28, -1, ByteOrder.LITTLE_ENDIAN))),
            raw -> raw.sendBytes(request(buffer -> buffer.putInt(28, 9, ByteOrder.LITTLE_ENDIAN))),
            raw -> raw.sendBytes(request(buffer -> buffer.putInt(28, 0x7FFFFFFF, ByteOrder.LITTLE_ENDIAN))),
            raw -> raw.sendBytes(request(buffer -> buffer.putInt(28, 0x80000000, ByteOrder.LITTLE_ENDIAN))),
            raw -> raw.sendBytes(request(buffer -> buffer.putShort(26, (short)1, ByteOrder.LITTLE_ENDIAN))),
            raw -> raw.sendBytes(request(buffer -> buffer.putShort(26, (short)-1, ByteOrder.LITTLE_ENDIAN))));
        rpc.launchServer(context -> {}).launchClient(context -> {}).awaitReady();
        for (int i = 0; i < breaks.size(); i++)
        {
            final String which = "break " + i;
            final RawPeer raw = rpc.rawClient(3);
            breaks.get(i).accept(raw);
            rpc.until(() -> raw.cause() != null);
            assertEquals(1, rpc.serverErrors().size(), which);
            assertTrue(rpc.serverErrors().get(0).getMessage().contains("protocol error"), which);
            rpc.serverErrors().clear();
            assertEquals(0, rpc.service().requestCount(), which);
        }
        assertEquals(StatusCode.OK, rpc.call(ECHO_METHOD_ID, new byte[8]).code());
        rpc.assertClean();
    }

    private static byte[] credit(final long items, final long bytes)
    {
        final byte[] payload = new byte[CreditPayload.LENGTH];
        CreditPayload.encode(new UnsafeBuffer(payload), 0, items, bytes);
        return payload;
    }

    private static byte[] request(final Consumer<UnsafeBuffer> spoil)
    {
        final byte[] frame = new byte[FrameHeader.LENGTH + 8];
        final UnsafeBuffer buffer = new UnsafeBuffer(frame);
        FrameHeader.encode(
            buffer, 0, FrameType.REQUEST, FrameFlags.WHOLE, SERVICE_ID, 1, RawPeer.id(3, 0, 0), NONE, 0, 0, 8);
        spoil.accept(buffer);
        return frame;
    }

    @Test
    @InterruptAfter(20)
    void shouldEndConnectionWhenHandshakeIsNotInOrder()
    {
        rpc.launchServer(context -> {});
        final byte[] wrongCount = RawPeer.helloPayload(3, 64, 1 << 20);
        wrongCount[12] = 1;
        final List<Consumer<RawPeer>> breaks = List.of(
            raw -> raw.request(SERVICE_ID, 1, RawPeer.id(3, 0, 0), NONE, new byte[8]),
            raw -> raw.request(SERVICE_ID, 1, RawPeer.id(0, 0, 0), NONE, new byte[8]),
            raw -> raw.send(FrameType.CANCEL, SERVICE_ID, 1, RawPeer.id(3, 0, 0), 0, new byte[0]),
            raw -> raw.send(FrameType.HELLO, 0, 0, 0, 0, new byte[0]),
            raw -> raw.send(FrameType.HELLO, 0, 0, 0, 0, new byte[15]),
            raw -> raw.send(FrameType.HELLO, 0, 0, 0, 0, wrongCount),
            raw -> raw.send(FrameType.HELLO, 0, 0, 0, 0, RawPeer.helloPayload(0, 64, 1 << 20)),
            raw -> raw.send(FrameType.HELLO, 0, 0, 0, 0, RawPeer.helloPayload(0x8000, 64, 1 << 20)),
            raw -> raw.send(FrameType.HELLO, 0, 0, 0, 0, RawPeer.helloPayload(3, 0, 1 << 20)),
            raw -> raw.send(FrameType.HELLO, 0, 0, 0, 0, RawPeer.helloPayload(3, 64, -1)));
        for (final Consumer<RawPeer> broken : breaks)
        {
            final RawPeer raw = rpc.connectedRawClient();
            broken.accept(raw);
            rpc.until(() -> raw.cause() != null);
            assertEquals(0, raw.count(FrameType.HELLO_ACK));
        }
        assertEquals(breaks.size(), rpc.serverErrors().size());
        assertEquals(0, rpc.service().requestCount());
        rpc.until(() -> rpc.server().sessionCount() == 0);
        rpc.assertNothingHeld();
    }

    @Test
    @InterruptAfter(20)
    void shouldRefuseWithReasonWhenNoVersionIsCommon()
    {
        rpc.launchServer(context -> {});
        final RawPeer raw = rpc.connectedRawClient();
        final byte[] hello = RawPeer.helloPayload(3, 64, 1 << 20);
        hello[0] = 2;
        hello[1] = 5;
        raw.send(FrameType.HELLO, 0, 0, 0, 0, hello);
        rpc.until(() -> raw.cause() != null);
        final RawPeer.Frame error = raw.last(FrameType.ERROR);
        assertEquals(StatusCode.FAILED_PRECONDITION.value(), error.status());
        assertTrue((error.flags() & FrameFlags.NOT_STARTED) != 0);
        final String text = ErrorPayload.text(new UnsafeBuffer(error.payload()), 0);
        assertEquals("the server speaks protocol version 1, the client 2 to 5", text);
        // one that speaks ours among others is welcome
        final RawPeer wide = rpc.connectedRawClient();
        hello[0] = 0;
        wide.send(FrameType.HELLO, 0, 0, 0, 0, hello);
        rpc.until(() -> wide.count(FrameType.HELLO_ACK) == 1);
    }

    @Test
    @InterruptAfter(20)
    void shouldAnswerPingAndPassOverMetadataWhereNobodyAsks()
    {
        rpc.launchServer(context -> {});
        final RawPeer raw = rpc.rawClient(3);
        raw.send(FrameType.PING, 0, 0, 4711, 0, new byte[0]);
        raw.send(FrameType.PONG, 0, 0, 4711, 0, new byte[0]);
        rpc.until(() -> raw.count(FrameType.PONG) == 1);
        assertEquals(4711, raw.last(FrameType.PONG).correlationId());
        final byte[] frame = new byte[FrameHeader.LENGTH + 16 + 5 + 3];
        final UnsafeBuffer buffer = new UnsafeBuffer(frame);
        FrameHeader.encode(
            buffer, 0, FrameType.REQUEST, FrameFlags.WHOLE, SERVICE_ID, 1, RawPeer.id(3, 0, 0), NONE, 0, 9, 5);
        MetadataBlock.encodeHeader(buffer, FrameHeader.LENGTH, 3, MetadataBlock.TEXT, 2);
        buffer.putStringWithoutLengthAscii(FrameHeader.LENGTH + 4, "keyok");
        buffer.putStringWithoutLengthAscii(FrameHeader.LENGTH + 16, "hello");
        raw.sendBytes(frame);
        rpc.until(() -> raw.count(FrameType.RESPONSE) == 1);
        assertEquals("hello", new String(raw.last(FrameType.RESPONSE).payload(), 0, 5,
            java.nio.charset.StandardCharsets.US_ASCII));
    }

    @Test
    @InterruptAfter(20)
    void shouldJoinPartsWhenTheyAreEmpty()
    {
        rpc.launchServer(context -> {});
        final RawPeer raw = rpc.rawClient(3);
        final long id = RawPeer.id(3, 0, 0);
        raw.send(FrameType.REQUEST, FrameFlags.FIRST, SERVICE_ID, 1, id, NONE, 0, new byte[0]);
        raw.send(FrameType.REQUEST, 0, SERVICE_ID, 1, id, NONE, 0, new byte[0]);
        raw.send(FrameType.REQUEST, FrameFlags.LAST, SERVICE_ID, 1, id, NONE, 0, new byte[0]);
        rpc.until(() -> raw.count(FrameType.RESPONSE) == 1);
        assertEquals(0, raw.last(FrameType.RESPONSE).payload().length);
        // parts of a call that is not there are passed over
        raw.send(FrameType.REQUEST, FrameFlags.LAST, SERVICE_ID, 1, id, NONE, 0, new byte[8]);
        raw.send(FrameType.REQUEST, 0, SERVICE_ID, 1, RawPeer.id(3, 5, 5), NONE, 0, new byte[8]);
        rpc.settle();
        assertEquals(1, rpc.service().requestCount());
        // cancelled while it is being joined: its service never heard of it, and hears nothing
        raw.send(FrameType.REQUEST, FrameFlags.FIRST, SERVICE_ID, 1, RawPeer.id(3, 1, 0), NONE, 0, new byte[8]);
        raw.send(FrameType.CANCEL, FrameFlags.WHOLE, SERVICE_ID, 1, RawPeer.id(3, 1, 0), 0, 0, new byte[0]);
        raw.send(FrameType.REQUEST, FrameFlags.LAST, SERVICE_ID, 1, RawPeer.id(3, 1, 0), NONE, 0, new byte[8]);
        rpc.settle();
        assertEquals(1, rpc.service().requestCount());
        assertEquals(List.of(), rpc.service().cancelled());
        // a second first part, while the call is open
        raw.send(FrameType.REQUEST, FrameFlags.FIRST, SERVICE_ID, 1, RawPeer.id(3, 2, 0), NONE, 0, new byte[8]);
        raw.send(FrameType.REQUEST, FrameFlags.FIRST, SERVICE_ID, 1, RawPeer.id(3, 2, 0), NONE, 0, new byte[8]);
        rpc.until(() -> raw.cause() != null);
        assertEquals(1, rpc.service().requestCount());
        rpc.until(() -> rpc.server().sessionCount() == 0);
        rpc.assertNothingHeld();
    }

    @Test
    @InterruptAfter(20)
    void shouldTellTheServiceWhenAWholeRequestIsGivenAFurtherPart()
    {
        rpc.launchServer(context -> {});
        final List<ServerCall> kept = new ArrayList<>();
        rpc.service().on(2, (call, buffer, offset, length) -> kept.add(call.detach()));
        for (final int flags : new int[]{0, FrameFlags.LAST, FrameFlags.FIRST, FrameFlags.WHOLE})
        {
            final RawPeer raw = rpc.rawClient(3);
            raw.request(SERVICE_ID, 2, RawPeer.id(3, 0, 0), NONE, new byte[8]);
            rpc.until(() -> kept.size() == 1);
            raw.send(FrameType.REQUEST, flags, SERVICE_ID, 2, RawPeer.id(3, 0, 0), NONE, 0, new byte[8]);
            rpc.until(() -> raw.cause() != null && rpc.service().cancelled().size() == 1);
            assertEquals(StatusCode.UNAVAILABLE, rpc.service().cancelled().get(0).cause());
            kept.clear();
            rpc.service().cancelled().clear();
        }
        assertEquals(4, rpc.serverErrors().size());
        rpc.assertNothingHeld();
    }

    @Test
    @InterruptAfter(60)
    void shouldEndConnectionWhenServerBreaksTheProtocol()
    {
        final byte[] hello = RawPeer.helloPayload(3, 64, 1 << 20);
        final RawPeer raw = rpc.rawServer();
        rpc.launchClient(context -> {});
        final long[] call = new long[1];
        final List<Runnable> breaks = List.of(
            () -> raw.send(FrameType.HELLO, 0, 0, 0, 0, hello),
            () -> raw.helloAck(raw.last(FrameType.HELLO), 64, 1 << 20),
            () -> raw.request(SERVICE_ID, 1, call[0], NONE, new byte[8]),
            () -> raw.send(FrameType.CANCEL, SERVICE_ID, 1, call[0], 0, new byte[0]),
            () -> raw.send(FrameType.CREDIT, SERVICE_ID, 1, call[0], 0, new byte[8]),
            () -> raw.send(FrameType.CREDIT, 0, 0, call[0] & 0xFFFFL << 48, 0, credit(1, 1)),
            () -> raw.send(77, SERVICE_ID, 1, call[0], 0, new byte[8]),
            () -> raw.send(FrameType.ERROR, FrameFlags.WHOLE, SERVICE_ID, 1, call[0], 0, 13, new byte[7]),
            () -> raw.send(FrameType.ERROR, FrameFlags.WHOLE, SERVICE_ID, 1, call[0], 0, 0, new byte[8]),
            () -> raw.send(FrameType.ERROR, FrameFlags.WHOLE, SERVICE_ID, 1, call[0], 0, 13,
                new byte[]{9, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1}),
            () -> raw.send(FrameType.ERROR, FrameFlags.WHOLE, SERVICE_ID, 1, call[0], 0, 13,
                new byte[]{0, 0, 0, 0, -1, -1, -1, -1}),
            () -> raw.send(FrameType.ERROR, FrameFlags.WHOLE | FrameFlags.COMPRESSED, SERVICE_ID, 1, call[0], 0, 13,
                new byte[8]),
            () -> raw.sendBytes(new byte[33]));
        int hellos = 0;
        for (int i = 0; i < breaks.size(); i++)
        {
            final int expected = ++hellos;
            rpc.until(() -> raw.count(FrameType.HELLO) == expected);
            raw.helloAck(raw.last(FrameType.HELLO), 64, 1 << 20);
            rpc.awaitReady();
            final RecordingHandler handler = new RecordingHandler();
            call[0] = rpc.offer(1, new byte[8], NONE, handler);
            breaks.get(i).run();
            rpc.until(() -> handler.count() == 1);
            assertEquals(StatusCode.UNAVAILABLE, handler.last().code(), "break " + i);
            assertTrue(handler.last().text().contains("protocol error"), handler.last()::text);
            assertEquals(i + 1, rpc.clientErrors().size());
            rpc.clock().advanceMs(50);
        }
    }

    @Test
    @InterruptAfter(20)
    void shouldKeepItsTableWhenServerAcknowledgesAgainAfterGoAway()
    {
        final RawPeer raw = rpc.rawServer();
        rpc.launchClient(context -> {});
        rpc.until(() -> raw.count(FrameType.HELLO) == 1);
        raw.helloAck(raw.last(FrameType.HELLO), 64, 1 << 20);
        rpc.awaitReady();
        final RecordingHandler handler = new RecordingHandler();
        rpc.offer(1, new byte[8], NONE, handler);
        raw.send(FrameType.GO_AWAY, 0, 0, 0, 0, new byte[0]);
        raw.helloAck(raw.last(FrameType.HELLO), 64, 1 << 20);
        rpc.until(() -> handler.count() == 1);
        assertEquals(StatusCode.UNAVAILABLE, handler.last().code());
        assertEquals(0, rpc.channel().callsInFlight());
        assertEquals(Connection.NOT_CONNECTED, rpc.offer(1, new byte[8], NONE, handler));
    }

    @Test
    @InterruptAfter(120)
    void shouldSurviveWhenClientsFramesAreMutated()
    {
        rpc.launchServer(context -> context.maxMessageLength(8192)).launchClient(context -> {}).awaitReady();
        rpc.service().on(2, (call, buffer, offset, length) -> call.detach())
            .on(3, (call, buffer, offset, length) -> call.fail(StatusCode.ABORTED, "failed"));
        for (long seed = 1; seed <= 400; seed++)
        {
            final Random random = new Random(seed);
            try
            {
                final RawPeer raw = random.nextInt(8) == 0 ? rpc.connectedRawClient() : rpc.rawClient(3);
                for (int i = 0; i < 20 && raw.isConnected(); i++)
                {
                    raw.sendBytes(mutated(random, clientFrame(random)));
                    rpc.pump();
                }
                rpc.settle();
                raw.connection().close();
                rpc.until(() -> rpc.server().sessionCount() == 1);
                raw.close();
                assertTrue(rpc.serverErrors().stream().allMatch(ProtocolTest::isProtocolError),
                    rpc.serverErrors()::toString);
                rpc.serverErrors().clear();
                rpc.assertNothingHeld();
            }
            catch (final Throwable failure)
            {
                throw new AssertionError("seed " + seed, failure);
            }
        }
        assertEquals(StatusCode.OK, rpc.call(ECHO_METHOD_ID, new byte[8]).code());
        rpc.assertClean();
    }

    @Test
    @InterruptAfter(120)
    void shouldSurviveWhenServersFramesAreMutated()
    {
        final RawPeer raw = rpc.rawServer();
        rpc.launchClient(context -> context.maxMessageLength(8192));
        for (long seed = 1; seed <= 400; seed++)
        {
            final Random random = new Random(seed);
            final RecordingHandler handler = new RecordingHandler();
            try
            {
                final int connections = (int)seed;
                rpc.until(() -> raw.inbound().size() == connections && raw.count(FrameType.HELLO) == connections);
                raw.helloAck(raw.last(FrameType.HELLO), 64, 1 << 20);
                rpc.awaitReady();
                final List<Long> ids = new ArrayList<>();
                for (int i = 0; i < 20; i++)
                {
                    final long id = rpc.offer(1 + random.nextInt(3), new byte[8], NONE, handler);
                    if (id > 0)
                    {
                        ids.add(id);
                    }
                    if (raw.isConnected())
                    {
                        raw.sendBytes(mutated(random, serverFrame(random, ids)));
                    }
                    rpc.pump();
                }
                rpc.settle();
                raw.connection().close();
                rpc.until(() -> rpc.channel().state() == ChannelState.BACKING_OFF && handler.count() == ids.size());
                ids.forEach(id -> assertEquals(1, handler.count(id)));
                assertTrue(rpc.clientErrors().stream().allMatch(ProtocolTest::isProtocolError),
                    rpc.clientErrors()::toString);
                rpc.clientErrors().clear();
                rpc.assertNothingHeld();
                rpc.clock().advanceMs(50);
            }
            catch (final Throwable failure)
            {
                throw new AssertionError("seed " + seed, failure);
            }
        }
    }

    private static boolean isProtocolError(final Throwable failure)
    {
        return failure.getMessage().contains("protocol error");
    }

    private static byte[] clientFrame(final Random random)
    {
        final int[] types = {FrameType.REQUEST, FrameType.REQUEST, FrameType.REQUEST, FrameType.CANCEL,
            FrameType.HELLO, FrameType.PING};
        final int type = types[random.nextInt(types.length)];
        final byte[] payload = type == FrameType.HELLO ? RawPeer.helloPayload(3, 64, 1 << 20) :
            new byte[type == FrameType.REQUEST ? random.nextInt(3000) : 0];
        return frame(
            type, random.nextInt(4), 1 + random.nextInt(3), RawPeer.id(3, random.nextInt(3), random.nextInt(4)),
            random.nextBoolean() ? NONE : random.nextInt(1000), 0, payload);
    }

    private static byte[] serverFrame(final Random random, final List<Long> ids)
    {
        final int[] types = {FrameType.RESPONSE, FrameType.RESPONSE, FrameType.ERROR, FrameType.ERROR,
            FrameType.PING, FrameType.GO_AWAY};
        final int type = types[random.nextInt(types.length)];
        final byte[] payload = new byte[type == FrameType.RESPONSE ? random.nextInt(3000) : 24];
        if (type == FrameType.ERROR)
        {
            ErrorPayload.encode(new UnsafeBuffer(payload), 0, new byte[8], 8);
        }
        final long id = ids.isEmpty() ? 0 : ids.get(random.nextInt(ids.size()));
        return frame(type, random.nextInt(4), 1, id, 0, type == FrameType.ERROR ? 13 : 0, payload);
    }

    private static byte[] frame(
        final int type,
        final int flags,
        final int methodId,
        final long correlationId,
        final long timeoutNs,
        final int status,
        final byte[] payload)
    {
        final byte[] frame = new byte[FrameHeader.LENGTH + payload.length];
        final UnsafeBuffer buffer = new UnsafeBuffer(frame);
        FrameHeader.encode(
            buffer, 0, type, flags, SERVICE_ID, methodId, correlationId, timeoutNs, status, 0, payload.length);
        buffer.putBytes(FrameHeader.LENGTH, payload);
        return frame;
    }

    private static byte[] mutated(final Random random, final byte[] frame)
    {
        final byte[] mutated = frame.clone();
        switch (random.nextInt(6))
        {
            case 0 -> mutated[random.nextInt(Math.min(mutated.length, 48))] = (byte)random.nextInt();
            case 1 -> mutated[random.nextInt(mutated.length)] ^= (byte)(1 << random.nextInt(8));
            case 2 ->
            {
                return Arrays.copyOf(mutated, 1 + random.nextInt(mutated.length));
            }
            default ->
            {
                // as it is
            }
        }
        return mutated;
    }
}
