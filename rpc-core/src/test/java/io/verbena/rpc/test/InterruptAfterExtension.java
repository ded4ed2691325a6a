/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc.test;

import java.io.PrintStream;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * Does what {@link InterruptAfter} says, with one watching thread for each invocation.
 */
public final class InterruptAfterExtension implements InvocationInterceptor
{
    private final PrintStream out;

    /**
     * Created by JUnit.
     */
    public InterruptAfterExtension()
    {
        this(System.err);
    }

    InterruptAfterExtension(final PrintStream out)
    {
        this.out = out;
    }

    @Override
    public void interceptTestMethod(
        final Invocation<Void> invocation,
        final ReflectiveInvocationContext<Method> invocationContext,
        final ExtensionContext extensionContext) throws Throwable
    {
        guard(invocation, extensionContext);
    }

    @Override
    public void interceptTestTemplateMethod(
        final Invocation<Void> invocation,
        final ReflectiveInvocationContext<Method> invocationContext,
        final ExtensionContext extensionContext) throws Throwable
    {
        guard(invocation, extensionContext);
    }

    private void guard(final Invocation<Void> invocation, final ExtensionContext context) throws Throwable
    {
        final InterruptAfter bound = AnnotationSupport.findAnnotation(context.getTestMethod(), InterruptAfter.class)
            .or(() -> AnnotationSupport.findAnnotation(context.getTestClass(), InterruptAfter.class))
            .orElseThrow();
        final Watch watch = new Watch(Thread.currentThread(), bound.value(), context.getDisplayName(), out);
        watch.thread.start();
        Throwable failure = null;
        try
        {
            invocation.proceed();
        }
        catch (final Throwable t)
        {
            failure = t;
        }
        if (watch.end())
        {
            final TimeoutException timeout =
                new TimeoutException(context.getDisplayName() + " ran for more than " + bound.value() + " s");
            if (failure != null)
            {
                timeout.addSuppressed(failure);
            }
            throw timeout;
        }
        if (failure != null)
        {
            throw failure;
        }
    }

    /**
     * Waits for the bound beside the test's thread.
     */
    private static final class Watch implements Runnable
    {
        private final Thread watched;
        private final long deadlineNs;
        private final String name;
        private final PrintStream out;
        private final Thread thread;
        private boolean ended;
        private boolean interrupted;

        Watch(final Thread watched, final long seconds, final String name, final PrintStream out)
        {
            this.out = out;
            this.watched = watched;
            this.name = name;
            deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
            thread = new Thread(this, "interrupt-after");
            thread.setDaemon(true);
        }

        @Override
        public void run()
        {
            long remainingNs;
            while ((remainingNs = deadlineNs - System.nanoTime()) > 0)
            {
                LockSupport.parkNanos(remainingNs);
                if (isEnded())
                {
                    return;
                }
            }
            final String stacks = stacks();
            synchronized (this)
            {
                if (ended)
                {
                    return;
                }
                interrupted = true;
                watched.interrupt();
            }
            out.println(name + " is interrupted; all threads:\n" + stacks);
        }

        private synchronized boolean isEnded()
        {
            return ended;
        }

        /**
         * The test has returned.
         *
         * @return true if that was because of the bound.
         */
        boolean end() throws InterruptedException
        {
            synchronized (this)
            {
                ended = true;
                if (interrupted)
                {
                    // The interrupt was for the test alone: what comes after it must not see it.
                    Thread.interrupted();
                }
            }
            LockSupport.unpark(thread);
            thread.join();
            return interrupted;
        }

        private static String stacks()
        {
            final StringBuilder text = new StringBuilder();
            for (final Map.Entry<Thread, StackTraceElement[]> entry : Thread.getAllStackTraces().entrySet())
            {
                text.append(entry.getKey()).append('\n');
                for (final StackTraceElement element : entry.getValue())
                {
                    text.append("    at ").append(element).append('\n');
                }
            }
            return text.toString();
        }
    }
}
