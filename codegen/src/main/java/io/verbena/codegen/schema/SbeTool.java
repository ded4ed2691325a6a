/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.codegen.schema;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import uk.co.real_logic.sbe.ir.Ir;
import uk.co.real_logic.sbe.xml.IrGenerator;
import uk.co.real_logic.sbe.xml.MessageSchema;
import uk.co.real_logic.sbe.xml.ParserOptions;
import uk.co.real_logic.sbe.xml.XmlSchemaParser;

/**
 * Runs sbe-tool's parser over a schema and turns what it says, and what it throws, into located diagnostics.
 * <p>
 * sbe-tool prints errors with the names of an element and its parent, which are looked up in our tree. Some faults
 * make it throw instead, naming no element: then the smallest part of the schema that still makes it throw the same is
 * searched for by bisection, reported, left out, and the rest is tried again.
 */
public final class SbeTool
{
    private static final int MAX_FAILURES = 50;
    private static final String TAG = "<([^ >]+)(?: name=\"([^\"]*)\")?> ?";
    private static final Pattern PRINTED = Pattern.compile("(?:ERROR|WARNING): at " + TAG + TAG + "(.*)");

    private static final Pattern NEWER = Pattern.compile("^(\\w+(?:\\.\\w+)*)\\.sinceVersion=");

    private final SchemaModel schema;
    private final Diagnostics diagnostics;
    private final Consumer<Ir> generation;
    private final Set<XmlElement> excluded = new HashSet<>();
    private final List<Diagnostic> found = new ArrayList<>();

    private SbeTool(final SchemaModel schema, final Diagnostics diagnostics, final Consumer<Ir> generation)
    {
        this.generation = generation;
        this.schema = schema;
        this.diagnostics = diagnostics;
    }

    /**
     * Parses a schema.
     *
     * @param schema      that our own checks have seen.
     * @param diagnostics take what is wrong.
     * @return the intermediate representation, or null when there are errors.
     */
    public static Ir parse(final SchemaModel schema, final Diagnostics diagnostics)
    {
        return new SbeTool(schema, diagnostics, (ir) -> {}).parse();
    }

    /**
     * Looks for what makes the generation of codecs fail: some faults show only there.
     *
     * @param schema      that could be parsed.
     * @param diagnostics take what is wrong.
     * @param generation  makes the codecs, and throws.
     */
    public static void locate(
        final SchemaModel schema, final Diagnostics diagnostics, final Consumer<Ir> generation)
    {
        new SbeTool(schema, diagnostics, generation).parse();
    }

    private Ir parse()
    {
        final String file = schema.element().file();
        Outcome outcome = run(this::isIncluded);
        for (int i = 0; i < MAX_FAILURES && null != outcome.failure(); i++)
        {
            final XmlElement culprit = locate(outcome);
            addFailure(culprit, outcome);
            if (culprit == schema.element())
            {
                break;
            }
            excluded.add(culprit);
            outcome = run(this::isIncluded);
        }
        addPrinted(outcome.printed());

        final List<Diagnostic> own = diagnostics.all().stream().filter((each) -> each.file().equals(file)).toList();
        found.stream().filter((each) -> !isSaidBetter(each, own)).forEach(diagnostics::add);

        return diagnostics.hasErrors(file) ? null : outcome.ir();
    }

    /**
     * Our own checks say the same things better, so where they found something about an element or what is in it,
     * sbe-tool is not heard about that element.
     */
    private static boolean isSaidBetter(final Diagnostic diagnostic, final List<Diagnostic> own)
    {
        return own.stream()
            .filter((each) -> each.code().isError() || !diagnostic.code().isError())
            .anyMatch((each) -> each.path().equals(diagnostic.path()) ||
                each.path().startsWith(diagnostic.path() + "/"));
    }

    private boolean isIncluded(final XmlElement element)
    {
        return !excluded.contains(element);
    }

    private Outcome run(final Predicate<XmlElement> included)
    {
        final byte[] xml = SchemaWriter.write(schema.element(), schema.packageName(), included)
            .getBytes(StandardCharsets.UTF_8);
        final ByteArrayOutputStream printed = new ByteArrayOutputStream();
        Ir ir = null;
        Throwable failure = null;
        try (PrintStream stream = new PrintStream(printed, true, StandardCharsets.UTF_8))
        {
            final ParserOptions options =
                ParserOptions.builder().stopOnError(false).suppressOutput(false).errorPrintStream(stream).build();
            final MessageSchema messageSchema = XmlSchemaParser.parse(new ByteArrayInputStream(xml), options);
            ir = new IrGenerator().generate(messageSchema, null);
            generation.accept(ir);
        }
        catch (final Exception | StackOverflowError ex)
        {
            failure = ex;
        }

        final String text = printed.toString(StandardCharsets.UTF_8);
        // Having printed its errors, it throws to say how many they were.
        final boolean isSummary = failure instanceof IllegalStateException && text.contains("ERROR: ") &&
            String.valueOf(failure.getMessage()).startsWith("had ");
        return new Outcome(ir, text, isSummary ? null : failure);
    }

