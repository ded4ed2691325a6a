/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.codegen.schema;

import java.util.Collection;
import java.util.Locale;
import javax.lang.model.SourceVersion;

/**
 * How names of schemas and services become Java names, the same way that sbe-tool makes them.
 */
public final class Names
{
    private Names()
    {
    }

    /**
     * Is it made of letters, digits and underscores, and does not start with a digit?
     *
     * @param name may be null.
     * @return true if so.
     */
    static boolean isSymbol(final String name)
    {
        if (null == name || name.isEmpty() || Character.isDigit(name.charAt(0)) || "_".equals(name))
        {
            return false;
        }
        for (int i = 0; i < name.length(); i++)
        {
            final char c = name.charAt(i);
            if ((c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && '_' != c)
            {
                return false;
            }
        }
        return true;
    }

    /**
     * Is it a symbol that can become a Java member: no keyword, even when its first letter becomes a small one?
     *
     * @param name may be null.
     * @return true if so.
     */
    static boolean isMember(final String name)
    {
        return isConstant(name) && !SourceVersion.isKeyword(lowerFirst(name));
    }

    /**
     * Is it a symbol that can become a Java constant as it is?
     *
     * @param name may be null.
     * @return true if so.
     */
    static boolean isConstant(final String name)
    {
        return isSymbol(name) && !SourceVersion.isKeyword(name);
    }

    /**
     * Is every part, between dots, a Java name and no keyword?
     *
     * @param name may be null.
     * @return true if it can be a package.
     */
    public static boolean isPackage(final String name)
    {
        return null != name && name.chars().allMatch((c) -> c < 128) && SourceVersion.isName(name);
    }

    /**
     * As a class name.
     *
     * @param name of at least one character.
     * @return the name with its first letter in upper case.
     */
    public static String upperFirst(final String name)
    {
        return Character.toUpperCase(name.charAt(0)) + name.substring(1);
    }

    /**
     * As a method or field name.
     *
     * @param name of at least one character.
     * @return the name with its first letter in lower case.
     */
    public static String lowerFirst(final String name)
    {
        return Character.toLowerCase(name.charAt(0)) + name.substring(1);
    }

    /**
     * As a constant: getPrice and GetPrice become GET_PRICE, getHTTPStatus becomes GET_HTTP_STATUS.
     *
     * @param name of at least one character.
     * @return the name in upper case, its words separated by underscores.
     */
    public static String constant(final String name)
    {
        final StringBuilder constant = new StringBuilder();
        for (int i = 0; i < name.length(); i++)
        {
            final char c = name.charAt(i);
            if (i > 0 && Character.isUpperCase(c))
            {
                final char previous = name.charAt(i - 1);
                final boolean nextIsLower = i + 1 < name.length() && Character.isLowerCase(name.charAt(i + 1));
                if (Character.isLowerCase(previous) || Character.isDigit(previous) ||
                    Character.isUpperCase(previous) && nextIsLower)
                {
                    constant.append('_');
                }
            }
            constant.append(c);
        }
        return constant.toString().toUpperCase(Locale.ROOT);
    }

    /**
     * A hint for a misspelt name.
     *
     * @param name       that is unknown.
     * @param candidates that are known.
     * @return <code> (did you mean "GetPrice"?)</code>, or an empty string when none is near.
     */
    static String didYouMean(final String name, final Collection<String> candidates)
    {
        String best = null;
        int bestDistance = Math.max(2, name.length() / 3) + 1;
        for (final String candidate : candidates)
        {
            final int distance = candidate.equalsIgnoreCase(name) ? 0 : distance(name, candidate);
            if (distance < bestDistance)
            {
                best = candidate;
                bestDistance = distance;
            }
        }
        return null == best ? "" : " (did you mean " + Diagnostics.quote(best) + "?)";
    }

    private static int distance(final String left, final String right)
    {
        int[] previous = new int[right.length() + 1];
        for (int j = 0; j <= right.length(); j++)
        {
            previous[j] = j;
        }
        for (int i = 1; i <= left.length(); i++)
        {
            final int[] current = new int[right.length() + 1];
            current[0] = i;
            for (int j = 1; j <= right.length(); j++)
            {
                final int replaced = previous[j - 1] + (left.charAt(i - 1) == right.charAt(j - 1) ? 0 : 1);
                current[j] = Math.min(replaced, Math.min(previous[j], current[j - 1]) + 1);
            }
            previous = current;
        }
        return previous[right.length()];
    }
}
