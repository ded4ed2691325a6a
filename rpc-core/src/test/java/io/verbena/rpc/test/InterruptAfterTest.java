/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc.test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeoutException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;

class InterruptAfterTest
{
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private final InterruptAfterExtension extension =
        new InterruptAfterExtension(new PrintStream(printed, true, StandardCharsets.UTF_8));

    @InterruptAfter(1)
    void bounded()
    {
    }

    @Test
    @Timeout(20)
    void shouldInterruptAndFailWhenTheBoundPasses()
    {
        final InvocationInterceptor.Invocation<Void> hanging = () ->
        {
            assertThrows(InterruptedException.class, () -> new CountDownLatch(1).await());
            return null;
        };
        final TimeoutException timeout =
            assertThrows(TimeoutException.class, () -> extension.interceptTestMethod(hanging, null, context()));
        assertTrue(timeout.getMessage().contains("1 s"), timeout::getMessage);
        assertFalse(Thread.currentThread().isInterrupted());
        final String stacks = printed.toString(StandardCharsets.UTF_8);
        assertTrue(stacks.contains("InterruptAfterTest.lambda$shouldInterruptAndFail"), stacks);
    }

    @Test
    @Timeout(20)
    void shouldPassTheFailureOnWhenTheTestFailsInTime()
    {
        final AssertionError failure = new AssertionError("as it should");
        final InvocationInterceptor.Invocation<Void> failing = () ->
        {
            throw failure;
        };
        assertEquals(
            failure,
            assertThrows(AssertionError.class, () -> extension.interceptTestMethod(failing, null, context())));
    }

    private static ExtensionContext context() throws NoSuchMethodException
    {
        final Method method = InterruptAfterTest.class.getDeclaredMethod("bounded");
        return (ExtensionContext)Proxy.newProxyInstance(
            InterruptAfterTest.class.getClassLoader(),
            new Class<?>[]{ExtensionContext.class},
            (proxy, called, arguments) -> switch (called.getName())
            {
                case "getTestMethod" -> Optional.of(method);
                case "getTestClass" -> Optional.of(InterruptAfterTest.class);
                case "getDisplayName" -> "bounded()";
                default -> throw new UnsupportedOperationException(called.getName());
            });
    }
}
