/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import io.verbena.rpc.MethodKind;
import io.verbena.rpc.RpcChannel;
import io.verbena.rpc.ServerCall;
import io.verbena.rpc.ServiceAdapter;
import io.verbena.rpc.StatusCode;
import io.verbena.rpc.transport.Connection;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;

/**
 * The service: does with each call what its plan says, and writes down what happens.
 */
final class SimService implements ServiceAdapter
{
    static final int ID = 8;

    /** What a handler throws on purpose. */
    static final class PlannedFailure extends RuntimeException
    {
        private static final long serialVersionUID = 1L;

        PlannedFailure()
        {
            super("as planned");
        }
    }

    private record Later(ServerCall call, ServerSide side)
    {
    }

    private final Random random;
    private final Run run;
    private final Map<Long, ServerSide> byKey = new HashMap<>();
    private final Map<Long, ServerSide> unary = new HashMap<>();
    private final List<Later> later = new ArrayList<>();
    private final ExpandableArrayBuffer scratch = new ExpandableArrayBuffer();
    private int open;

    SimService(final Random random, final Run run)
    {
        this.random = random;
        this.run = run;
    }

    ServerSide side(final long key)
    {
        return byKey.get(key);
    }

    /** Calls that came in and of whose end the service was not told. */
    int open()
    {
        return open;
    }

    @Override
    public int serviceId()
    {
        return ID;
    }

    @Override
    public String serviceName()
    {
        return "Simulated";
    }

    @Override
    public int schemaId()
    {
        return 1;
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
        return methodId != Plan.CLIENT_STREAM_MANUAL && methodId != Plan.BIDI_MANUAL;
    }

    @Override
    public void onRequest(
        final ServerCall call, final int methodId, final DirectBuffer buffer, final int offset, final int length)
    {
        ++open;
        final ServerSide side = new ServerSide();
        side.methodId = methodId;
        side.correlationId = call.correlationId();
        if (Plan.kind(methodId).isClientStreaming())
        {
            assertEquals(0, length);
            call.attach(side);
            return;
        }
        identify(side, buffer, offset, Plan.REQUEST, length);
        if (methodId == Plan.SERVER_STREAM)
        {
            call.attach(side);
            produce(call, side, true);
        }
        else
        {
            assertNull(unary.put(call.correlationId() ^ call.connectionId() << 40, side), "one call, two requests");
            if (side.plan.isLate)
            {
                later.add(new Later(call.detach(), side));
            }
            else
            {
                finish(call, side, true);
            }
        }
    }

    private void identify(
        final ServerSide side, final DirectBuffer buffer, final int offset, final int index, final int length)
    {
        assertTrue(length >= Plan.HEADER, "a message without a header");
        side.key = buffer.getLong(offset);
        side.plan = Plan.ofKey(side.key);
        assertEquals(side.methodId, side.plan.methodId);
        assertNull(byKey.put(side.key, side), () -> "executed twice: " + side.plan);
        assertNull(side.plan.check(buffer, offset, length, side.key, index));
    }

    @Override
    public void onItem(
        final ServerCall call, final int methodId, final DirectBuffer buffer, final int offset, final int length)
    {
        final ServerSide side = (ServerSide)call.attachment();
        assertNotNull(side, "an item of a call that has ended");
        assertTrue(!side.isHalfClosed && side.endings == 0, side::toString);
        final int index = Plan.CLIENT_ITEM + side.received++;
        if (side.plan == null)
        {
            identify(side, buffer, offset, index, length);
        }
        else
        {
            assertNull(side.plan.check(buffer, offset, length, side.key, index));
        }
        ++side.held;
        if (isEndDue(side, side.received))
        {
            finish(call, side, true);
        }
        else if (Plan.kind(methodId) == MethodKind.BIDI)
        {
            echo(call, side, true);
        }
        else
        {
            grantSome(call, side);
        }
    }

    /** A plan that goes wrong does so after so many items. */
    private static boolean isEndDue(final ServerSide side, final int items)
    {
        final Plan.Ending ending = side.plan.ending;
        return (ending == Plan.Ending.FAIL || ending == Plan.Ending.THROW) && items > side.plan.itemsBeforeEnd;
    }

    @Override
    public void onHalfClosed(final ServerCall call, final int methodId)
    {
        final ServerSide side = (ServerSide)call.attachment();
        assertTrue(!side.isHalfClosed && side.endings == 0, side::toString);
        side.isHalfClosed = true;
        assertEquals(side.plan == null ? 0 : side.plan.clientItems, side.received, "half-closed before all items");
        if (side.plan == null)
        {
            // No message told what to do.
            if (Plan.kind(methodId) == MethodKind.BIDI)
            {
                call.complete();
            }
            else
            {
                call.claim(Plan.HEADER);
                call.send(Plan.HEADER);
            }
            side.outcome = StatusCode.OK;
        }
        else if (Plan.kind(methodId) == MethodKind.BIDI)
        {
            echo(call, side, true);
        }
        else
        {
            finish(call, side, true);
        }
    }

    @Override
    public void onReady(final ServerCall call, final int methodId)
    {
        final ServerSide side = (ServerSide)call.attachment();
        assertNotNull(side, "ready after the end");
        if (methodId == Plan.SERVER_STREAM)
        {
            produce(call, side, true);
        }
        else if (side.plan != null)
        {
            echo(call, side, true);
        }
    }

