/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.codegen.maven;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import org.apache.maven.model.Build;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugin.logging.SystemStreamLog;
import org.apache.maven.project.MavenProject;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
class GenerateMojoTest
{
    private static final Path FIXTURES = Path.of("src", "test", "resources", "fixtures");
    private static final FileTime OLD = FileTime.fromMillis(1_000_000_000_000L);

    private final List<String> logged = new ArrayList<>();
    private final MavenProject project = new MavenProject();

    @TempDir
    private Path base;
    private Path source;
    private Path output;

    @BeforeEach
    void prepareProject() throws IOException
    {
        source = Files.createDirectories(base.resolve("src/main/sbe"));
        output = base.resolve("target/generated-sources/verbena");
        final Build build = new Build();
        build.setDirectory(base.resolve("target").toString());
        project.setBuild(build);
        for (final String name : new String[]{"trading.xml", "trading-services.xml"})
        {
            Files.copy(FIXTURES.resolve(name), source.resolve(name));
        }
    }

    @Test
    void shouldGenerateAndAddSourceRoot() throws Exception
    {
        mojo().execute();
        assertTrue(Files.isRegularFile(output.resolve("test/trading/OrdersProxy.java")));
        assertEquals(List.of(output.toString()), project.getCompileSourceRoots());
        assertTrue(logged.toString().contains("from 1 schema(s) with 3 service(s)"), logged::toString);
    }

    @Test
    void shouldDoNothingWhenNothingChanged() throws Exception
    {
        mojo().execute();
        age(output);
        logged.clear();
        mojo().execute();
        assertEquals(List.of("debug verbena: inputs and generator unchanged, nothing to do"), logged);
        assertEquals(0, changedFiles());
        assertEquals(List.of(output.toString()), project.getCompileSourceRoots());
    }

    @Test
    void shouldRewriteOnlyWhatChanged() throws Exception
    {
        mojo().execute();
        age(output);
        replace("trading-services.xml", "timeout=\"250us\"", "timeout=\"251us\"");
        mojo().execute();
        assertEquals(1, changedFiles());
        assertTrue(Files.readString(output.resolve("test/trading/OrdersProxy.java")).contains("251_000L"));
    }

    @Test
    void shouldRestoreFileThatWasDeletedOrEdited() throws Exception
    {
        mojo().execute();
        final Path proxy = output.resolve("test/trading/OrdersProxy.java");
        final Path client = output.resolve("test/trading/OrdersClient.java");
        Files.delete(proxy);
        Files.writeString(client, "edited");
        mojo().execute();
        assertTrue(Files.isRegularFile(proxy));
        assertNotEquals("edited", Files.readString(client));
    }

    @Test
    void shouldDeleteStaleFilesOfItsOwnAlone() throws Exception
    {
        mojo().execute();
        final Path foreign = Files.writeString(output.resolve("test/trading/Mine.java"), "mine");
        final Path stale = output.resolve("test/trading/BasketsProxy.java");
        assertTrue(Files.exists(stale));
        replace("trading-services.xml", "<rpc:service name=\"Baskets\"", "<rpc:service name=\"Other\"");
        mojo().execute();
        assertFalse(Files.exists(stale));
        assertTrue(Files.exists(output.resolve("test/trading/OtherProxy.java")));
        assertEquals("mine", Files.readString(foreign));

        Files.delete(source.resolve("trading-services.xml"));
        mojo().execute();
        assertFalse(Files.exists(output.resolve("test/trading/OrdersProxy.java")));
        assertTrue(Files.exists(output.resolve("test/trading/NewOrderDecoder.java")));
    }

    @Test
    void shouldNoticeChangeOfSchemaOutsideTheSourceDirectory() throws Exception
    {
        Files.move(source.resolve("trading.xml"), base.resolve("trading.xml"));
        replace("trading-services.xml", "schema=\"trading.xml\"", "schema=\"../../../trading.xml\"");
        mojo().execute();
        final Path side = output.resolve("test/trading/Side.java");
        assertFalse(Files.readString(side).contains("SHORT"));
        final Path schema = base.resolve("trading.xml");
        Files.writeString(schema, Files.readString(schema).replace("name=\"SELL\"", "name=\"SHORT\""));
        mojo().execute();
        assertTrue(Files.readString(side).contains("SHORT"));
    }

