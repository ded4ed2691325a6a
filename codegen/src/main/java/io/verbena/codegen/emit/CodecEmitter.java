/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.codegen.emit;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.io.Writer;

import org.agrona.generation.DynamicPackageOutputManager;
import uk.co.real_logic.sbe.generation.java.JavaGenerator;
import uk.co.real_logic.sbe.ir.Ir;

/**
 * Emits the codecs of a schema with sbe-tool's own Java generator. Enum values that the schema does not know decode
 * to <code>SBE_UNKNOWN</code> instead of throwing, since a newer peer may well send them.
 */
public final class CodecEmitter
{
    private CodecEmitter()
    {
    }

    /**
     * Emits the codecs.
     *
     * @param ir    of the schema.
     * @param files take them.
     */
    public static void emit(final Ir ir, final GeneratedFiles files)
    {
        try
        {
            generate(ir, files);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException("in memory, no file is at fault", ex);
        }
    }

    private static void generate(final Ir ir, final GeneratedFiles files) throws IOException
    {
        new JavaGenerator(
            ir,
            "org.agrona.MutableDirectBuffer",
            "org.agrona.DirectBuffer",
            false,
            false,
            true,
            new MemoryOutput(ir.applicableNamespace(), files)).generate();
    }

    /**
     * Where sbe-tool writes.
     */
    private static final class MemoryOutput implements DynamicPackageOutputManager
    {
        private final String initialPackageName;
        private final GeneratedFiles files;
        private String packageName;

        MemoryOutput(final String packageName, final GeneratedFiles files)
        {
            this.initialPackageName = packageName;
            this.packageName = packageName;
            this.files = files;
        }

        @Override
        public void setPackageName(final String packageName)
        {
            this.packageName = packageName;
        }

        @Override
        public Writer createOutput(final String name)
        {
            final String target = packageName;
            packageName = initialPackageName;
            return new StringWriter()
            {
                @Override
                public void close()
                {
                    files.add(target, name, toString());
                }
            };
        }
    }
}