    @Override
    public void onCancelled(
        final long connectionId, final long correlationId, final int methodId, final StatusCode cause)
    {
        assertEquals(Plan.UNARY, methodId);
        final ServerSide side = unary.get(correlationId ^ connectionId << 40);
        ended(side, cause);
        assertNull(side.outcome, () -> "cancelled after it was answered: " + side.plan);
        run.checkServerEnd(side, cause);
    }

    @Override
    public void onEnded(
        final long connectionId,
        final long correlationId,
        final int methodId,
        final Object attachment,
        final StatusCode status)
    {
        assertTrue(Plan.kind(methodId) != MethodKind.UNARY);
        final ServerSide side = (ServerSide)attachment;
        assertNotNull(side, "a stream ended that never began");
        assertEquals(correlationId, side.correlationId);
        ended(side, status);
        run.checkServerEnd(side, status);
    }

    private void ended(final ServerSide side, final StatusCode status)
    {
        --open;
        ++side.endings;
        assertEquals(1, side.endings, () -> "ended again, now as " + status + ": " + side.plan + ", " + side);
    }

    /** Goes on with what was put off, some of it. */
    void work()
    {
        for (int i = later.size() - 1; i >= 0; i--)
        {
            if (random.nextInt(3) == 0)
            {
                final Later next = later.remove(i);
                if (next.call.isOpen())
                {
                    if (next.side.methodId == Plan.UNARY)
                    {
                        finish(next.call, next.side, false);
                    }
                    else if (next.side.methodId == Plan.SERVER_STREAM)
                    {
                        produce(next.call, next.side, false);
                    }
                    else
                    {
                        grantSome(next.call, next.side);
                    }
                }
            }
        }
    }

    private void produce(final ServerCall call, final ServerSide side, final boolean isInHandler)
    {
        while (side.sent < side.plan.serverItems && !isEndDue(side, side.sent + 1))
        {
            if (side.plan.isLate && random.nextInt(4) == 0)
            {
                later.add(new Later(call.detach(), side));
                return;
            }
            if (!sendItem(call, side))
            {
                return;
            }
        }
        finish(call, side, isInHandler);
    }

    private void echo(final ServerCall call, final ServerSide side, final boolean isInHandler)
    {
        while (side.sent < side.received)
        {
            if (!sendItem(call, side))
            {
                return;
            }
            grantSome(call, side);
        }
        if (side.isHalfClosed)
        {
            finish(call, side, isInHandler);
        }
    }

    private boolean sendItem(final ServerCall call, final ServerSide side)
    {
        if (side.outcome != null || !call.isOpen())
        {
            return false;
        }
        final int index = Plan.SERVER_ITEM + side.sent;
        final int length = side.plan.length(index);
        final long result;
        if (random.nextBoolean())
        {
            result = call.claimItem(length);
            if (result > 0 && random.nextInt(10) == 0)
            {
                call.abort();
                return sendItem(call, side);
            }
            if (result > 0)
            {
                side.plan.encode(call.buffer(), call.offset(), side.key, index);
                call.send(length);
            }
        }
        else
        {
            side.plan.encode(scratch, 0, side.key, index);
            result = call.offerItem(scratch, 0, length);
        }
        if (result > 0)
        {
            ++side.sent;
        }
        else
        {
            assertTrue(result == RpcChannel.CREDIT_EXHAUSTED || result == Connection.BACK_PRESSURED ||
                result == Connection.ADMIN_ACTION, () -> "result " + result);
        }
        return result > 0;
    }

    private void grantSome(final ServerCall call, final ServerSide side)
    {
        if (side.held > 0 && !isGrantAutomatic(side.methodId))
        {
            final int items = 1 + random.nextInt(side.held);
            if (call.grant(items))
            {
                side.held -= items;
                if (side.held > 0)
                {
                    later.add(new Later(call.detach(), side));
                }
            }
        }
    }

    private void answered(final ServerSide side, final StatusCode outcome)
    {
        side.outcome = outcome;
        if (side.methodId == Plan.UNARY)
        {
            // Of which it is not told again.
            --open;
        }
    }

    private void finish(final ServerCall call, final ServerSide side, final boolean isInHandler)
    {
        if (side.outcome != null || !call.isOpen())
        {
            return;
        }
        switch (side.plan.ending)
        {
            case OK ->
            {
                if (side.plan.kind().isServerStreaming())
                {
                    call.complete();
                }
                else
                {
                    final int length = side.plan.length(Plan.RESPONSE);
                    call.claim(length);
                    side.plan.encode(call.buffer(), call.offset(), side.key, Plan.RESPONSE);
                    call.send(length);
                }
                answered(side, StatusCode.OK);
            }
            case FAIL ->
            {
                answered(side, side.plan.code);
                call.fail(side.plan.code, "as planned");
            }
            case THROW ->
            {
                answered(side, StatusCode.INTERNAL);
                if (isInHandler)
                {
                    throw new PlannedFailure();
                }
                call.fail(StatusCode.INTERNAL, "as planned");
            }
            default ->
            {
                // The client has to end it.
            }
        }
    }
}
