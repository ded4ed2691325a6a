/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.aeron;

import java.net.StandardSocketOptions;
import java.util.concurrent.TimeUnit;

import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;

/**
 * The options of the media driver that a transport embeds.
 */
final class EmbeddedDriver
{
    private static final int STATUS_MESSAGES_PER_LIVENESS = 40;
    private static final int TIMERS_PER_LIVENESS = 20;
    private static final int MAX_WINDOW = 128 * 1024;
    // For 16,384 counters, 10 of them for a pair of UDP streams; Aeron's default makes a driver cost 47 MiB.
    private static final int COUNTERS_LENGTH = 2 * 1024 * 1024;

    private EmbeddedDriver()
    {
    }

    static MediaDriver.Context context(final AeronTransport.Context ctx, final String directory)
    {
        return new MediaDriver.Context()
            .aeronDirectoryName(directory)
            .threadingMode(ctx.driverInvoker() ? ThreadingMode.INVOKER : ThreadingMode.SHARED)
            .asyncExecutorEnabled(false)
            .dirDeleteOnStart(true)
            .dirDeleteOnShutdown(true)
            .warnIfDirectoryExists(false)
            .counterValuesBufferLength(COUNTERS_LENGTH)
            .publicationTermBufferLength(ctx.udpTermLength())
            .ipcTermBufferLength(ctx.ipcTermLength())
            .mtuLength(ctx.udpMtu())
            .ipcMtuLength(ctx.ipcMtu())
            .initialWindowLength(Math.max(ctx.udpMtu(), Math.min(MAX_WINDOW, ctx.udpTermLength() / 2)))
            .socketSndbufLength(SocketBuffers.allowed(ctx.socketSndbufLength(), StandardSocketOptions.SO_SNDBUF))
            .socketRcvbufLength(SocketBuffers.allowed(ctx.socketRcvbufLength(), StandardSocketOptions.SO_RCVBUF))
            .driverTimeoutMs(TimeUnit.NANOSECONDS.toMillis(ctx.livenessTimeoutNs()))
            .clientLivenessTimeoutNs(ctx.livenessTimeoutNs())
            .imageLivenessTimeoutNs(ctx.livenessTimeoutNs())
            .publicationConnectionTimeoutNs(ctx.livenessTimeoutNs())
            .publicationLingerTimeoutNs(ctx.livenessTimeoutNs())
            .publicationUnblockTimeoutNs(2 * ctx.livenessTimeoutNs())
            .untetheredWindowLimitTimeoutNs(ctx.livenessTimeoutNs())
            .untetheredRestingTimeoutNs(ctx.livenessTimeoutNs())
            .statusMessageTimeoutNs(ctx.livenessTimeoutNs() / STATUS_MESSAGES_PER_LIVENESS)
            .timerIntervalNs(ctx.livenessTimeoutNs() / TIMERS_PER_LIVENESS);
    }
}
