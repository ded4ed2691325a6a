/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc.test;

import io.verbena.rpc.ServerCall;
import io.verbena.rpc.ServiceAdapter;
import io.verbena.rpc.StatusCode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.agrona.DirectBuffer;

/**
 * A service without generated code: what each method does is the test's. Methods without a script echo.
 */
public final class ScriptedAdapter implements ServiceAdapter
{
    /**
     * What a method does.
     */
    public interface Script
    {
        /**
         * A request has arrived.
         *
         * @param call   to answer it with.
         * @param buffer that holds the payload.
         * @param offset of the payload.
         * @param length of the payload.
         */
        void onRequest(ServerCall call, DirectBuffer buffer, int offset, int length);
    }

    /**
     * A call that ended before it was answered.
     *
     * @param connectionId  of the call.
     * @param correlationId of the call.
     * @param methodId      of the method.
     * @param cause         why.
     */
    public record Cancelled(long connectionId, long correlationId, int methodId, StatusCode cause)
    {
    }

    /** Answers with the request. */
    public static final Script ECHO =
        (call, buffer, offset, length) ->
        {
            call.claim(length);
            call.buffer().putBytes(call.offset(), buffer, offset, length);
            call.send(length);
        };

    private final int serviceId;
    private final Map<Integer, Script> scripts = new HashMap<>();
    private final List<Cancelled> cancelled = new ArrayList<>();
    private Runnable onCancelled = () -> {};
    private int requestCount;

    /**
     * A service of echo methods.
     *
     * @param serviceId of the service.
     */
    public ScriptedAdapter(final int serviceId)
    {
        this.serviceId = serviceId;
    }

    /**
     * Sets what a method does.
     *
     * @param methodId of the method.
     * @param script   to run on each request.
     * @return this.
     */
    public ScriptedAdapter on(final int methodId, final Script script)
    {
        scripts.put(methodId, script);
        return this;
    }

    /**
     * Sets what to do when a call is cancelled.
     *
     * @param action done after recording.
     */
    public void onCancelled(final Runnable action)
    {
        onCancelled = action;
    }

    /**
     * How many requests were handled.
     *
     * @return a count.
     */
    public int requestCount()
    {
        return requestCount;
    }

    /**
     * The calls that were told to have ended unanswered.
     *
     * @return in order.
     */
    public List<Cancelled> cancelled()
    {
        return cancelled;
    }

    @Override
    public int serviceId()
    {
        return serviceId;
    }

    @Override
    public String serviceName()
    {
        return "Scripted";
    }

    @Override
    public int schemaId()
    {
        return 1;
    }

    @Override
    public int schemaVersion()
    {
        return 0;
    }

    @Override
    public void onRequest(
        final ServerCall call, final int methodId, final DirectBuffer buffer, final int offset, final int length)
    {
        requestCount++;
        buffer.boundsCheck(offset, length);
        final Script script = scripts.get(methodId);
        (script == null ? ECHO : script).onRequest(call, buffer, offset, length);
    }

    @Override
    public void onCancelled(
        final long connectionId, final long correlationId, final int methodId, final StatusCode cause)
    {
        cancelled.add(new Cancelled(connectionId, correlationId, methodId, cause));
        onCancelled.run();
    }
}
