/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf.systems;

/**
 * Is told of each echo that a client received.
 */
@FunctionalInterface
public interface EchoHandler
{
    /**
     * An echo arrived whole and with the right length.
     *
     * @param stampNs  the stamp that went out with the message, in nanoseconds of the client's clock.
     * @param sequence the number that went out with the message.
     */
    void onEcho(long stampNs, long sequence);
}
