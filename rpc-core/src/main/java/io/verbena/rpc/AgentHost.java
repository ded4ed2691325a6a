/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import java.util.concurrent.ConcurrentLinkedQueue;
import org.agrona.CloseHelper;
import org.agrona.LangUtil;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.AgentRunner;

/**
 * Runs an agent on a thread of its own or on the caller's, and brings tasks of other threads to it.
 */
final class AgentHost
{
    private final Agent agent;
    private final AgentContext<?> context;
    private final AgentRunner runner;
    private final ConcurrentLinkedQueue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private volatile boolean isClosed;

    AgentHost(final Agent agent, final AgentContext<?> context)
    {
        this.agent = agent;
        this.context = context;
        this.runner = context.useAgentInvoker() ? null :
            new AgentRunner(context.idleStrategy(), context.errorHandler(), null, new Cycle());
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

    boolean isClosed()
    {
        return isClosed;
    }

    void execute(final Runnable task)
    {
        tasks.add(task);
    }

    int doWork()
    {
        if (runner != null)
        {
            throw new IllegalStateException(
                agent.roleName() + " has a thread of its own: see Context.useAgentInvoker");
        }
        return isClosed ? 0 : cycle();
    }

    void close()
    {
        if (runner != null)
        {
            CloseHelper.close(runner);
        }
        else if (!isClosed)
        {
            end();
        }
    }

    private int cycle()
    {
        try
        {
            final int work = agent.doWork();
            return tasks.isEmpty() ? work : work + runTasks();
        }
        catch (final Exception ex)
        {
            LangUtil.rethrowUnchecked(ex);
            return 0;
        }
    }

    private void end()
    {
        isClosed = true;
        agent.onClose();
        // a thread that waits for its task finds the agent closed
        runTasks();
    }

    private int runTasks()
    {
        int work = 0;
        Runnable task;
        while ((task = tasks.poll()) != null)
        {
            work++;
            try
            {
                task.run();
            }
            catch (final RuntimeException ex)
            {
                context.errorHandler().onError(ex);
            }
        }
        return work;
    }

    /**
     * What the thread of its own runs.
     */
    private final class Cycle implements Agent
    {
        @Override
        public int doWork()
        {
            return cycle();
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
