/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;

import io.verbena.rpc.MethodKind;
import io.verbena.rpc.RpcChannel;
import io.verbena.rpc.StatusCode;
import io.verbena.rpc.StreamHandler;
import io.verbena.rpc.transport.Connection;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;

/**
 * One call at the client: does what its plan says, and writes down what happens.
 */
final class SimCall implements StreamHandler
{
    private final Random random;
    private final Run run;
    private final RpcChannel channel;
    private final ExpandableArrayBuffer scratch = new ExpandableArrayBuffer();
    final Plan plan;
    final int attempt;
    final long key;
    final long startNs;
    private long correlationId;
    private int sent;
    private int received;
    private int held;
    private boolean isHalfClosed;
    private boolean isBlocked;
    private boolean isCancelled;
    private StatusCode ended;

    SimCall(final Random random, final Run run, final RpcChannel channel, final Plan plan, final int attempt)
    {
        this.random = random;
        this.run = run;
        this.channel = channel;
        this.plan = plan;
        this.attempt = attempt;
        key = plan.key(attempt);
        startNs = run.nowNs();
    }

    /**
     * Begins the call.
     *
     * @return false if it was refused, and there is no call.
     */
    boolean start()
    {
        final int length = plan.length(Plan.REQUEST);
        final boolean claims = random.nextBoolean();
        if (plan.kind().isClientStreaming())
        {
            correlationId = channel.openStream(SimService.ID, plan.methodId, plan.kind(), plan.timeoutNs, this);
        }
        else if (claims)
        {
            final boolean isStream = plan.kind() == MethodKind.SERVER_STREAM;
            correlationId = isStream ?
                channel.claimStream(SimService.ID, plan.methodId, length, plan.timeoutNs, this) :
                channel.claim(SimService.ID, plan.methodId, length, plan.timeoutNs, this);
            if (correlationId > 0)
            {
                plan.encode(channel.buffer(), channel.offset(), key, Plan.REQUEST);
                channel.commit(length);
            }
        }
        else
        {
            plan.encode(scratch, 0, key, Plan.REQUEST);
            correlationId = plan.kind() == MethodKind.SERVER_STREAM ?
                channel.offerStream(SimService.ID, plan.methodId, scratch, 0, length, plan.timeoutNs, this) :
                channel.offer(SimService.ID, plan.methodId, scratch, 0, length, plan.timeoutNs, this);
        }
        return correlationId > 0;
    }

    RpcChannel channel()
    {
        return channel;
    }

    boolean isCancelled()
    {
        return isCancelled;
    }

    /** How it ended, or null. */
    StatusCode ended()
    {
        return ended;
    }

    /** Goes on: sends, grants, gives up. */
    void work()
    {
        if (ended == null && plan.isCancelled && random.nextInt(40) == 0)
        {
            cancel();
        }
        // Who was refused is told when to go on: asking again by itself would hide it if that never came.
        if (ended == null && plan.kind().isClientStreaming() && !isBlocked)
        {
            sendItems(1 + random.nextInt(8));
        }
        if (ended == null && held > 0 && random.nextBoolean())
        {
            final int items = 1 + random.nextInt(held);
            assertTrue(channel.grant(correlationId, items));
            held -= items;
        }
    }

    void cancel()
    {
        isCancelled = true;
        final boolean isOpen = ended == null;
        assertEquals(isOpen, channel.cancel(correlationId));
        assertTrue(ended != null, "told before cancel returns");
    }

    private void sendItems(final int most)
    {
        for (int i = 0; i < most && ended == null && sent < plan.clientItems; i++)
        {
            final int index = Plan.CLIENT_ITEM + sent;
            final int length = plan.length(index);
            final long result;
            if (random.nextBoolean())
            {
                result = channel.claimItem(correlationId, length);
                if (result > 0)
                {
                    plan.encode(channel.buffer(), channel.offset(), key, index);
                    channel.commit(length);
                }
            }
            else
            {
                plan.encode(scratch, 0, key, index);
                result = channel.offerItem(correlationId, scratch, 0, length);
            }
            if (result < 0)
            {
                assertTrue(result == RpcChannel.CREDIT_EXHAUSTED || result == Connection.BACK_PRESSURED ||
                    result == Connection.ADMIN_ACTION || result == Connection.NOT_CONNECTED, () -> "result " + result);
                isBlocked = true;
                return;
            }
            ++sent;
        }
        if (ended == null && sent == plan.clientItems && !isHalfClosed)
        {
            isHalfClosed = true;
            assertTrue(channel.halfClose(correlationId));
            assertTrue(!channel.halfClose(correlationId));
        }
    }

    @Override
    public boolean isGrantAutomatic()
    {
        return !plan.isManual;
    }

    @Override
    public void onReady(final long id, final int methodId)
    {
        assertEquals(correlationId, id);
        assertNull(ended, "ready after the end");
        isBlocked = false;
        if (!isHalfClosed)
        {
            sendItems(1 + random.nextInt(8));
        }
    }

    @Override
    public void onItem(
        final long id, final int methodId, final DirectBuffer buffer, final int offset, final int length)
    {
        assertEquals(correlationId, id);
        assertNull(ended, "an item after the end");
        assertNull(plan.check(buffer, offset, length, key, Plan.SERVER_ITEM + received));
        ++received;
        if (plan.isManual)
        {
            ++held;
        }
        if (plan.isCancelled && random.nextInt(30) == 0)
        {
            cancel();
        }
    }

    @Override
    public void onCompleted(final long id, final int methodId)
    {
        end(id, StatusCode.OK);
        assertTrue(plan.kind().isServerStreaming());
        assertEquals(
            plan.kind() == MethodKind.BIDI ? plan.clientItems : plan.serverItems, received, "items before the end");
        run.checkClientEnd(this, StatusCode.OK, "");
    }

    @Override
    public void onResponse(
        final long id, final int methodId, final DirectBuffer buffer, final int offset, final int length)
    {
        end(id, StatusCode.OK);
        assertTrue(!plan.kind().isServerStreaming());
        if (!plan.kind().isClientStreaming() || plan.clientItems > 0)
        {
            assertNull(plan.check(buffer, offset, length, key, Plan.RESPONSE));
        }
        run.checkClientEnd(this, StatusCode.OK, "");
    }

    @Override
    public void onError(
        final long id,
        final int methodId,
        final StatusCode code,
        final String text,
        final DirectBuffer detail,
        final int detailOffset,
        final int detailLength)
    {
        end(id, code);
        run.checkClientEnd(this, code, text);
    }

    private void end(final long id, final StatusCode code)
    {
        // A refused request may end before its id is known here.
        assertTrue(correlationId == id || correlationId == 0);
        assertNull(ended, () -> "ended as " + ended + " and again as " + code);
        ended = code;
    }

    @Override
    public String toString()
    {
        return "attempt " + attempt + " of " + plan + "; client side: sent " + sent + ", received " + received +
            ", half-closed " + isHalfClosed + ", cancelled " + isCancelled + ", ended " + ended;
    }
}
