/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.codegen;

import io.verbena.codegen.emit.CodecEmitter;
import io.verbena.codegen.emit.GeneratedFiles;
import io.verbena.codegen.emit.StubEmitter;
import io.verbena.codegen.schema.DiagnosticCode;
import io.verbena.codegen.schema.Diagnostics;
import io.verbena.codegen.schema.SchemaModel;
import io.verbena.codegen.schema.SbeTool;
import io.verbena.codegen.schema.SchemaCheck;
import io.verbena.codegen.schema.SchemaInput;
import io.verbena.codegen.schema.SchemaInputs;
import io.verbena.codegen.schema.ServiceModel;
import io.verbena.codegen.schema.ServicesParser;
import java.util.ArrayList;
import java.util.List;

import uk.co.real_logic.sbe.ir.Ir;

/**
 * From input files to sources in memory. The same inputs give the same bytes, wherever and whenever it runs.
 */
public final class CodeGenerator
{
    private final String packageOverride;
    private final Diagnostics diagnostics;
    private final GeneratedFiles files = new GeneratedFiles();
    private int serviceCount;
    private int schemaCount;

    /**
     * For one run.
     *
     * @param packageOverride Java package for all that is generated; null for each schema's own.
     * @param diagnostics     take what is wrong.
     */
    public CodeGenerator(final String packageOverride, final Diagnostics diagnostics)
    {
        this.packageOverride = packageOverride;
        this.diagnostics = diagnostics;
    }

    /**
     * Checks all inputs and, if none has errors, generates.
     *
     * @param inputs schemas and services.
     * @return the sources, or null when there are errors.
     */
    public GeneratedFiles generate(final SchemaInputs inputs)
    {
        final List<Checked> checked = new ArrayList<>();
        for (final SchemaInput input : inputs.schemas())
        {
            final SchemaModel schema = SchemaCheck.check(input.root(), packageOverride, diagnostics);
            final List<ServiceModel> services =
                new ServicesParser(schema, diagnostics).parse(input.services());
            checked.add(new Checked(schema, services, SbeTool.parse(schema, diagnostics)));
        }
        if (diagnostics.errorCount() > 0)
        {
            return null;
        }

        checked.forEach(this::emit);
        return diagnostics.errorCount() > 0 ? null : files;
    }

    /**
     * How many schemas were generated.
     *
     * @return 0 before {@link #generate}.
     */
    public int schemaCount()
    {
        return schemaCount;
    }

    /**
     * How many services were generated.
     *
     * @return 0 before {@link #generate}.
     */
    public int serviceCount()
    {
        return serviceCount;
    }

    private void emit(final Checked checked)
    {
        final SchemaModel schema = checked.schema();
        final int errors = diagnostics.errorCount();
        try
        {
            CodecEmitter.emit(checked.ir(), files);
        }
        catch (final RuntimeException ex)
        {
            SbeTool.locate(schema, diagnostics, (ir) -> CodecEmitter.emit(ir, new GeneratedFiles()));
            if (diagnostics.errorCount() == errors)
            {
                throw ex;
            }
            return;
        }
        StubEmitter.emit(schema, checked.ir(), checked.services(), files);
        final String clash = files.takeClash();
        if (null != clash)
        {
            diagnostics.report(DiagnosticCode.NAME_CLASH, schema.element(),
                "files that nothing else generates (another package avoids the clash)", clash + " generated twice");
        }
        schemaCount++;
        serviceCount += checked.services().size();
    }

    private record Checked(SchemaModel schema, List<ServiceModel> services, Ir ir)
    {
    }
}
