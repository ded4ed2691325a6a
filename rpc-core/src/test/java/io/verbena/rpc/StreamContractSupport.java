/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.rpc.test.RecordingStream;
import io.verbena.rpc.test.ScriptedAdapter;
import io.verbena.rpc.transport.Transport;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Random;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;

/**
 * What the parts of {@link StreamContractTest} have in common.
 */
abstract class StreamContractSupport
{
    static final int SERVICE_ID = RpcHarness.SERVICE_ID;
    static final int UNARY = RpcHarness.ECHO_METHOD_ID;
    static final int DOWN = 2;
    static final int UP = 3;
    static final int BOTH = 4;

    final RpcHarness rpc = new RpcHarness(this::newTransport, this::listenAddress);

    /**
     * A transport for a server or a client; those made in one test reach each other.
     *
     * @return a new one.
     */
    protected abstract Transport newTransport();

    /**
     * What the server of this test listens on; another for each test.
     *
     * @return an address.
     */
    protected abstract String listenAddress();

    @AfterEach
    void closeAll()
    {
        rpc.close();
    }

    /**
     * Sends numbered items from a server's callback until told not to: each call's next number is its attachment.
     */
    static class Numbers implements ScriptedAdapter.Script, ScriptedAdapter.StreamScript
    {
        private final int count;
        private final int fixedLength;
        long lastRefusal;
        int refusals;

        Numbers(final int count, final int itemLength)
        {
            this.count = count;
            this.fixedLength = itemLength;
        }

        int length(final int number)
        {
            return fixedLength;
        }

        @Override
        public void onRequest(final ServerCall call, final DirectBuffer buffer, final int offset, final int length)
        {
            call.attach(0);
            on(call);
        }

        @Override
        public void on(final ServerCall call)
        {
            int next = (Integer)call.attachment();
            while (next < count)
            {
                final int itemLength = length(next);
                final long result = call.claimItem(itemLength);
                if (result < 0)
                {
                    lastRefusal = result;
                    refusals++;
                    call.attach(next);
                    return;
                }
                call.buffer().setMemory(call.offset(), itemLength, (byte)next);
                call.buffer().putInt(call.offset(), next);
                call.send(itemLength);
                next++;
            }
            call.complete();
        }
    }

    /**
     * Sends each item back, keeping what is refused until it can be sent.
     */
    static final class Echo
    {
        private final ArrayDeque<byte[]> kept = new ArrayDeque<>();
        private boolean isHalfClosed;

        static void keep(final ServerCall call, final DirectBuffer buffer, final int offset, final int length)
        {
            final byte[] item = new byte[length];
            buffer.getBytes(offset, item);
            final Echo echo = (Echo)call.attachment();
            echo.kept.add(item);
            flush(call);
        }

        static void halfClosed(final ServerCall call)
        {
            ((Echo)call.attachment()).isHalfClosed = true;
            flush(call);
        }

        static void flush(final ServerCall call)
        {
            final Echo echo = (Echo)call.attachment();
            byte[] item;
            while ((item = echo.kept.peek()) != null)
            {
                if (call.offerItem(buffer(item), 0, item.length) < 0)
                {
                    return;
                }
                echo.kept.poll();
            }
            if (echo.isHalfClosed)
            {
                call.complete();
            }
        }
    }

    final void serveEcho()
    {
        rpc.service().on(BOTH, MethodKind.BIDI, (call, buffer, offset, length) -> call.attach(new Echo()))
            .onItem(BOTH, Echo::keep).onHalfClosed(BOTH, Echo::halfClosed).onReady(BOTH, Echo::flush);
    }

    final void serveNumbers(final Numbers numbers)
    {
        rpc.service().on(DOWN, MethodKind.SERVER_STREAM, numbers).onReady(DOWN, numbers);
    }

    final long openDown(final RecordingStream stream, final long timeoutNs)
    {
        return rpcOffer(DOWN, stream, timeoutNs);
    }

    private long rpcOffer(final int methodId, final RecordingStream stream, final long timeoutNs)
    {
        long result;
        while ((result = rpc.channel().offerStream(
            SERVICE_ID, methodId, buffer(bytes(16, 1)), 0, 16, timeoutNs, stream)) < 0)
        {
            assertTransient(result);
            rpc.pump();
        }
        return result;
    }

    final long openUp(final int methodId, final MethodKind kind, final RecordingStream stream, final long timeoutNs)
    {
        long result;
        while ((result = rpc.channel().openStream(SERVICE_ID, methodId, kind, timeoutNs, stream)) < 0)
        {
            assertTransient(result);
            rpc.pump();
        }
        return result;
    }

    final void sendItem(final long correlationId, final byte[] item)
    {
        long result;
        while ((result = rpc.channel().offerItem(correlationId, buffer(item), 0, item.length)) < 0)
        {
            if (result != RpcChannel.CREDIT_EXHAUSTED)
            {
                assertTransient(result);
            }
            rpc.pump();
        }
    }

    static void assertTransient(final long result)
    {
        assertTrue(
            result == io.verbena.rpc.transport.Connection.BACK_PRESSURED ||
            result == io.verbena.rpc.transport.Connection.ADMIN_ACTION, () -> "result " + result);
    }

    final void assertEnded(final RecordingStream stream, final StatusCode status)
    {
        rpc.until(stream::hasEnded);
        rpc.settle();
        assertEquals(status, stream.status(), stream::toString);
        assertEquals(1, stream.endCount());
        assertFalse(stream.isToldAfterEnd());
    }

    final void assertServerEnded(final StatusCode... statuses)
    {
        rpc.until(() -> rpc.service().ended().size() >= statuses.length);
        rpc.settle();
        assertEquals(
            List.of(statuses), rpc.service().ended().stream().map(ScriptedAdapter.Ended::status).toList());
        assertEquals(List.of(), rpc.service().cancelled());
    }

    static void assertNumbered(final List<byte[]> items, final int count)
    {
        assertEquals(count, items.size());
        for (int i = 0; i < count; i++)
        {
            assertEquals(i, new UnsafeBuffer(items.get(i)).getInt(0));
        }
    }

    static void assertItems(final List<byte[]> expected, final List<byte[]> found)
    {
        assertEquals(expected.size(), found.size());
        for (int i = 0; i < expected.size(); i++)
        {
            assertArrayEquals(expected.get(i), found.get(i), "item " + i);
        }
    }

    static byte[] bytes(final int length, final long seed)
    {
        final byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    static UnsafeBuffer buffer(final byte[] bytes)
    {
        return new UnsafeBuffer(bytes);
    }
}
