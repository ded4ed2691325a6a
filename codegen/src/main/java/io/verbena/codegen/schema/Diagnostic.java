/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.codegen.schema;

/**
 * One finding about an input file. Immutable.
 *
 * @param code    stable code.
 * @param file    the file as the user named it.
 * @param line    of the element, from 1; 0 where the finding is about the whole file.
 * @param path    of the element below the root, or an empty string.
 * @param message what was expected and what was found.
 */
public record Diagnostic(DiagnosticCode code, String file, int line, String path, String message)
{
    /**
     * One line for a user.
     *
     * @return <code>file:line: path: expected ..., found ... [code]</code>; a warning says so before the message.
     */
    public String format()
    {
        final StringBuilder text = new StringBuilder(file);
        text.append(':').append(Math.max(1, line)).append(": ");
        if (!path.isEmpty())
        {
            text.append(path).append(": ");
        }
        if (!code.isError())
        {
            text.append("warning: ");
        }
        return text.append(message).append(" [").append(code.id()).append(']').toString();
    }

    @Override
    public String toString()
    {
        return format();
    }
}
