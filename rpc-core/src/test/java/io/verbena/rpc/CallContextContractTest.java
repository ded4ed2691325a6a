/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

/**
 * What goes with calls besides their messages: metadata, interceptors, scopes, compression and checksums. Every
 * transport's own test extends this, as with {@link UnaryContractTest}.
 */
public abstract class CallContextContractTest extends CodecContract
{
}
