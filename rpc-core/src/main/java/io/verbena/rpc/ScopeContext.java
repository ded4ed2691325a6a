/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

/**
 * Something that goes with a call and with the calls made on its behalf, such as the trace they belong to. An
 * interceptor gives it to a call at the server by {@link CallInfo#scopeContext(ScopeContext)}; whoever makes calls may
 * set another one by {@link CallScope#with(ScopeContext)}; {@link CallScope#currentContext()} tells it, interceptors of
 * the client included.
 */
public interface ScopeContext
{
    /**
     * Called when a scope is to outlive the handler that it began in.
     *
     * @return what says the same and stays valid when the call has ended: this itself if it does.
     */
    ScopeContext retain();
}
