/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf.rig;

import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;

/**
 * Whether the JVM's compiler is still busy. On a machine with as many cores as spinning ends it takes its time from
 * them, so a warm-up must outlast it.
 */
final class CompilerWatch
{
    /** Share of a core that counts as busy. */
    private static final double BUSY_SHARE = 0.05;

    private final CompilationMXBean compiler = ManagementFactory.getCompilationMXBean();
    private final boolean isKnown = compiler != null && compiler.isCompilationTimeMonitoringSupported();
    private long lastTimeNs = System.nanoTime();
    private long lastCompilationMs = compilationMs();

    private long compilationMs()
    {
        return isKnown ? compiler.getTotalCompilationTime() : 0;
    }

    /**
     * Whether it was busy since the last question.
     *
     * @return false when it was not, or when nothing is known.
     */
    boolean wasBusy()
    {
        final long nowNs = System.nanoTime();
        final long nowMs = compilationMs();
        final double share = (nowMs - lastCompilationMs) * 1e6 / Math.max(1, nowNs - lastTimeNs);
        lastTimeNs = nowNs;
        lastCompilationMs = nowMs;
        return share > BUSY_SHARE;
    }
}
