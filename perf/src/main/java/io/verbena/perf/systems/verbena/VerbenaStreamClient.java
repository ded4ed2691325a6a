/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf.systems.verbena;

import io.verbena.perf.systems.EchoSetup;
import io.verbena.perf.systems.StreamClient;
import io.verbena.perf.systems.StreamTally;
import io.verbena.rpc.MethodKind;
import io.verbena.rpc.RpcClient;
import io.verbena.rpc.transport.Transport;

/**
 * The client's end of a run with streams of Verbena's, over any transport.
 */
final class VerbenaStreamClient implements StreamClient
{
    private final StreamTally tally = new StreamTally();
    private final ClientLink link;
    private final StreamCaller caller;
    private boolean isSending;

    /**
     * Connects and makes the call.
     *
     * @param transport for the connection.
     * @param address   of the server.
     * @param setup     of the run.
     * @param meanwhile run again and again until the connection is there.
     */
    VerbenaStreamClient(
        final Transport transport, final String address, final EchoSetup setup, final Runnable meanwhile)
    {
        final MethodKind kind = setup.workload().kind();
        link = new ClientLink(new RpcClient.Context(), transport, address, meanwhile);
        caller = new StreamCaller(link.channel(), kind, setup.payloadLength(), tally);
        isSending = kind.isClientStreaming();
    }

    @Override
    public int poll()
    {
        int work = link.doWork();
        if (isSending)
        {
            work += caller.send();
        }
        caller.throwFailure();
        tally.publish();
        return work;
    }

    @Override
    public void stopSending()
    {
        isSending = false;
        caller.halfClose();
    }

    @Override
    public boolean isEnded()
    {
        return caller.isEnded();
    }

    @Override
    public boolean tellsEnd()
    {
        return true;
    }

    @Override
    public StreamTally tally()
    {
        return tally;
    }

    @Override
    public void close()
    {
        link.close();
    }
}
