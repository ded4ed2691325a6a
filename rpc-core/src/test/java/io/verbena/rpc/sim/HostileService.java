/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc.sim;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import io.verbena.rpc.MethodKind;
import io.verbena.rpc.ServerCall;
import io.verbena.rpc.ServiceAdapter;
import io.verbena.rpc.StatusCode;
import org.agrona.DirectBuffer;

/**
 * What hostile peers call. It believes nothing of what is in the messages, but notes each callback that must not be:
 * after the end, out of turn, of the wrong kind, or with a message that lies beyond its buffer.
 */
final class HostileService implements ServiceAdapter
{
    static final int ID = 1_000;

    private static final class State
    {
        private final int methodId;
        private boolean isHalfClosed;

        State(final int methodId)
        {
            this.methodId = methodId;
        }
    }

    private record Id(long connectionId, long correlationId)
    {
    }

    private final Random random;
    private final Map<Id, State> open = new HashMap<>();
    private final List<String> violations = new ArrayList<>();
    private long requests;

    HostileService(final Random random)
    {
        this.random = random;
    }

    List<String> violations()
    {
        return violations;
    }

    int open()
    {
        return open.size();
    }

    long requests()
    {
        return requests;
    }

    @Override
    public int serviceId()
    {
        return ID;
    }

    @Override
    public String serviceName()
    {
        return "Hostile";
    }

    @Override
    public int schemaId()
    {
        return 2;
    }

    @Override
    public int schemaVersion()
    {
        return 1;
    }

    @Override
    public MethodKind methodKind(final int methodId)
    {
        return Plan.kind(methodId);
    }

    @Override
    public boolean isGrantAutomatic(final int methodId)
    {
        return methodId != Plan.BIDI_MANUAL;
    }

    @Override
    public void onRequest(
        final ServerCall call, final int methodId, final DirectBuffer buffer, final int offset, final int length)
    {
        ++requests;
        checkBounds(buffer, offset, length);
        final Id id = new Id(call.connectionId(), call.correlationId());
        if (open.put(id, new State(methodId)) != null)
        {
            violations.add("a second request of an open call");
        }
        if (methodKind(methodId) == MethodKind.UNARY)
        {
            if (random.nextInt(4) != 0)
            {
                open.remove(id);
                answer(call, buffer, offset, length);
            }
            else
            {
                call.detach();
            }
        }
        else if (methodKind(methodId) == MethodKind.SERVER_STREAM)
        {
            for (int i = random.nextInt(6); i > 0 && call.offerItem(buffer, offset, length) > 0; i--)
            {
                // As many as go.
            }
            if (random.nextBoolean())
            {
                call.complete();
            }
        }
    }

    private static void answer(
        final ServerCall call, final DirectBuffer buffer, final int offset, final int length)
    {
        call.claim(length);
        call.buffer().putBytes(call.offset(), buffer, offset, length);
        call.send(length);
    }

    @Override
    public void onItem(
        final ServerCall call, final int methodId, final DirectBuffer buffer, final int offset, final int length)
    {
        checkBounds(buffer, offset, length);
        final State state = find(call, methodId, "an item");
        if (state != null && state.isHalfClosed)
        {
            violations.add("an item after the half-close");
        }
        if (methodKind(methodId) == MethodKind.BIDI)
        {
            call.offerItem(buffer, offset, length);
            if (!isGrantAutomatic(methodId))
            {
                call.grant(1);
            }
        }
        if (random.nextInt(20) == 0)
        {
            call.fail(StatusCode.ABORTED, "enough");
        }
    }

    @Override
    public void onHalfClosed(final ServerCall call, final int methodId)
    {
        final State state = find(call, methodId, "a half-close");
        if (state != null && state.isHalfClosed)
        {
            violations.add("a second half-close");
        }
        if (state != null)
        {
            state.isHalfClosed = true;
        }
        if (methodKind(methodId) == MethodKind.BIDI)
        {
            call.complete();
        }
        else
        {
            call.claim(8);
            call.send(8);
        }
    }

    @Override
    public void onReady(final ServerCall call, final int methodId)
    {
        find(call, methodId, "readiness");
    }

    @Override
    public void onCancelled(
        final long connectionId, final long correlationId, final int methodId, final StatusCode cause)
    {
        end(connectionId, correlationId, methodId);
    }

    @Override
    public void onEnded(
        final long connectionId,
        final long correlationId,
        final int methodId,
        final Object attachment,
        final StatusCode status)
    {
        end(connectionId, correlationId, methodId);
    }

    private void end(final long connectionId, final long correlationId, final int methodId)
    {
        final State state = open.remove(new Id(connectionId, correlationId));
        if (state == null || state.methodId != methodId)
        {
            violations.add("an end of a call of method " + methodId + " that was not open");
        }
    }

    private State find(final ServerCall call, final int methodId, final String what)
    {
        final State state = open.get(new Id(call.connectionId(), call.correlationId()));
        if (state == null || state.methodId != methodId || methodKind(methodId) == MethodKind.UNARY)
        {
            violations.add(what + " of a call of method " + methodId + " that was not open");
        }
        return state;
    }

    private void checkBounds(final DirectBuffer buffer, final int offset, final int length)
    {
        if (offset < 0 || length < 0 || length > buffer.capacity() - offset)
        {
            violations.add("a message of " + length + " bytes at " + offset + " of " + buffer.capacity());
        }
    }
}
