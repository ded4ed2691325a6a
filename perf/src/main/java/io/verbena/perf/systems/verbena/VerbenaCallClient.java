/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf.systems.verbena;

import io.verbena.perf.generated.RefuseListener;
import io.verbena.perf.generated.RefuseProxy;
import io.verbena.perf.generated.WorkListener;
import io.verbena.perf.generated.WorkProxy;
import io.verbena.perf.generated.WorkRequestEncoder;
import io.verbena.perf.generated.WorkResponseDecoder;
import io.verbena.perf.systems.CallClient;
import io.verbena.perf.systems.OutcomeHandler;
import io.verbena.rpc.RpcClient;
import io.verbena.rpc.StatusCode;
import io.verbena.rpc.transport.Connection;
import io.verbena.rpc.transport.Transport;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Calls the generated services that can be overloaded, over any transport.
 */
final class VerbenaCallClient implements CallClient, WorkListener, RefuseListener
{
    /** Calls in flight on a connection: an open loop is not to be held up by this limit. */
    static final int MAX_CALLS_IN_FLIGHT = 16 * 1024;

    private final UnsafeBuffer filler = new UnsafeBuffer(new byte[WorkRequestEncoder.fillerLength()]);
    private final ClientLink link;
    private final WorkProxy work;
    private final RefuseProxy refuse;
    private OutcomeHandler outcomes;
    private String failure;

    /**
     * Connects; returns when calls can be made.
     *
     * @param transport for the connection.
     * @param address   of the server.
     * @param meanwhile run again and again until the connection is there.
     */
    VerbenaCallClient(final Transport transport, final String address, final Runnable meanwhile)
    {
        link = new ClientLink(
            new RpcClient.Context().maxCallsInFlight(MAX_CALLS_IN_FLIGHT), transport, address, meanwhile);
        work = new WorkProxy(link.channel(), this);
        refuse = new RefuseProxy(link.channel(), this);
    }

    @Override
    public boolean tryWork(final long stampNs, final long workNs, final long timeoutNs)
    {
        if (!isTaken(work.workClaim(WorkRequestEncoder.BLOCK_LENGTH, timeoutNs)))
        {
            return false;
        }
        work.workEncoder().timestamp(stampNs).workNs(workNs).putFiller(filler, 0, filler.capacity());
        work.commit();
        return true;
    }

    @Override
    public boolean tryOccupy(final long timeoutNs)
    {
        if (!isTaken(refuse.occupyClaim(WorkRequestEncoder.BLOCK_LENGTH, timeoutNs)))
        {
            return false;
        }
        refuse.occupyEncoder().timestamp(0).workNs(0).putFiller(filler, 0, filler.capacity());
        refuse.commit();
        return true;
    }

    private static boolean isTaken(final long result)
    {
        if (result == Connection.CLOSED || result == Connection.NOT_CONNECTED)
        {
            throw new IllegalStateException("call not taken, code " + result);
        }
        return result > 0;
    }

    @Override
    public int poll(final OutcomeHandler handler)
    {
        outcomes = handler;
        final int done = link.doWork();
        if (failure != null)
        {
            throw new IllegalStateException("a call ended with " + failure);
        }
        return done;
    }

    @Override
    public void onWorkResponse(final long correlationId, final WorkResponseDecoder response)
    {
        outcomes.onAnswered(response.timestamp());
    }

    @Override
    public void onOccupyResponse(final long correlationId, final WorkResponseDecoder response)
    {
        failure = "an answer that should never come";
    }

    @Override
    public void onError(final long correlationId, final int methodId, final StatusCode code, final String text)
    {
        switch (code)
        {
            case RESOURCE_EXHAUSTED -> outcomes.onRefused();
            case DEADLINE_EXCEEDED -> outcomes.onExpired();
            default -> failure = code + ": " + text;
        }
    }

    @Override
    public void close()
    {
        link.close();
    }
}
