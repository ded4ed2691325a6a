/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.codegen.maven;

import io.verbena.codegen.CodeGenerator;
import io.verbena.codegen.emit.GeneratedFiles;
import io.verbena.codegen.schema.Diagnostic;
import io.verbena.codegen.schema.Diagnostics;
import io.verbena.codegen.schema.Names;
import io.verbena.codegen.schema.SchemaInputs;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.apache.maven.plugin.AbstractMojo;
import org.apache.maven.plugin.MojoExecution;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;
import org.apache.maven.project.MavenProject;

/**
 * Generates Java codecs and stubs from the SBE schemas and services of a project, and adds them to what is compiled.
 * It does nothing when neither the inputs nor the plugin have changed, rewrites no file that is right already, and
 * deletes files that it generated before and does not generate any more.
 */
@Mojo(name = "generate", defaultPhase = LifecyclePhase.GENERATE_SOURCES, threadSafe = true)
public final class GenerateMojo extends AbstractMojo
{
    @Parameter(defaultValue = "${project}", readonly = true, required = true)
    private MavenProject project;

    @Parameter(defaultValue = "${mojoExecution}", readonly = true, required = true)
    private MojoExecution execution;

    /** Where the schemas and services are: every file below it that ends in .xml. */
    @Parameter(property = "verbena.sourceDirectory", defaultValue = "${project.basedir}/src/main/sbe")
    private File sourceDirectory;

    /** Where the generated sources go. */
    @Parameter(
        property = "verbena.outputDirectory",
        defaultValue = "${project.build.directory}/generated-sources/verbena")
    private File outputDirectory;

    /** Java package of all that is generated, instead of each schema's own. */
    @Parameter(property = "verbena.packageOverride")
    private String packageOverride;

    /** Generates nothing. */
    @Parameter(property = "verbena.skip", defaultValue = "false")
    private boolean skip;

    /**
     * For Maven.
     */
    public GenerateMojo()
    {
        // Maven sets the fields.
    }

    @Override
    public void execute() throws MojoExecutionException, MojoFailureException
    {
        if (skip)
        {
            getLog().info("verbena: skipped");
            return;
        }
        final String packageName = null == packageOverride || packageOverride.isBlank() ? null : packageOverride;
        if (null != packageName && !Names.isPackage(packageName))
        {
            throw new MojoFailureException("verbena: packageOverride: expected a Java package name, found " +
                Diagnostics.quote(packageName));
        }

        try
        {
            generate(packageName);
        }
        catch (final IOException ex)
        {
            throw new MojoExecutionException("verbena: cannot read or write files: " + ex, ex);
        }
        project.addCompileSourceRoot(outputDirectory.getAbsolutePath());
    }

    private void generate(final String packageName) throws IOException, MojoFailureException
    {
        final List<Path> inputs = inputs();
        final GenerationStamp stamp = new GenerationStamp(
            Path.of(project.getBuild().getDirectory(), "verbena"),
            null == execution ? "generate" : execution.getExecutionId(),
            outputDirectory.toPath(),
            inputs,
            packageName);
        if (stamp.isUpToDate())
        {
            getLog().debug("verbena: inputs and generator unchanged, nothing to do");
            return;
        }

        final Diagnostics diagnostics = new Diagnostics();
        final CodeGenerator generator = new CodeGenerator(packageName, diagnostics);
        final SchemaInputs schemaInputs = SchemaInputs.read(inputs, diagnostics);
        final GeneratedFiles files = generator.generate(schemaInputs);
        for (final Diagnostic diagnostic : diagnostics.all())
        {
            if (diagnostic.code().isError())
            {
                getLog().error(diagnostic.format());
            }
            else
            {
                getLog().warn(diagnostic.format());
            }
        }
        if (null == files)
        {
            final int count = diagnostics.errorCount();
            throw new MojoFailureException("verbena: " + count + (1 == count ? " error" : " errors") +
                " in schemas or services of " + sourceDirectory + " (listed above); nothing was generated");
        }

        final int changed = stamp.write(files.contents(), schemaInputs.files());
        getLog().info("verbena: " + files.contents().size() + " files from " + generator.schemaCount() +
            " schema(s) with " + generator.serviceCount() + " service(s), " + changed + " changed");
    }

    private List<Path> inputs() throws IOException
    {
        final Path directory = sourceDirectory.toPath();
        if (!Files.isDirectory(directory))
        {
            getLog().warn("verbena: expected schemas in " + directory + ", found no such directory");
            return List.of();
        }
        try (Stream<Path> paths = Files.walk(directory))
        {
            return paths
                .filter((path) -> Files.isRegularFile(path))
                .filter((path) -> path.getFileName().toString().toLowerCase(Locale.ROOT).endsWith(".xml"))
                .sorted()
                .toList();
        }
    }
}
