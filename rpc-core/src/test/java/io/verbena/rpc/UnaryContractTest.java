/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

/**
 * What holds of unary calls over each transport: subclass it, say how to make a transport and an address.
 */
public abstract class UnaryContractTest extends UnaryConnectionContract
{
    /**
     * For subclasses.
     */
    protected UnaryContractTest()
    {
    }
}
