/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.AgentRunner;
import org.agrona.concurrent.AgentTerminationException;

/**
 * Runs an agent on a thread of its own or on the caller's, and brings tasks of other threads to it.
 */
final class AgentHost
{
    private static final int MAX_TASKS_PER_CYCLE = 256;
    private static final long CLOSE_SLACK_MS = 3_000;
    private static final long NS_PER_MS = 1_000_000L;

    private final Agent agent;
    private final AgentContext<?> context;
    private final AgentRunner runner;
    // not an array queue: its poll may find nothing while an offer that has returned lies behind one that has not
    private final ConcurrentLinkedQueue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final AtomicInteger taskCount = new AtomicInteger();
    private volatile boolean isClosed;
    private boolean isInCycle;
    private boolean isCloseRequested;

    AgentHost(final Agent agent, final AgentContext<?> context)
    {
        this.agent = agent;
        this.context = context;
        this.runner = context.useAgentInvoker() ? null :
            new AgentRunner(context.idleStrategy(), this::onError, null, new Cycle());
    }

    void start()
    {
        if (runner != null)
        {
            AgentRunner.startOnThread(runner);
        }
    }

    /**
     * Whether the calling thread is the agent's, or will do as that.
     */
    boolean isOwnThread()
    {
        return runner == null || runner.thread() == Thread.currentThread();
    }

    /**
     * Whether the calling thread is the agent's own.
     */
    boolean isRunnerThread()
    {
        return runner != null && runner.thread() == Thread.currentThread();
    }

    boolean isClosed()
    {
        return isClosed;
    }

    /**
     * Hands a task to the agent's thread. Any thread.
     *
     * @throws RejectedExecutionException if the agent is closed or its queue is full.
     */
    void execute(final Runnable task)
    {
        Objects.requireNonNull(task, "task");
        if (isClosed)
        {
            throw new RejectedExecutionException(agent.roleName() + " is closed");
        }
        if (taskCount.incrementAndGet() > context.taskQueueLength())
        {
            taskCount.decrementAndGet();
            throw new RejectedExecutionException(
                agent.roleName() + ": the queue of " + context.taskQueueLength() + " tasks is full (" +
                RpcConfiguration.TASK_QUEUE_LENGTH_PROP_NAME + ")");
        }
        tasks.add(task);
    }

    int doWork()
    {
        if (runner != null)
        {
            throw new IllegalStateException(
                agent.roleName() + " has a thread of its own: see Context.useAgentInvoker");
        }
        if (isClosed)
        {
            return 0;
        }
        if (isInCycle)
        {
            throw new IllegalStateException(
                agent.roleName() + ": doWork called from within a handler or task that doWork runs");
        }
        try
        {
            return cycle();
        }
        finally
        {
            if (isCloseRequested)
            {
                end();
            }
        }
    }

    /**
     * Ends the agent; from within a handler or task, when the cycle has ended.
     */
    void close()
    {
        if (runner == null ? isInCycle : runner.thread() == Thread.currentThread())
        {
            isCloseRequested = true;
        }
        else if (runner == null)
        {
            end();
        }
        else
        {
            final long retryMs = context.closeTimeoutNs() / NS_PER_MS + CLOSE_SLACK_MS;
            runner.close((int)Math.min(Integer.MAX_VALUE, retryMs), thread -> onError(new IllegalStateException(
                "the thread " + thread.getName() + " does not end: a handler seems to block")));
        }
    }

    private int cycle()
    {
        isInCycle = true;
        try
        {
            int work = 0;
            try
            {
                work = workOf(agent);
            }
            finally
            {
                // whatever the agent threw, tasks are not to starve
                if (taskCount.get() != 0)
                {
                    work += runTasks(MAX_TASKS_PER_CYCLE);
                }
            }
            return work;
        }
        finally
        {
            isInCycle = false;
        }
    }

    private static int workOf(final Agent agent)
    {
        try
        {
            return agent.doWork();
        }
        catch (final RuntimeException ex)
        {
            throw ex;
        }
        catch (final Exception ex)
        {
            throw new IllegalStateException(ex);
        }
    }

    private void end()
    {
        if (isClosed)
        {
            return;
        }
        isClosed = true;
        isInCycle = true;
        try
        {
            agent.onClose();
        }
        catch (final Throwable ex)
        {
            onError(ex);
        }
        finally
        {
            isInCycle = false;
        }
        // a thread that waits for its task finds the agent closed
        runTasks(Integer.MAX_VALUE);
    }

    private int runTasks(final int limit)
    {
        int work = 0;
        Runnable task;
        while (work < limit && (task = tasks.poll()) != null)
        {
            taskCount.decrementAndGet();
            work++;
            try
            {
                task.run();
            }
            catch (final Throwable ex)
            {
                onError(ex);
            }
        }
        return work;
    }

    private void onError(final Throwable failure)
    {
        if (!(isCloseRequested && failure instanceof AgentTerminationException))
        {
            Limits.report(context.errorHandler(), failure);
        }
    }

    /**
     * What the thread of its own runs.
     */
    private final class Cycle implements Agent
    {
        @Override
        public int doWork()
        {
            int work = 1;
            try
            {
                work = cycle();
            }
            catch (final Error ex)
            {
                // would end the thread, and with it every call, without a word to their callers
                onError(ex);
            }
            if (isCloseRequested)
            {
                throw new AgentTerminationException("closed from within");
            }
            return work;
        }

        @Override
        public void onClose()
        {
            end();
        }

        @Override
        public String roleName()
        {
            return agent.roleName();
        }
    }
}
