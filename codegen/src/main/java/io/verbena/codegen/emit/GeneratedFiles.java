/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.codegen.emit;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * Generated sources by path, in memory: nothing is written before all inputs are accepted.
 */
public final class GeneratedFiles
{
    private final Map<String, String> contents = new TreeMap<>();
    private String clash;

    /**
     * Holds nothing yet.
     */
    public GeneratedFiles()
    {
        // Nothing to prepare.
    }

    void add(final String packageName, final String typeName, final String content)
    {
        final String path = packageName.replace('.', '/') + '/' + typeName + ".java";
        // sbe-tool may emit one type more than once, each time the same.
        final String previous = contents.putIfAbsent(path, content);
        if (null == clash && null != previous && !previous.equals(content))
        {
            clash = path;
        }
    }

    /**
     * The sources: path with slashes to content, sorted by path.
     *
     * @return unmodifiable.
     */
    public Map<String, String> contents()
    {
        return Collections.unmodifiableMap(contents);
    }

    /**
     * Takes the path that was generated twice with different contents, if any, and forgets it.
     *
     * @return null for none.
     */
    public String takeClash()
    {
        final String taken = clash;
        clash = null;
        return taken;
    }
}
