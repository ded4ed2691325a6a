/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.codegen.schema;

/**
 * Free text of a schema, made safe for Java source.
 */
public final class JavaText
{
    private JavaText()
    {
    }

    /**
     * For a javadoc comment: nothing in it can end the comment, be read as a unicode escape, a tag or markup. White
     * space becomes single spaces.
     *
     * @param text any.
     * @return one line.
     */
    public static String javadoc(final String text)
    {
        final StringBuilder safe = new StringBuilder();
        boolean isSpacePending = false;
        for (int i = 0; i < text.length(); i++)
        {
            final char c = text.charAt(i);
            if (Character.isWhitespace(c) || Character.isISOControl(c))
            {
                isSpacePending = !safe.isEmpty();
                continue;
            }
            if (isSpacePending)
            {
                safe.append(' ');
                isSpacePending = false;
            }
            switch (c)
            {
                case '&', '<', '>', '@', '{', '}', '\\', '*' -> safe.append("&#").append((int)c).append(';');
                default -> safe.append(c);
            }
        }
        return safe.toString();
    }

    /**
     * For the inside of a string literal: quotation marks, backslashes and control characters are escaped.
     *
     * @param text any.
     * @return the literal without its quotation marks.
     */
    public static String literal(final String text)
    {
        final StringBuilder safe = new StringBuilder();
        for (int i = 0; i < text.length(); i++)
        {
            final char c = text.charAt(i);
            switch (c)
            {
                case '"' -> safe.append("\\\"");
                case '\\' -> safe.append("\\\\");
                case '\n' -> safe.append("\\n");
                case '\r' -> safe.append("\\r");
                case '\t' -> safe.append("\\t");
                default -> safe.append(Character.isISOControl(c) ? ' ' : c);
            }
        }
        return safe.toString();
    }
}
