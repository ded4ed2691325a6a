/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.codegen.schema;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Reads the attributes of a method that say when it may be called again: <code>retry-</code> and <code>hedge-</code>.
 */
final class RetryParser
{
    static final String RETRY_ATTEMPTS = "retry-attempts";
    static final String RETRY_BACKOFF = "retry-backoff";
    static final String RETRY_MAX_BACKOFF = "retry-max-backoff";
    static final String RETRY_CODES = "retry-codes";
    static final String HEDGE_ATTEMPTS = "hedge-attempts";
    static final String HEDGE_DELAY = "hedge-delay";

    private static final int MIN_ATTEMPTS = 2;
    private static final int MAX_ATTEMPTS = 5;
    private static final long MAX_WAIT_NS = TimeUnit.HOURS.toNanos(1);
    private static final List<String> RETRY_DETAILS = List.of(RETRY_BACKOFF, RETRY_MAX_BACKOFF, RETRY_CODES);
    private static final List<String> ALL = List.of(
        RETRY_ATTEMPTS, RETRY_BACKOFF, RETRY_MAX_BACKOFF, RETRY_CODES, HEDGE_ATTEMPTS, HEDGE_DELAY);
    private static final List<String> CODES = List.of(
        "UNKNOWN", "INVALID_ARGUMENT", "DEADLINE_EXCEEDED", "NOT_FOUND", "ALREADY_EXISTS",
        "PERMISSION_DENIED", "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION", "ABORTED", "OUT_OF_RANGE", "UNIMPLEMENTED",
        "INTERNAL", "UNAVAILABLE", "DATA_LOSS", "UNAUTHENTICATED");

    private final Diagnostics diagnostics;

    RetryParser(final Diagnostics diagnostics)
    {
        this.diagnostics = diagnostics;
    }

    /**
     * Reports attributes that the method may not have, or that do not go together.
     */
    void check(final XmlElement element, final CallKind kind, final boolean isIdempotent)
    {
        final List<String> present = ALL.stream().filter((name) -> null != element.attribute(name)).toList();
        if (present.isEmpty())
        {
            return;
        }
        final String first = present.get(0);
        if (!isIdempotent)
        {
            diagnostics.report(DiagnosticCode.RETRY_NOT_IDEMPOTENT, element, first,
                "only on a method with idempotent=\"true\", since it makes the client call again",
                "a method that is not declared idempotent");
        }
        if (CallKind.UNARY != kind)
        {
            diagnostics.report(DiagnosticCode.RETRY_CONFLICT, element, first,
                "only on a unary method: a stream that has begun cannot be sent again", "kind " + kind.text());
        }
        if (null != element.attribute(RETRY_ATTEMPTS) && null != element.attribute(HEDGE_ATTEMPTS))
        {
            diagnostics.report(DiagnosticCode.RETRY_CONFLICT, element, HEDGE_ATTEMPTS,
                "either " + RETRY_ATTEMPTS + " or " + HEDGE_ATTEMPTS, "both");
        }
        if (null == element.attribute(RETRY_ATTEMPTS))
        {
            present.stream().filter(RETRY_DETAILS::contains).findFirst().ifPresent((name) ->
                needs(element, name, RETRY_ATTEMPTS));
        }
        if (null != element.attribute(HEDGE_DELAY) && null == element.attribute(HEDGE_ATTEMPTS))
        {
            needs(element, HEDGE_DELAY, HEDGE_ATTEMPTS);
        }
        if (null != element.attribute(HEDGE_ATTEMPTS) && null == element.attribute(HEDGE_DELAY))
        {
            needs(element, HEDGE_ATTEMPTS, HEDGE_DELAY);
        }
    }

    /**
     * Reads the policy of retries.
     *
     * @return null for none.
     */
    RetryModel retry(final XmlElement element)
    {
        final long backoffNs = duration(element, RETRY_BACKOFF);
        final long maxBackoffNs = duration(element, RETRY_MAX_BACKOFF);
        if (backoffNs > 0 && maxBackoffNs > 0 && maxBackoffNs < backoffNs)
        {
            diagnostics.report(DiagnosticCode.RETRY_CONFLICT, element, RETRY_MAX_BACKOFF,
                "at least " + RETRY_BACKOFF + ", which is " + element.attribute(RETRY_BACKOFF),
                Diagnostics.quote(element.attribute(RETRY_MAX_BACKOFF)));
        }
        final List<String> codes = codes(element);
        final int attempts = attempts(element, RETRY_ATTEMPTS);
        return attempts < 0 ? null : new RetryModel(attempts, backoffNs, maxBackoffNs, codes);
    }

    /**
     * Reads the policy of hedging.
     *
     * @return null for none.
     */
    HedgeModel hedge(final XmlElement element)
    {
        final long delayNs = duration(element, HEDGE_DELAY);
        final int attempts = attempts(element, HEDGE_ATTEMPTS);
        return attempts < 0 ? null : new HedgeModel(attempts, delayNs);
    }

    private void needs(final XmlElement element, final String attribute, final String other)
    {
        diagnostics.report(DiagnosticCode.RETRY_CONFLICT, element, attribute, "it together with " + other,
            "no " + other);
    }

    private int attempts(final XmlElement element, final String attribute)
    {
        final String text = element.attribute(attribute);
        if (null == text)
        {
            return -1;
        }
        final int attempts = Numbers.parse(text, MIN_ATTEMPTS, MAX_ATTEMPTS);
        if (attempts < 0)
        {
            diagnostics.report(DiagnosticCode.BAD_ATTEMPTS, element, attribute,
                "a number from " + MIN_ATTEMPTS + " to " + MAX_ATTEMPTS + " (the first call counts too)",
                Diagnostics.quote(text));
        }
        return attempts;
    }

    private long duration(final XmlElement element, final String attribute)
    {
        final String text = element.attribute(attribute);
        if (null == text)
        {
            return RetryModel.RUNTIME_DEFAULT;
        }
        final long durationNs = Durations.parseNs(text);
        if (durationNs < 0 || durationNs > MAX_WAIT_NS)
        {
            diagnostics.report(DiagnosticCode.BAD_DURATION, element, attribute,
                Durations.EXPECTED.replace("24h", "1h"), Diagnostics.quote(text));
        }
        return durationNs;
    }

    private List<String> codes(final XmlElement element)
    {
        final List<String> codes = new ArrayList<>();
        final String names = element.attribute(RETRY_CODES);
        if (null == names)
        {
            return codes;
        }
        for (final String name : names.strip().split("\\s+"))
        {
            if (!CODES.contains(name))
            {
                diagnostics.report(DiagnosticCode.BAD_STATUS_CODE, element, RETRY_CODES,
                    "names of status codes other than OK and CANCELLED, separated by spaces",
                    Diagnostics.quote(name) + Names.didYouMean(name, CODES));
            }
            else if (codes.contains(name))
            {
                diagnostics.report(DiagnosticCode.BAD_STATUS_CODE, element, RETRY_CODES, "each status code once",
                    Diagnostics.quote(name) + " again");
            }
            else
            {
                codes.add(name);
            }
        }
        return codes;
    }
}
