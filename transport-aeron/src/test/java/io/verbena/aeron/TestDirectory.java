/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.aeron;

import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.File;
import java.util.concurrent.atomic.AtomicInteger;

import org.agrona.SystemUtil;

/**
 * A driver directory for one test, which must leave nothing behind.
 */
final class TestDirectory
{
    private static final AtomicInteger NEXT = new AtomicInteger();

    private final File file = new File(
        new File(AeronConfiguration.defaultDirectory()).getParentFile(),
        "verbena-test-" + SystemUtil.getPid() + "-" + NEXT.incrementAndGet());

    String path()
    {
        return file.getPath();
    }

    void requireDeleted()
    {
        assertFalse(file.exists(), () -> file + " is left behind");
    }
}
