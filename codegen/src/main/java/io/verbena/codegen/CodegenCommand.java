/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.codegen;

import io.verbena.codegen.emit.GeneratedFiles;
import io.verbena.codegen.schema.Diagnostic;
import io.verbena.codegen.schema.Diagnostics;
import io.verbena.codegen.schema.Names;
import io.verbena.codegen.schema.SchemaInputs;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * The command <code>codegen SCHEMA.xml... --out DIR</code>. Exit status: 0 done, 1 the input was refused (diagnostics
 * on standard error), 2 wrong usage.
 */
@Command(
    name = "codegen",
    mixinStandardHelpOptions = true,
    description = "Generates Java codecs and stubs from SBE schemas and the services that name them.")
public final class CodegenCommand implements Callable<Integer>
{
    private static final int EXIT_REFUSED = 1;

    @Spec
    private CommandSpec spec;

    @Parameters(
        paramLabel = "SCHEMA.xml",
        arity = "1..*",
        description = "Message schemas, with or without rpc:services inside, and files of rpc:services, each of " +
            "which names its schema by relative path.")
    private List<Path> inputs;

    @Option(names = "--out", paramLabel = "DIR", required = true, description = "Where to write the sources.")
    private Path out;

    @Option(
        names = "--package",
        paramLabel = "PACKAGE",
        description = "Java package of all that is generated, instead of each schema's own.")
    private String packageOverride;

    @Option(names = "--debug", description = "Show the stack trace of an unexpected failure.")
    private boolean isDebug;

    /**
     * For picocli.
     */
    public CodegenCommand()
    {
        // picocli sets the fields.
    }

    @Override
    public Integer call()
    {
        if (null != packageOverride && !Names.isPackage(packageOverride))
        {
            throw new CommandLine.ParameterException(spec.commandLine(),
                "--package: expected a Java package name, found " + Diagnostics.quote(packageOverride));
        }

        final PrintWriter err = spec.commandLine().getErr();
        try
        {
            return generate(err);
        }
        catch (final IOException ex)
        {
            err.println("codegen: cannot write to " + out + ": " + ex);
            printTrace(ex, err);
            return EXIT_REFUSED;
        }
        catch (final RuntimeException ex)
        {
            err.println("codegen: unexpected failure: " + ex + (isDebug ? "" : " (--debug shows where)"));
            printTrace(ex, err);
            return EXIT_REFUSED;
        }
        finally
        {
            err.flush();
        }
    }

    private int generate(final PrintWriter err) throws IOException
    {
        final Diagnostics diagnostics = new Diagnostics();
        final CodeGenerator generator = new CodeGenerator(packageOverride, diagnostics);
        final GeneratedFiles files = generator.generate(SchemaInputs.read(inputs, diagnostics));
        for (final Diagnostic diagnostic : diagnostics.all())
        {
            err.println(diagnostic.format());
        }
        if (null == files)
        {
            final int count = diagnostics.errorCount();
            err.println("codegen: " + count + (1 == count ? " error" : " errors") + ", nothing was written");
            return EXIT_REFUSED;
        }

        final int written = OutputDirectory.write(out, files.contents());
        final PrintWriter output = spec.commandLine().getOut();
        output.println("codegen: " + files.contents().size() + " files of " + generator.schemaCount() +
            " schema(s) with " + generator.serviceCount() + " service(s) in " + out + ", " + written + " of them new " +
            "or changed");
        output.flush();
        return 0;
    }

    private void printTrace(final Exception ex, final PrintWriter err)
    {
        if (isDebug)
        {
            ex.printStackTrace(err);
        }
    }
}
