/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import io.verbena.rpc.protocol.FrameHeader;
import io.verbena.rpc.protocol.FrameType;
import io.verbena.rpc.protocol.HelloPayload;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A server's part of the handshake.
 */
final class ServerGreeting
{
    private ServerGreeting()
    {
    }

    /**
     * Sends HELLO_ACK: what this side takes, and which services it has.
     */
    static void send(final ServerCore core, final Link link, final int incarnation)
    {
        final RpcServer.Context context = core.context();
        final List<ServiceAdapter> told = core.builtins().all();
        final int count = told.size();
        final int length = HelloPayload.HEADER_LENGTH + count * HelloPayload.SERVICE_LENGTH;
        final UnsafeBuffer buffer = core.pool().acquire(FrameHeader.LENGTH + length);
        HelloPayload.encode(
            buffer, FrameHeader.LENGTH, incarnation, context.maxCallsInFlight(), context.maxMessageLength(), count);
        HelloPayload.encodeCredit(
            buffer, FrameHeader.LENGTH, context.streamWindowItems(), context.streamWindowBytes(),
            context.connectionWindowBytes());
        HelloPayload.encodeCapabilities(buffer, FrameHeader.LENGTH, context.maxMetadataLength(),
            PayloadDecoder.capabilities(context.codecs()));
        for (int i = 0; i < count; i++)
        {
            final ServiceAdapter service = told.get(i);
            HelloPayload.encodeService(
                buffer, FrameHeader.LENGTH, i, service.serviceId(), service.schemaId(), service.schemaVersion());
        }
        link.outbox().add(
            buffer, FrameType.HELLO_ACK, 0, 0, 0, (long)incarnation << 48, FrameHeader.NO_TIMEOUT, 0, length, null);
        link.drain();
    }
}
