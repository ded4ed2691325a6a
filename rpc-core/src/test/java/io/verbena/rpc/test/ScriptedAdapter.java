/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc.test;

import io.verbena.rpc.MethodKind;
import io.verbena.rpc.ServerCall;
import io.verbena.rpc.ServiceAdapter;
import io.verbena.rpc.StatusCode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
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

    /**
     * What a method that streams does when it is told something.
     */
    public interface StreamScript
    {
        /**
         * The client has half-closed, or items can be sent again.
         *
         * @param call to go on with.
         */
        void on(ServerCall call);
    }

    /**
     * A call that streamed and has ended.
     *
     * @param connectionId  of the call.
     * @param correlationId of the call.
     * @param methodId      of the method.
     * @param attachment    of the call, or null.
     * @param status        it ended with.
     */
    public record Ended(
        long connectionId, long correlationId, int methodId, Object attachment, StatusCode status)
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
    private final Map<Integer, MethodKind> kinds = new HashMap<>();
    private final Map<Integer, Script> itemScripts = new HashMap<>();
    private final Map<Integer, StreamScript> halfCloseScripts = new HashMap<>();
    private final Map<Integer, StreamScript> readyScripts = new HashMap<>();
    private final Set<Integer> manualMethods = new HashSet<>();
    private final List<Ended> ended = new ArrayList<>();
    private boolean recordsEnds = true;
    private Consumer<Ended> onEnded = end -> {};
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
     * Sets that a method streams.
     *
     * @param methodId  of the method.
     * @param kind      of the method.
     * @param onRequest to run when a call begins.
     * @return this.
     */
    public ScriptedAdapter on(final int methodId, final MethodKind kind, final Script onRequest)
    {
        kinds.put(methodId, kind);
        return on(methodId, onRequest);
    }

    /**
     * Sets what a method does with an item.
     *
     * @param methodId of the method.
     * @param script   to run on each item.
     * @return this.
     */
    public ScriptedAdapter onItem(final int methodId, final Script script)
    {
        itemScripts.put(methodId, script);
        return this;
    }

    /**
     * Sets what a method does when its client has half-closed.
     *
     * @param methodId of the method.
     * @param script   to run then.
     * @return this.
     */
    public ScriptedAdapter onHalfClosed(final int methodId, final StreamScript script)
    {
        halfCloseScripts.put(methodId, script);
        return this;
    }

    /**
     * Sets what a method does when it can send again.
     *
     * @param methodId of the method.
     * @param script   to run then.
     * @return this.
     */
    public ScriptedAdapter onReady(final int methodId, final StreamScript script)
    {
        readyScripts.put(methodId, script);
        return this;
    }

    /**
     * Sets that a method grants by itself.
     *
     * @param methodId of the method.
     * @return this.
     */
    public ScriptedAdapter grantsManually(final int methodId)
    {
        manualMethods.add(methodId);
        return this;
    }

    /**
     * Sets whether ends of streams are recorded, which allocates.
     *
     * @param records true, the default.
     */
    public void recordsEnds(final boolean records)
    {
        recordsEnds = records;
    }

    /**
     * Sets what to do when a call that streams has ended.
     *
     * @param action done after recording.
     */
    public void onEnded(final Consumer<Ended> action)
    {
        onEnded = action;
    }

    /**
     * The calls that streamed and have ended.
     *
     * @return in order.
     */
    public List<Ended> ended()
    {
        return ended;
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

    @Override
    public MethodKind methodKind(final int methodId)
    {
        final MethodKind kind = kinds.get(methodId);
        return kind == null ? MethodKind.UNARY : kind;
    }

    @Override
    public void onItem(
        final ServerCall call, final int methodId, final DirectBuffer buffer, final int offset, final int length)
    {
        buffer.boundsCheck(offset, length);
        final Script script = itemScripts.get(methodId);
        if (script != null)
        {
            script.onRequest(call, buffer, offset, length);
        }
    }

    @Override
    public void onHalfClosed(final ServerCall call, final int methodId)
    {
        final StreamScript script = halfCloseScripts.get(methodId);
        if (script != null)
        {
            script.on(call);
        }
    }

    @Override
    public void onReady(final ServerCall call, final int methodId)
    {
        final StreamScript script = readyScripts.get(methodId);
        if (script != null)
        {
            script.on(call);
        }
    }

    @Override
    public void onEnded(
        final long connectionId,
        final long correlationId,
        final int methodId,
        final Object attachment,
        final StatusCode status)
    {
        if (recordsEnds)
        {
            final Ended end = new Ended(connectionId, correlationId, methodId, attachment, status);
            ended.add(end);
            onEnded.accept(end);
        }
    }

    @Override
    public boolean isGrantAutomatic(final int methodId)
    {
        return !manualMethods.contains(methodId);
    }
}
