/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.codegen.schema;

import java.util.ArrayList;
import java.util.List;

/**
 * The kinds of calls.
 */
public enum CallKind
{
    /** One request, one response. */
    UNARY("unary"),
    /** One request, many responses. */
    SERVER_STREAM("server-stream"),
    /** Many requests, one response. */
    CLIENT_STREAM("client-stream"),
    /** Many requests, many responses. */
    BIDI("bidi");

    private final String text;

    CallKind(final String text)
    {
        this.text = text;
    }

    /**
     * As the services grammar writes it.
     *
     * @return for example server-stream.
     */
    public String text()
    {
        return text;
    }

    static CallKind of(final String text)
    {
        for (final CallKind kind : values())
        {
            if (kind.text.equals(text))
            {
                return kind;
            }
        }
        return null;
    }

    static List<String> texts()
    {
        final List<String> texts = new ArrayList<>();
        for (final CallKind kind : values())
        {
            texts.add(kind.text);
        }
        return texts;
    }
}
