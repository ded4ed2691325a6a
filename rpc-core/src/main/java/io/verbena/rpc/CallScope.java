/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import io.verbena.rpc.protocol.FrameHeader;

/**
 * The call at a server on whose behalf a thread makes calls of its own. Those take over what is left of its time, where
 * that is less than their own timeout, and are cancelled when it ends unanswered: by cancel, deadline, or the end of
 * its connection.
 * <p>
 * While a handler runs on the server's thread its call's scope is entered by itself. What runs later or on another
 * thread, for a call that was detached, enters it with {@link ServerCall#enter()}:
 * <pre>
 *     try (CallScope scope = call.enter())
 *     {
 *         ... calls made here, by whichever face
 *     }
 * </pre>
 * and calls that should outlive their caller's are made within {@link #detached()}. The scope counts at the moment a
 * call is made: claimed, offered, opened or handed over.
 * <p>
 * <b>Threading:</b> an instance that is closed belongs to the thread that opened it; {@link #remainingNs()},
 * {@link #isEnded()} and {@link #enter()} may be used by any thread.
 */
public final class CallScope implements AutoCloseable
{
    /**
     * What one thread is doing.
     */
    static final class Current
    {
        /** Opened last by this thread, null if none is. */
        private CallScope top;
        /** The call whose handler runs, null if none does. Counts where no scope was opened since. */
        private ServerCall handled;

        /**
         * A handler is about to run.
         */
        void handle(final ServerCall call)
        {
            handled = call;
            top = null;
        }

        CallScope top()
        {
            return top;
        }

        ServerCall handled()
        {
            return handled;
        }

        /**
         * A handler or callback has returned: back to what was before it.
         */
        void restore(final ServerCall formerHandled, final CallScope formerTop)
        {
            handled = formerHandled;
            top = formerTop;
        }

        /**
         * On whose behalf calls are made, or null.
         */
        NestedCalls nested()
        {
            if (top != null)
            {
                return top.nested;
            }
            return handled == null ? null : handled.nested();
        }

        /**
         * What goes with the calls that are made, or null.
         */
        ScopeContext context()
        {
            if (top != null)
            {
                return top.context;
            }
            return handled == null ? null : handled.scopeContext();
        }
    }

    private static final ThreadLocal<Current> CURRENT = ThreadLocal.withInitial(Current::new);

    /** Set for good by the first server of the process: without one, calls need not ask on whose behalf they are. */
    private static boolean isInUse;

    /** Null: calls are made on nobody's behalf. */
    private final NestedCalls nested;
    private final ScopeContext context;
    private final Current owner;
    private final CallScope former;
    private boolean isClosed;

    private CallScope(final NestedCalls nested, final ScopeContext context, final Current owner)
    {
        this.nested = nested;
        this.context = context;
        this.owner = owner;
        this.former = owner == null ? null : owner.top;
    }

    /**
     * The scope that calls made by this thread belong to.
     *
     * @return the scope, to be entered on other threads; null if this thread makes calls on nobody's behalf and with
     *     no context.
     */
    public static CallScope current()
    {
        final NestedCalls nested = currentNested();
        final ScopeContext context = currentContext();
        return nested == null && context == null ? null :
            new CallScope(nested, context == null ? null : context.retain(), null);
    }

    /**
     * Makes this thread make calls on nobody's behalf until the scope is closed: they have their own timeouts alone and
     * go on when the call at the server has ended. The {@link #currentContext()} stays.
     *
     * @return the scope, to be closed by this thread.
     */
    public static CallScope detached()
    {
        return open(null, currentContext());
    }

    /**
     * Makes this thread make calls with a context until the scope is closed; on whose behalf they are stays as it is.
     *
     * @param context that they go with; null for none.
     * @return the scope, to be closed by this thread.
     */
    public static CallScope with(final ScopeContext context)
    {
        use();
        return open(currentNested(), context);
    }

    /**
     * What goes with the calls that this thread makes: what an interceptor gave the call that is handled, or what
     * {@link #with(ScopeContext)} has set since.
     *
     * @return the context; null if there is none. Valid until the call has ended (by its answer, for one), its handler
     *     has returned, or the scope is closed.
     */
    public static ScopeContext currentContext()
    {
        return isInUse ? CURRENT.get().context() : null;
    }

    /**
     * Makes this thread make calls in this scope until the returned one is closed. Any thread.
     *
     * @return the scope, to be closed by this thread.
     */
    public CallScope enter()
    {
        return open(nested, context);
    }

    /**
     * How long the call at the server may still take.
     *
     * @return nanoseconds, 0 once that has passed; {@link Long#MAX_VALUE} where there is no deadline or the scope is a
     *     detached one.
     */
    public long remainingNs()
    {
        return nested == null ? FrameHeader.NO_TIMEOUT : nested.remainingNs();
    }

    /**
     * Whether the call at the server has ended unanswered, so that nobody waits for what is done here.
     *
     * @return true if so; a call that was answered is not told.
     */
    public boolean isEnded()
    {
        return nested != null && nested.cause() != null;
    }

    /**
     * Leaves the scope: the thread is where it was before. Scopes are closed in the reverse order of their opening; one
     * that a handler leaves open is left when the handler returns. Idempotent.
     *
     * @throws IllegalStateException if another thread has opened it, or another scope was opened since.
     */
    @Override
    public void close()
    {
        if (!isClosed && owner != null)
        {
            if (owner.top != this || CURRENT.get() != owner)
            {
                throw new IllegalStateException(
                    "a call's scope is closed by the thread that opened it, and before those it had opened earlier");
            }
            isClosed = true;
            owner.top = former;
        }
    }

    /**
     * There is a server in this process.
     */
    static void use()
    {
        isInUse = true;
    }

    static boolean isInUse()
    {
        return isInUse;
    }

    /**
     * What the calling thread is doing; to be kept by who comes here often.
     */
    static Current ofThread()
    {
        return CURRENT.get();
    }

    /**
     * On whose behalf the calling thread makes calls, or null.
     */
    static NestedCalls currentNested()
    {
        return isInUse ? CURRENT.get().nested() : null;
    }

    static CallScope open(final NestedCalls nested, final ScopeContext context)
    {
        final Current current = CURRENT.get();
        final CallScope scope = new CallScope(nested, context, current);
        current.top = scope;
        return scope;
    }
}
