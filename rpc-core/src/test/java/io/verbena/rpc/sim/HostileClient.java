/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc.sim;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import io.verbena.rpc.ChannelState;
import io.verbena.rpc.MethodKind;
import io.verbena.rpc.RpcChannel;
import io.verbena.rpc.RpcClient;
import io.verbena.rpc.StatusCode;
import io.verbena.rpc.StreamHandler;
import io.verbena.rpc.test.ManualClock;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A client whose frames and whose server's frames are tampered with: the server has to stand what it sends, and it has
 * to stand what it gets. Whatever that is, each of its calls ends once.
 */
final class HostileClient implements AutoCloseable
{
    private static final int MAX_OPEN = 20;
    private static final int LONGEST = 3_000;

    private final class Call implements StreamHandler
    {
        private final MethodKind kind;
        private long id;
        private boolean isHalfClosed;
        private int endings;

        Call(final MethodKind kind)
        {
            this.kind = kind;
        }

        private void end()
        {
            ++endings;
            ++ended;
            if (endings > 1)
            {
                violations.add("a call ended twice");
            }
        }

        private void goOn()
        {
            if (endings != 0)
            {
                violations.add("a callback after the end");
            }
        }

        @Override
        public void onItem(
            final long correlationId, final int methodId, final DirectBuffer buffer, final int offset, final int length)
        {
            goOn();
            checkBounds(buffer, offset, length);
        }

        @Override
        public void onReady(final long correlationId, final int methodId)
        {
            goOn();
        }

        @Override
        public void onCompleted(final long correlationId, final int methodId)
        {
            end();
        }

        @Override
        public void onResponse(
            final long correlationId, final int methodId, final DirectBuffer buffer, final int offset, final int length)
        {
            checkBounds(buffer, offset, length);
            end();
        }

        @Override
        public void onError(
            final long correlationId,
            final int methodId,
            final StatusCode code,
            final String text,
            final DirectBuffer detail,
            final int detailOffset,
            final int detailLength)
        {
            if (detailLength > 0)
            {
                checkBounds(detail, detailOffset, detailLength);
            }
            end();
        }
    }

    private final Random random;
    private final RpcClient client;
    private final RpcChannel channel;
    private final List<Call> open = new ArrayList<>();
    private final List<String> violations = new ArrayList<>();
    private final List<Throwable> errors = new ArrayList<>();
    private final UnsafeBuffer message = new UnsafeBuffer(new byte[LONGEST]);
    private long ended;

    HostileClient(final Random random, final ManualClock clock, final SimTransport transport, final String address)
    {
        this.random = random;
        random.nextBytes(message.byteArray());
        client = RpcClient.launch(new RpcClient.Context()
            .nanoClock(clock)
            .errorHandler(errors::add)
            .useAgentInvoker(true)
            .transport(transport)
            .reconnectMinBackoffNs(50_000)
            .reconnectMaxBackoffNs(100_000)
            .handshakeTimeoutNs(5_000_000)
            .maxMessageLength(LONGEST)
            .randomSeed(1));
        channel = client.connect(address);
    }

    List<String> violations()
    {
        return violations;
    }

    List<Throwable> errors()
    {
        return errors;
    }

    long ended()
    {
        return ended;
    }

    int callsInFlight()
    {
        return channel.callsInFlight();
    }

    int open()
    {
        open.removeIf((call) -> call.endings != 0);
        return open.size();
    }

    void work()
    {
        if (channel.state() == ChannelState.READY && open() < MAX_OPEN && random.nextInt(3) == 0)
        {
            begin();
        }
        for (final Call call : new ArrayList<>(open))
        {
            if (call.endings == 0 && random.nextInt(4) == 0)
            {
                goOn(call);
            }
        }
        client.doWork();
    }

    private void begin()
    {
        final int methodId = 1 + random.nextInt(Plan.BIDI_MANUAL);
        final Call call = new Call(Plan.kind(methodId));
        final long timeoutNs = random.nextBoolean() ? RpcChannel.NO_TIMEOUT : 1 + random.nextInt(10_000_000);
        final int length = random.nextInt(random.nextInt(4) == 0 ? LONGEST : 100);
        call.id = switch (call.kind)
        {
            case UNARY -> channel.offer(HostileService.ID, methodId, message, 0, length, timeoutNs, call);
            case SERVER_STREAM -> channel.offerStream(HostileService.ID, methodId, message, 0, length, timeoutNs, call);
            default -> channel.openStream(HostileService.ID, methodId, call.kind, timeoutNs, call);
        };
        if (call.id > 0)
        {
            open.add(call);
        }
    }

    private void goOn(final Call call)
    {
        if (random.nextInt(30) == 0)
        {
            channel.cancel(call.id);
        }
        else if (call.kind.isClientStreaming() && !call.isHalfClosed)
        {
            if (random.nextInt(5) == 0)
            {
                call.isHalfClosed = true;
                channel.halfClose(call.id);
            }
            else
            {
                channel.offerItem(call.id, message, 0, random.nextInt(random.nextInt(4) == 0 ? LONGEST : 100));
            }
        }
    }

    private void checkBounds(final DirectBuffer buffer, final int offset, final int length)
    {
        if (offset < 0 || length < 0 || length > buffer.capacity() - offset)
        {
            violations.add("a message of " + length + " bytes at " + offset + " of " + buffer.capacity());
        }
    }

    @Override
    public void close()
    {
        client.close();
    }
}