    @Test
    void shouldGenerateAgainWhenPackageIsOverridden() throws Exception
    {
        mojo().execute();
        final GenerateMojo mojo = mojo();
        set(mojo, "packageOverride", "my.own");
        mojo.execute();
        assertTrue(Files.exists(output.resolve("my/own/OrdersProxy.java")));
        assertFalse(Files.exists(output.resolve("test/trading/OrdersProxy.java")));

        set(mojo, "packageOverride", "not a package");
        final MojoFailureException failure = assertThrows(MojoFailureException.class, mojo::execute);
        assertEquals("verbena: packageOverride: expected a Java package name, found \"not a package\"",
            failure.getMessage());
    }

    @Test
    void shouldLogEveryErrorAndFailOnce() throws Exception
    {
        mojo().execute();
        replace("trading-services.xml", "id=\"1\" request=\"NewOrder\"", "id=\"1\" request=\"NewOder\"");
        replace("trading-services.xml", "timeout=\"250us\"", "timeout=\"250\"");
        logged.clear();
        final MojoFailureException failure = assertThrows(MojoFailureException.class, mojo()::execute);
        assertEquals("verbena: 2 errors in schemas or services of " + source +
            " (listed above); nothing was generated", failure.getMessage());
        final List<String> errors = logged.stream().filter((line) -> line.startsWith("error ")).toList();
        assertEquals(2, errors.size(), logged::toString);
        assertTrue(errors.get(0).startsWith("error " + source.resolve("trading-services.xml") + ":4: services/"),
            errors::toString);
        assertTrue(Files.exists(output.resolve("test/trading/OrdersProxy.java")), "what was good stays");
    }

    @Test
    void shouldLogWarnings() throws Exception
    {
        replace("trading-services.xml", "</rpc:services>", "<rpc:service name=\"Empty\" id=\"99\"/></rpc:services>");
        mojo().execute();
        assertTrue(logged.stream().anyMatch((line) -> line.startsWith("warn ") && line.contains("at least one")),
            logged::toString);
    }

    @Test
    void shouldSkipAndTolerateMissingDirectory() throws Exception
    {
        final GenerateMojo skipping = mojo();
        set(skipping, "skip", true);
        skipping.execute();
        assertFalse(Files.exists(output));

        final GenerateMojo mojo = mojo();
        set(mojo, "sourceDirectory", base.resolve("none").toFile());
        mojo.execute();
        assertTrue(logged.toString().contains("found no such directory"), logged::toString);
    }

    private GenerateMojo mojo() throws ReflectiveOperationException
    {
        final GenerateMojo mojo = new GenerateMojo();
        set(mojo, "project", project);
        set(mojo, "sourceDirectory", source.toFile());
        set(mojo, "outputDirectory", output.toFile());
        mojo.setLog(new SystemStreamLog()
        {
            @Override
            public void debug(final CharSequence content)
            {
                logged.add("debug " + content);
            }

            @Override
            public void info(final CharSequence content)
            {
                logged.add("info " + content);
            }

            @Override
            public void warn(final CharSequence content)
            {
                logged.add("warn " + content);
            }

            @Override
            public void error(final CharSequence content)
            {
                logged.add("error " + content);
            }
        });
        return mojo;
    }

    private static void set(final GenerateMojo mojo, final String name, final Object value)
        throws ReflectiveOperationException
    {
        final Field field = GenerateMojo.class.getDeclaredField(name);
        field.setAccessible(true);
        field.set(mojo, value);
    }

    private void replace(final String name, final String from, final String to) throws IOException
    {
        final Path file = source.resolve(name);
        final String text = Files.readString(file);
        assertTrue(text.contains(from));
        Files.writeString(file, text.replace(from, to));
    }

    private static void age(final Path directory) throws IOException
    {
        for (final Path file : files(directory))
        {
            Files.setLastModifiedTime(file, OLD);
        }
    }

    private int changedFiles() throws IOException
    {
        int changed = 0;
        for (final Path file : files(output))
        {
            changed += OLD.equals(Files.getLastModifiedTime(file)) ? 0 : 1;
        }
        return changed;
    }

    private static List<Path> files(final Path directory) throws IOException
    {
        try (var files = Files.walk(directory))
        {
            return files.filter((path) -> Files.isRegularFile(path)).toList();
        }
    }
}
