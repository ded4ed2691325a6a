/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.codegen;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.tools.DiagnosticCollector;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/**
 * Compiles sources without touching the disk, for Java 17, all warnings shown.
 */
final class InMemoryCompiler
{
    private final Map<String, ByteArrayOutputStream> classes = new HashMap<>();
    private final DiagnosticCollector<JavaFileObject> diagnostics = new DiagnosticCollector<>();

    /**
     * Compiles.
     *
     * @param sources by path.
     * @return what the compiler has to say about paths that start with the prefix: errors and warnings.
     */
    List<String> compile(final Map<String, String> sources)
    {
        final JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        final List<JavaFileObject> units = new ArrayList<>();
        sources.forEach((path, text) -> units.add(new Source(path, text)));
        final JavaFileManager files = new Output(compiler.getStandardFileManager(diagnostics, Locale.ROOT, null));
        final List<String> options = List.of(
            "--release", "17", "-Xlint:all,-options", "-Xmaxwarns", "1000", "-classpath",
            System.getProperty("java.class.path"));
        compiler.getTask(null, files, diagnostics, options, null, units).call();

        final List<String> messages = new ArrayList<>();
        diagnostics.getDiagnostics().forEach((diagnostic) -> messages.add(
            (null == diagnostic.getSource() ? "" : diagnostic.getSource().toUri().getPath()) + ":" +
            diagnostic.getLineNumber() + ": " + diagnostic.getKind() + ": " + diagnostic.getMessage(Locale.ROOT)));
        return messages;
    }

    /**
     * The compiled classes.
     *
     * @return a loader that has them and what the test has.
     */
    ClassLoader loader()
    {
        return new ClassLoader(InMemoryCompiler.class.getClassLoader())
        {
            @Override
            protected Class<?> findClass(final String name) throws ClassNotFoundException
            {
                final ByteArrayOutputStream bytes = classes.get(name);
                if (null == bytes)
                {
                    throw new ClassNotFoundException(name);
                }
                return defineClass(name, bytes.toByteArray(), 0, bytes.size());
            }
        };
    }

    private static final class Source extends SimpleJavaFileObject
    {
        private final String text;

        Source(final String path, final String text)
        {
            super(URI.create("string:///" + path), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(final boolean ignoreEncodingErrors)
        {
            return text;
        }
    }

    private final class Output extends ForwardingJavaFileManager<JavaFileManager>
    {
        Output(final JavaFileManager files)
        {
            super(files);
        }

        @Override
        public JavaFileObject getJavaFileForOutput(
            final Location location, final String name, final JavaFileObject.Kind kind, final FileObject sibling)
        {
            return new SimpleJavaFileObject(URI.create("bytes:///" + name), kind)
            {
                @Override
                public OutputStream openOutputStream() throws IOException
                {
                    final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
                    classes.put(name, bytes);
                    return bytes;
                }
            };
        }
    }
}
