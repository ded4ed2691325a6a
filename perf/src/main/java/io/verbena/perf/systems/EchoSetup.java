/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf.systems;

import java.nio.file.Path;

/**
 * What a system is told when one of its ends starts.
 *
 * @param payloadLength bytes of a message.
 * @param closedLoop    whether one message at a time is in flight.
 * @param workload      what the run is about.
 * @param directory     a folder in shared memory for this process alone; removed after the run.
 */
public record EchoSetup(int payloadLength, boolean closedLoop, Workload workload, Path directory)
{
}
