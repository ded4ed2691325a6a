/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf.systems.verbena;

import io.verbena.perf.generated.Echo32RequestEncoder;
import io.verbena.perf.generated.Echo32ResponseDecoder;
import io.verbena.perf.generated.EchoListener;
import io.verbena.perf.generated.EchoProxy;
import io.verbena.perf.generated.EchoRequestEncoder;
import io.verbena.perf.generated.EchoResponseDecoder;
import io.verbena.perf.systems.EchoHandler;
import io.verbena.rpc.RpcChannel;
import io.verbena.rpc.StatusCode;
import io.verbena.rpc.transport.Connection;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Calls the echo service: a body of 32 bytes by the method with fixed fields, any other length by that with data, in
 * which the sequence number comes first. Used by the client's one thread.
 */
final class EchoCaller implements EchoListener
{
    /**
     * Time stamp, length of the data, sequence number.
     */
    static final int MIN_DATA_BODY_LENGTH =
        EchoRequestEncoder.BLOCK_LENGTH + EchoRequestEncoder.payloadHeaderLength() + Long.BYTES;

    private static final byte FILLER = 0x5A;

    private final EchoProxy proxy;
    private final boolean isFixed;
    private final int bodyLength;
    private final UnsafeBuffer filler;
    private final UnsafeBuffer received = new UnsafeBuffer(0, 0);
    private EchoHandler handler;
    private RuntimeException failure;

    EchoCaller(final RpcChannel channel, final int bodyLength)
    {
        proxy = new EchoProxy(channel, this);
        this.bodyLength = bodyLength;
        isFixed = bodyLength == Echo32RequestEncoder.BLOCK_LENGTH;
        filler = new UnsafeBuffer(new byte[isFixed ?
            Echo32RequestEncoder.fillerLength() : bodyLength - MIN_DATA_BODY_LENGTH + Long.BYTES]);
        filler.setMemory(0, filler.capacity(), FILLER);
    }

    boolean tryCall(final long stampNs, final long sequence)
    {
        final long result = isFixed ? proxy.echo32Claim(bodyLength) : proxy.echoClaim(bodyLength);
        if (result > 0)
        {
            if (isFixed)
            {
                proxy.echo32Encoder().timestamp(stampNs).sequence(sequence).putFiller(filler, 0, filler.capacity());
            }
            else
            {
                filler.putLong(0, sequence);
                proxy.echoEncoder().timestamp(stampNs).putPayload(filler, 0, filler.capacity());
            }
            proxy.commit();
            return true;
        }
        if (result == Connection.BACK_PRESSURED || result == Connection.ADMIN_ACTION ||
            result == RpcChannel.CALLS_EXHAUSTED)
        {
            return false;
        }
        throw new IllegalStateException("call not taken, code " + result);
    }

    /**
     * Who is told of the responses of the next duty cycle.
     *
     * @param newHandler to tell.
     */
    void handler(final EchoHandler newHandler)
    {
        handler = newHandler;
    }

    /**
     * Throws what went wrong in a callback: the core does not let exceptions of callbacks through.
     */
    void throwFailure()
    {
        if (failure != null)
        {
            throw failure;
        }
    }

    void fail(final RuntimeException cause)
    {
        failure = failure == null ? cause : failure;
    }

    @Override
    public void onEcho32Response(final long correlationId, final Echo32ResponseDecoder response)
    {
        if (response.filler(Echo32ResponseDecoder.fillerLength() - 1) != FILLER)
        {
            fail(new IllegalStateException("echo is not what was sent: its last byte differs"));
            return;
        }
        deliver(response.timestamp(), response.sequence());
    }

    @Override
    public void onEchoResponse(final long correlationId, final EchoResponseDecoder response)
    {
        final long stampNs = response.timestamp();
        response.wrapPayload(received);
        final int length = received.capacity();
        if (length != filler.capacity() || length > Long.BYTES && received.getByte(length - 1) != FILLER)
        {
            fail(new IllegalStateException(
                "echo of " + filler.capacity() + " bytes with the same last byte expected, found " + length));
            return;
        }
        deliver(stampNs, received.getLong(0));
    }

    private void deliver(final long stampNs, final long sequence)
    {
        try
        {
            handler.onEcho(stampNs, sequence);
        }
        catch (final RuntimeException ex)
        {
            fail(ex);
        }
    }

    @Override
    public void onError(final long correlationId, final int methodId, final StatusCode code, final String text)
    {
        fail(new IllegalStateException("call ended with " + code + ": " + text));
    }
}
