/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.cli;

import picocli.CommandLine.IVersionProvider;

/**
 * The version as the build wrote it into the archive.
 */
final class VersionProvider implements IVersionProvider
{
    @Override
    public String[] getVersion()
    {
        final String version = Verbena.class.getPackage().getImplementationVersion();
        return new String[]{
            "verbena " + (version == null ? "(run from class files)" : version) + ", Java " + Runtime.version()};
    }
}
