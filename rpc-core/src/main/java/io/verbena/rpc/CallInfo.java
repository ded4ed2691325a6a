/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

/**
 * The call that an interceptor is told about. One instance is reused for all calls: valid until the interceptor
 * returns.
 */
public final class CallInfo
{
    private final boolean isServerSide;
    private final Object[] attachments;
    private ScopeContext[] contexts;
    private final int interceptorCount;
    private int attachmentIndex;
    private int serviceId;
    private int methodId;
    private MethodKind kind;
    private long connectionId;
    private long correlationId;
    private long startNs;

    CallInfo(final boolean isServerSide, final int capacity, final int interceptorCount)
    {
        this.isServerSide = isServerSide;
        this.interceptorCount = interceptorCount;
        this.attachments = new Object[capacity * interceptorCount];
    }

    /**
     * The service that is called.
     *
     * @return its id, 1 to 65535.
     */
    public int serviceId()
    {
        return serviceId;
    }

    /**
     * The method that is called.
     *
     * @return its id, as the schema has it.
     */
    public int methodId()
    {
        return methodId;
    }

    /**
     * The kind of the method.
     *
     * @return the kind.
     */
    public MethodKind kind()
    {
        return kind;
    }

    /**
     * The connection that the call is made on.
     *
     * @return its id, unique within the client or server.
     */
    public long connectionId()
    {
        return connectionId;
    }

    /**
     * The call's id, unique on its connection.
     *
     * @return the id, positive.
     */
    public long correlationId()
    {
        return correlationId;
    }

    /**
     * When the interceptors were first told of the call.
     *
     * @return nanoseconds by the clock of the client or server.
     */
    public long startNs()
    {
        return startNs;
    }

    /**
     * Which side this is.
     *
     * @return true at the server, false at the client.
     */
    public boolean isServerSide()
    {
        return isServerSide;
    }

    /**
     * Keeps an object for the interceptor that is running, until the call ends: each interceptor has one for each call.
     *
     * @param attachment to keep; null for none.
     */
    public void attach(final Object attachment)
    {
        attachments[attachmentIndex] = attachment;
    }

    /**
     * What the interceptor that is running has kept for this call.
     *
     * @return the object, or null.
     */
    public Object attachment()
    {
        return attachments[attachmentIndex];
    }

    /**
     * Gives the call a context, which goes with the calls that are made on its behalf: see
     * {@link CallScope#currentContext()}. One for each call, until it ends. At the server; at the client it does
     * nothing.
     *
     * @param context of the call; null for none.
     */
    public void scopeContext(final ScopeContext context)
    {
        if (contexts == null && isServerSide)
        {
            contexts = new ScopeContext[attachments.length / interceptorCount];
        }
        if (contexts != null)
        {
            contexts[attachmentIndex / interceptorCount] = context;
        }
    }

    ScopeContext scopeContext(final int slot)
    {
        return contexts == null ? null : contexts[slot];
    }

    void clearScopeContext(final int slot)
    {
        if (contexts != null)
        {
            contexts[slot] = null;
        }
    }

    void set(
        final int newServiceId,
        final int newMethodId,
        final MethodKind newKind,
        final long newConnectionId,
        final long newCorrelationId,
        final long newStartNs)
    {
        serviceId = newServiceId;
        methodId = newMethodId;
        kind = newKind;
        connectionId = newConnectionId;
        correlationId = newCorrelationId;
        startNs = newStartNs;
    }

    /**
     * The interceptor that runs next.
     */
    CallInfo by(final int slot, final int interceptor)
    {
        attachmentIndex = slot * interceptorCount + interceptor;
        return this;
    }

    void clearAttachment()
    {
        attachments[attachmentIndex] = null;
    }
}
