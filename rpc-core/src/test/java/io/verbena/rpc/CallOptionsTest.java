/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.rpc.test.InterruptAfter;
import io.verbena.rpc.transport.LoopbackTransport;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

@InterruptAfter(20)
class CallOptionsTest
{
    private static final long HOUR_NS = 3_600_000_000_000L;

    @Test
    void shouldKeepWhatWasSetAndChangeNothingElse()
    {
        final RetryPolicy retry = new RetryPolicy(3);
        final CallOptions options = CallOptions.DEFAULT.timeoutNs(5).waitForReady(true).deadlineInherited(false)
            .idempotent(true).metadata(new Metadata().add("key", "value")).retry(retry);
        assertEquals(5, options.timeoutNs());
        assertTrue(options.isWaitForReady());
        assertFalse(options.isDeadlineInherited());
        assertTrue(options.isIdempotent());
        assertEquals("value", options.metadata().get("key"));
        assertEquals(retry, options.retry());
        assertNull(options.hedging());
        assertEquals(RpcChannel.DEFAULT_TIMEOUT, CallOptions.DEFAULT.timeoutNs());
        assertFalse(CallOptions.DEFAULT.isWaitForReady());
        assertTrue(CallOptions.DEFAULT.isDeadlineInherited());
        assertFalse(CallOptions.DEFAULT.isIdempotent());
        assertNull(CallOptions.DEFAULT.metadata());
        assertNull(CallOptions.DEFAULT.retry());
    }

    @Test
    void shouldNotChangeWhenTheMetadataThatWasSetDoes()
    {
        final Metadata metadata = new Metadata().add("key", "value");
        final CallOptions options = CallOptions.DEFAULT.metadata(metadata);
        metadata.clear();
        assertEquals("value", options.metadata().get("key"));
    }

    @Test
    void shouldRefuseBothPoliciesAtOnce()
    {
        final CallOptions retried = CallOptions.DEFAULT.retry(new RetryPolicy(2));
        final HedgingPolicy hedging = new HedgingPolicy(2, 0);
        assertThrows(IllegalArgumentException.class, () -> retried.hedging(hedging));
        assertEquals(hedging, retried.retry(null).hedging(hedging).hedging());
        assertThrows(IllegalArgumentException.class, () -> CallOptions.DEFAULT.timeoutNs(-1));
    }

    @Test
    void shouldNameTheSettingWhenAPolicyIsOutOfItsRange()
    {
        new RetryPolicy(2, 1, 1, StatusCode.ABORTED);
        new RetryPolicy(5, HOUR_NS, HOUR_NS, StatusCode.ABORTED);
        assertRefused("attempts: expected 2 to 5, found 1", () -> new RetryPolicy(1));
        assertRefused("attempts: expected 2 to 5, found 6", () -> new RetryPolicy(6));
        assertRefused("backoffNs", () -> new RetryPolicy(2, 0, 1, StatusCode.ABORTED));
        assertRefused("maxBackoffNs", () -> new RetryPolicy(2, 2, 1, StatusCode.ABORTED));
        assertRefused("maxBackoffNs", () -> new RetryPolicy(2, 2, HOUR_NS + 1, StatusCode.ABORTED));
        assertRefused("at least one", () -> new RetryPolicy(2, 1, 1));
        assertRefused("found OK", () -> new RetryPolicy(2, 1, 1, StatusCode.OK));
        assertRefused("found CANCELLED", () -> new RetryPolicy(2, 1, 1, StatusCode.CANCELLED));
        new HedgingPolicy(5, HOUR_NS);
        assertRefused("attempts: expected 2 to 5, found 1", () -> new HedgingPolicy(1, 0));
        assertRefused("delayNs", () -> new HedgingPolicy(2, -1));
        assertRefused("delayNs", () -> new HedgingPolicy(2, HOUR_NS + 1));
    }

    @Test
    void shouldTellItsCodes()
    {
        assertEquals(Set.of(StatusCode.UNAVAILABLE), new RetryPolicy(2).codes());
        assertEquals(
            Set.of(StatusCode.ABORTED, StatusCode.UNAUTHENTICATED),
            new RetryPolicy(2, 1, 1, StatusCode.UNAUTHENTICATED, StatusCode.ABORTED).codes());
        assertEquals(Set.of(StatusCode.UNAVAILABLE), new HedgingPolicy(2, 0).nonFatalCodes());
    }

    @Test
    void shouldRefuseSettingsThatAreOutOfTheirRange()
    {
        accepted(context -> context.retryMaxTokens(1).retryTokenThousandths(1).retryBufferBytes(0).maxEndpoints(1)
            .removedDrainTimeoutNs(0));
        accepted(context -> context.retryMaxTokens(1000).retryTokenThousandths(1000)
            .retryBufferBytes(Integer.MAX_VALUE).maxEndpoints(1024).removedDrainTimeoutNs(HOUR_NS));
        refused("retryMaxTokens", context -> context.retryMaxTokens(0));
        refused("retryMaxTokens", context -> context.retryMaxTokens(1001));
        refused("retryTokenThousandths", context -> context.retryTokenThousandths(0));
        refused("retryTokenThousandths", context -> context.retryTokenThousandths(1001));
        refused("retryBufferBytes", context -> context.retryBufferBytes(-1));
        refused("maxEndpoints", context -> context.maxEndpoints(0));
        refused("maxEndpoints", context -> context.maxEndpoints(1025));
        refused("removedDrainTimeoutNs", context -> context.removedDrainTimeoutNs(-1));
        refused("removedDrainTimeoutNs", context -> context.removedDrainTimeoutNs(HOUR_NS + 1));
    }

    private static void accepted(final Consumer<RpcClient.Context> settings)
    {
        final RpcClient.Context context = context(settings);
        RpcClient.launch(context).close();
    }

    private static void refused(final String name, final Consumer<RpcClient.Context> settings)
    {
        final RpcClient.Context context = context(settings);
        final IllegalStateException ex =
            assertThrows(IllegalStateException.class, () -> RpcClient.launch(context));
        assertTrue(ex.getMessage().startsWith(name + ": expected"), ex::getMessage);
    }

    private static RpcClient.Context context(final Consumer<RpcClient.Context> settings)
    {
        final RpcClient.Context context =
            new RpcClient.Context().transport(new LoopbackTransport()).useAgentInvoker(true);
        settings.accept(context);
        return context;
    }

    private static void assertRefused(final String text, final Runnable action)
    {
        final IllegalArgumentException ex = assertThrows(IllegalArgumentException.class, action::run);
        assertTrue(ex.getMessage().contains(text), ex::getMessage);
    }
}
