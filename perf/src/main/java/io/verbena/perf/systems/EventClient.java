/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf.systems;

/**
 * A client with an event loop of its own, which drives the load from there: in a closed loop it sends the next
 * message in the handler of the last response; at a rate its event loop watches the clock.
 */
public non-sealed interface EventClient extends EchoClient
{
    /**
     * Runs a load to its end. Called by the rig's main thread, which waits without using the CPU.
     *
     * @param load to run; touched by the event loop alone until this returns.
     * @throws InterruptedException  when the caller is interrupted.
     * @throws IllegalStateException when the load could not be run to its end.
     */
    void run(PacedLoad load) throws InterruptedException;
}
