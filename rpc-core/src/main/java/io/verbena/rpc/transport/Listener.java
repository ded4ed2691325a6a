/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc.transport;

/**
 * A listening address of a {@link Transport}. Belongs to the transport's thread.
 */
public interface Listener extends AutoCloseable
{
    /**
     * The address that peers connect to, with the port that was really bound where port 0 was asked for.
     *
     * @return the bound address as a URI.
     */
    String address();

    /**
     * Stops accepting. Connections already made live on. Idempotent.
     */
    @Override
    void close();
}
