/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.codegen.schema;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;

/**
 * Collects the findings of one run, so that a user sees all of them at once. For one thread.
 */
public final class Diagnostics
{
    private static final int MAX_FOUND_LENGTH = 80;

    private final List<Diagnostic> all = new ArrayList<>();

    /**
     * Holds nothing yet.
     */
    public Diagnostics()
    {
        // Nothing to prepare.
    }

    /**
     * Adds a finding about an element.
     *
     * @param code     what kind of finding.
     * @param element  where.
     * @param expected what would be right.
     * @param found    what stands there.
     */
    public void report(
        final DiagnosticCode code, final XmlElement element, final String expected, final String found)
    {
        report(code, element, "expected " + expected + ", found " + found);
    }

    /**
     * Adds a finding about an attribute of an element.
     *
     * @param code      what kind of finding.
     * @param element   where.
     * @param attribute its name.
     * @param expected  what would be right.
     * @param found     what stands there.
     */
    public void report(
        final DiagnosticCode code,
        final XmlElement element,
        final String attribute,
        final String expected,
        final String found)
    {
        add(new Diagnostic(code, element.file(), element.line(), element.path() + "/@" + attribute,
            "expected " + expected + ", found " + found));
    }

    /**
     * Adds a finding about an element in free words.
     *
     * @param code    what kind of finding.
     * @param element where.
     * @param message for the user.
     */
    public void report(final DiagnosticCode code, final XmlElement element, final String message)
    {
        add(new Diagnostic(code, element.file(), element.line(), element.path(), message));
    }

    /**
     * Adds a finding.
     *
     * @param diagnostic to add; one that is there already is not added again.
     */
    public void add(final Diagnostic diagnostic)
    {
        if (!all.contains(diagnostic))
        {
            all.add(diagnostic);
        }
    }

    /**
     * All findings, by file and line, errors and warnings.
     *
     * @return an unmodifiable copy.
     */
    public List<Diagnostic> all()
    {
        final List<Diagnostic> sorted = new ArrayList<>(all);
        sorted.sort(Comparator.comparing(Diagnostic::file).thenComparingInt(Diagnostic::line));
        return Collections.unmodifiableList(sorted);
    }

    /**
     * The number of errors.
     *
     * @return zero when the inputs are accepted.
     */
    public int errorCount()
    {
        return (int)all.stream().filter((diagnostic) -> diagnostic.code().isError()).count();
    }

    /**
     * Are there errors in this file?
     *
     * @param file as the user named it.
     * @return true if any.
     */
    public boolean hasErrors(final String file)
    {
        return all.stream().anyMatch((diagnostic) -> diagnostic.code().isError() && diagnostic.file().equals(file));
    }

    /**
     * Is there an error about this very line?
     *
     * @param file as the user named it.
     * @param line from 1.
     * @return true if any.
     */
    public boolean hasErrorAt(final String file, final int line)
    {
        return all.stream().anyMatch((diagnostic) ->
            diagnostic.code().isError() && diagnostic.line() == line && diagnostic.file().equals(file));
    }

    /**
     * A value as a diagnostic quotes it: in quotation marks, on one line, cut when long.
     *
     * @param value may be null.
     * @return for example <code>"GetPrize"</code>, or <code>nothing</code>.
     */
    public static String quote(final String value)
    {
        if (null == value)
        {
            return "nothing";
        }

        final StringBuilder text = new StringBuilder("\"");
        for (int i = 0, size = Math.min(value.length(), MAX_FOUND_LENGTH); i < size; i++)
        {
            final char c = value.charAt(i);
            text.append(Character.isISOControl(c) ? ' ' : c);
        }
        return text.append(value.length() > MAX_FOUND_LENGTH ? "...\"" : "\"").toString();
    }
}
