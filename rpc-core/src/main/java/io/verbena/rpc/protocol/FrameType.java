/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc.protocol;

/**
 * The values of a frame's type field. Plain bytes, since they are compared on every message.
 */
public final class FrameType
{
    /** Client to server, first on a connection: versions, limits, incarnation. */
    public static final int HELLO = 1;

    /** Server to client, the answer to {@link #HELLO}: limits and the services that are there. */
    public static final int HELLO_ACK = 2;

    /** A call, or a part of one. */
    public static final int REQUEST = 3;

    /** The successful end of a call, or a part of it. */
    public static final int RESPONSE = 4;

    /** An item of a stream, or a part of one. */
    public static final int STREAM = 5;

    /** Flow-control credit for a stream or for the connection. */
    public static final int CREDIT = 6;

    /** The caller has lost interest in a call. */
    public static final int CANCEL = 7;

    /** The end of the sender's items: from a server, the successful end of the call. */
    public static final int HALF_CLOSE = 8;

    /** The failed end of a call, or of the handshake: status, text, detail. */
    public static final int ERROR = 9;

    /** Asks for a {@link #PONG} with the same correlation id. */
    public static final int PING = 10;

    /** Answers a {@link #PING}. */
    public static final int PONG = 11;

    /** The server takes no new calls on this connection; those in flight are finished. */
    public static final int GO_AWAY = 12;

    private FrameType()
    {
    }

    /**
     * Whether frames of a type carry a call's message, which may be compressed.
     *
     * @param frameType value of the field.
     * @return true for requests, responses and items.
     */
    public static boolean isMessage(final int frameType)
    {
        return frameType == REQUEST || frameType == RESPONSE || frameType == STREAM;
    }

    /**
     * The name of a type, for messages.
     *
     * @param frameType value of the field.
     * @return its name, or the number where it has none.
     */
    public static String name(final int frameType)
    {
        return switch (frameType)
        {
            case HELLO -> "HELLO";
            case HELLO_ACK -> "HELLO_ACK";
            case REQUEST -> "REQUEST";
            case RESPONSE -> "RESPONSE";
            case STREAM -> "STREAM";
            case CREDIT -> "CREDIT";
            case CANCEL -> "CANCEL";
            case HALF_CLOSE -> "HALF_CLOSE";
            case ERROR -> "ERROR";
            case PING -> "PING";
            case PONG -> "PONG";
            case GO_AWAY -> "GO_AWAY";
            default -> "frame type " + frameType;
        };
    }
}
