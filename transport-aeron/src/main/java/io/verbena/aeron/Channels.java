/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.aeron;

import java.net.StandardSocketOptions;

import io.aeron.ChannelUriStringBuilder;
import io.aeron.CommonContext;

/**
 * The channels of both sides, by response channels. {@code P} is the port of the address:
 * <pre>
 *   client                                              server
 *   publication   endpoint=host:P          ---------->  subscription  endpoint=host:P
 *                 response-correlation-id=(its subscription)
 *   subscription  control=host:P+1         <----------  publication   control=host:P+1
 *                 control-mode=response                               control-mode=response
 *                                                                     response-correlation-id=(the client's image)
 * </pre>
 * The client's socket asks at P+1 for the responses, so it needs no port that anybody must know. The two sides need two
 * ports, because each belongs to a socket of its own. On IPC the same parameters work without hosts and ports.
 */
final class Channels
{
    private static final String PROTOTYPE = "prototype";

    private final AeronTransport.Context ctx;
    private final int sndbufLength;
    private final int rcvbufLength;

    Channels(final AeronTransport.Context ctx)
    {
        this.ctx = ctx;
        sndbufLength = SocketBuffers.allowed(ctx.socketSndbufLength(), StandardSocketOptions.SO_SNDBUF);
        rcvbufLength = SocketBuffers.allowed(ctx.socketRcvbufLength(), StandardSocketOptions.SO_RCVBUF);
    }

    String requestSubscription(final AeronAddress address)
    {
        return address.isUdp() ? udpSocket().endpoint(address.endpoint()).build() : ipc().build();
    }

    String requestPublication(final AeronAddress address, final long responseSubscriptionId)
    {
        final ChannelUriStringBuilder channel = address.isUdp() ?
            udpPublication().endpoint(address.endpoint()) : ipcPublication();
        return channel.responseCorrelationId(responseSubscriptionId).build();
    }

    String responseSubscription(final AeronAddress address)
    {
        return (address.isUdp() ? udpSocket().controlEndpoint(address.responseEndpoint()) : ipc())
            .controlMode(CommonContext.CONTROL_MODE_RESPONSE).build();
    }

    String responsePublication(final AeronAddress address, final long requestImageId)
    {
        return response(address).responseCorrelationId(requestImageId).build();
    }

    /** Holds the socket of the responses open from the start, so that a taken port is found when listening. */
    String responsePrototype(final AeronAddress address)
    {
        return response(address).responseCorrelationId(PROTOTYPE).build();
    }

    private ChannelUriStringBuilder response(final AeronAddress address)
    {
        return (address.isUdp() ? udpPublication().controlEndpoint(address.responseEndpoint()) : ipcPublication())
            .controlMode(CommonContext.CONTROL_MODE_RESPONSE);
    }

    private ChannelUriStringBuilder udpPublication()
    {
        return udpSocket().termLength(ctx.udpTermLength()).mtu(ctx.udpMtu());
    }

    private ChannelUriStringBuilder udpSocket()
    {
        final ChannelUriStringBuilder channel = new ChannelUriStringBuilder().media(CommonContext.UDP_MEDIA);
        if (sndbufLength > 0)
        {
            channel.socketSndbufLength(sndbufLength);
        }
        if (rcvbufLength > 0)
        {
            channel.socketRcvbufLength(rcvbufLength);
        }
        return channel;
    }

    private ChannelUriStringBuilder ipcPublication()
    {
        return ipc().termLength(ctx.ipcTermLength()).mtu(ctx.ipcMtu());
    }

    private static ChannelUriStringBuilder ipc()
    {
        return new ChannelUriStringBuilder().media(CommonContext.IPC_MEDIA);
    }
}
