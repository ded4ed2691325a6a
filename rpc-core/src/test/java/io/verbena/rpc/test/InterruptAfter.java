/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Bounds a test: after the given time its thread is interrupted, the stacks of all threads are printed, and the test
 * fails. Loops of tests must therefore end when their thread is interrupted. On a class it holds for each test method
 * that has none of its own; the bound counts for one invocation, without set-up and tear-down.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
@ExtendWith(InterruptAfterExtension.class)
public @interface InterruptAfter
{
    /**
     * The bound.
     *
     * @return seconds.
     */
    long value();
}
