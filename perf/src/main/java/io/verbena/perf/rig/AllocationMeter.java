/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf.rig;

import com.sun.management.ThreadMXBean;

import java.lang.management.ManagementFactory;

/**
 * Bytes that this process has put on the heap, by all of its threads, those that have ended too, but for the rig's
 * control thread.
 */
final class AllocationMeter
{
    private final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
    private final long controlThreadId;

    AllocationMeter(final Thread controlThread)
    {
        controlThreadId = controlThread.threadId();
        if (!threads.isThreadAllocatedMemorySupported())
        {
            throw new IllegalStateException("this JVM does not count the bytes that a thread allocates");
        }
        threads.setThreadAllocatedMemoryEnabled(true);
    }

    long allocatedBytes()
    {
        return threads.getTotalThreadAllocatedBytes() - threads.getThreadAllocatedBytes(controlThreadId);
    }
}