    private XmlElement locate(final Outcome outcome)
    {
        XmlElement culprit = schema.element();
        while (true)
        {
            final List<XmlElement> parts = new ArrayList<>();
            culprit.children().stream().filter(this::isIncluded).forEach(parts::add);
            final XmlElement part = firstThatFails(parts, outcome);
            if (null == part)
            {
                return culprit;
            }
            culprit = part;
        }
    }

    private XmlElement firstThatFails(final List<XmlElement> parts, final Outcome outcome)
    {
        int low = 0;
        int high = parts.size();
        if (failsAlike(parts, 0, outcome))
        {
            return null;
        }
        while (low < high)
        {
            final int middle = (low + high + 1) >>> 1;
            if (failsAlike(parts, middle, outcome))
            {
                high = middle - 1;
            }
            else
            {
                low = middle;
            }
        }
        return low < parts.size() ? parts.get(low) : null;
    }

    private boolean failsAlike(final List<XmlElement> parts, final int kept, final Outcome outcome)
    {
        final Set<XmlElement> leftOut = new HashSet<>(parts.subList(kept, parts.size()));
        final Throwable failure = run((element) -> isIncluded(element) && !leftOut.contains(element)).failure();
        return null != failure && describe(failure).equals(describe(outcome.failure()));
    }

    private void addFailure(final XmlElement element, final Outcome outcome)
    {
        found.add(new Diagnostic(DiagnosticCode.SBE_FAILURE, element.file(), element.line(), element.path(),
            "expected a schema that sbe-tool can read, found: " + describe(outcome.failure())));
    }

    private static String describe(final Throwable failure)
    {
        final String message = failure.getMessage();
        final String name = failure.getClass().getSimpleName();
        return null == message ? name : message.replace('\n', ' ') + " (" + name + ")";
    }

    private void addPrinted(final String printed)
    {
        for (final String line : printed.split("\\R"))
        {
            if (line.isBlank())
            {
                continue;
            }
            final boolean isError = line.startsWith("ERROR");
            final Matcher matcher = PRINTED.matcher(line);
            final boolean isLocated = matcher.matches();
            final List<XmlElement> matches = isLocated ? find(matcher) : List.of();
            final String words = isLocated ? matcher.group(5) : line.replaceFirst("^(ERROR|WARNING): ", "");
            final XmlElement element = matches.isEmpty() ? findNewer(words) : matches.get(0);
            final String text = words + otherPlaces(matches);
            if (isIrrelevant(words))
            {
                continue;
            }
            found.add(new Diagnostic(isError ? DiagnosticCode.SBE_ERROR : DiagnosticCode.SBE_WARNING,
                element.file(), element.line(), element.path(),
                isError ? "expected a valid " + element.name() + ", found: " + text : text));
        }
    }

    private boolean isIrrelevant(final String words)
    {
        // What follows from what was left out; a schema of types alone; and what other languages could not take.
        return !excluded.isEmpty() && words.contains("not find type") || words.contains("no messages found") ||
            words.startsWith("name is not valid for ") && !words.startsWith("name is not valid for Java");
    }

    private List<XmlElement> find(final Matcher matcher)
    {
        final List<XmlElement> matches = new ArrayList<>();
        collect(schema.element(), matcher.group(1), matcher.group(2), matcher.group(3), matcher.group(4), matches);
        return matches;
    }

    /**
     * sbe-tool names an element and its parent, which need not be unique: then the user is told where else to look.
     */
    private static String otherPlaces(final List<XmlElement> matches)
    {
        final StringBuilder text = new StringBuilder();
        for (final XmlElement match : matches.subList(Math.min(1, matches.size()), matches.size()))
        {
            text.append(text.isEmpty() ? " (or that of the same name at line " : ", ").append(match.line());
        }
        return text.isEmpty() ? "" : text.append(')').toString();
    }

    /**
     * The element of a message such as <code>Order.legs.price.sinceVersion=5 > messageSchema.version=2</code>.
     */
    private XmlElement findNewer(final String text)
    {
        final Matcher matcher = NEWER.matcher(text);
        XmlElement element = schema.element();
        if (matcher.find())
        {
            for (final String name : matcher.group(1).split("\\."))
            {
                element = childNamed(element, name);
            }
        }
        return element;
    }

    private static XmlElement childNamed(final XmlElement element, final String name)
    {
        for (final XmlElement child : element.children())
        {
            if (name.equals(child.attribute("name")))
            {
                return child;
            }
        }
        for (final XmlElement types : element.children("types"))
        {
            final XmlElement type = childNamed(types, name);
            if (type != types)
            {
                return type;
            }
        }
        return element;
    }

    private static void collect(
        final XmlElement element,
        final String parentKind,
        final String parentName,
        final String kind,
        final String name,
        final List<XmlElement> matches)
    {
        for (final XmlElement child : element.children())
        {
            if (isNamed(element, parentKind, parentName) && isNamed(child, kind, name))
            {
                matches.add(child);
            }
            collect(child, parentKind, parentName, kind, name, matches);
        }
    }

    private static boolean isNamed(final XmlElement element, final String kind, final String name)
    {
        final String label = element.attribute("name");
        return element.name().equals(kind) && (null == name || name.equals(label));
    }

    private record Outcome(Ir ir, String printed, Throwable failure)
    {
    }
}
