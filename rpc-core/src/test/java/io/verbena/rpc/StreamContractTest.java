/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

/**
 * What holds of calls that stream over each transport: subclass it, say how to make a transport and an address. All
 * parts of the contract are inherited.
 */
public abstract class StreamContractTest extends StreamEndingsContract
{
    /**
     * For subclasses.
     */
    protected StreamContractTest()
    {
    }
}
