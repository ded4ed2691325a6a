/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import static io.verbena.rpc.RpcHarness.ECHO_METHOD_ID;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.rpc.test.InterruptAfter;
import io.verbena.rpc.test.RecordingHandler;
import io.verbena.rpc.test.ScriptedAdapter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.agrona.DirectBuffer;
import org.junit.jupiter.api.Test;

/**
 * Handlers on either side that throw, lie, or close what they stand on.
 */
abstract class UnaryFailuresContract extends UnaryConnectionContract
{
    private static final class Mute extends RuntimeException
    {
        private static final long serialVersionUID = 1L;

        @Override
        public String getMessage()
        {
            throw new IllegalStateException("no message for you");
        }
    }

    private static final class MuteText implements CharSequence
    {
        @Override
        public int length()
        {
            return 8;
        }

        @Override
        public char charAt(final int index)
        {
            throw new IllegalStateException("no text for you");
        }

        @Override
        public CharSequence subSequence(final int start, final int end)
        {
            throw new IllegalStateException("no text for you");
        }

        @Override
        public String toString()
        {
            throw new IllegalStateException("no text for you");
        }
    }

    @Test
    @InterruptAfter(20)
    void shouldAnswerInternalAtOnceWhenHandlerThrowsWhatever()
    {
        assertInternalTwice("cyclic", (call, buffer, offset, length) ->
        {
            final IllegalStateException cause = new IllegalStateException("cyclic");
            cause.initCause(new IllegalArgumentException("inner", cause));
            throw cause;
        });
        assertInternalTwice(Mute.class.getName(), (call, buffer, offset, length) ->
        {
            throw new Mute();
        });
        assertInternalTwice("StackOverflowError", (call, buffer, offset, length) -> recurse(0));
        assertInternalTwice("AssertionError", (call, buffer, offset, length) ->
        {
            throw new AssertionError("thrown");
        });
        assertInternalTwice("no text for you",
            (call, buffer, offset, length) -> call.fail(StatusCode.ABORTED, new MuteText()));
        assertInternalTwice("found null", (call, buffer, offset, length) -> call.fail(null, "no code"));
        assertInternalTwice("found OK",
            (call, buffer, offset, length) -> call.claimError(StatusCode.OK, "not an error", 8));
        assertInternalTwice("found -1", (call, buffer, offset, length) -> call.claim(-1));
    }

    @Test
    @InterruptAfter(20)
    void shouldAnswerInternalAtOnceWhenHandlerMisusesItsClaim()
    {
        assertInternalTwice("9 bytes was encoded where 8", (call, buffer, offset, length) ->
        {
            call.claim(8);
            call.send(9);
        });
        assertInternalTwice("-1 bytes was encoded", (call, buffer, offset, length) ->
        {
            call.claim(8);
            call.send(-1);
        });
        assertInternalTwice(Integer.MAX_VALUE + " bytes was encoded", (call, buffer, offset, length) ->
        {
            call.claimError(StatusCode.ABORTED, "text", 8);
            call.send(Integer.MAX_VALUE);
        });
        assertInternalTwice("IndexOutOfBounds", (call, buffer, offset, length) ->
        {
            call.claim(8);
            call.buffer().putBytes(call.offset(), new byte[1_000]);
        });
        assertInternalTwice("neither sent nor aborted", (call, buffer, offset, length) -> call.claim(8));
        assertInternalTwice("neither sent nor aborted", (call, buffer, offset, length) -> call.claim(100_000));
        assertInternalTwice("neither sent nor aborted", (call, buffer, offset, length) -> call.claimScratch());
        assertInternalTwice("neither sent nor aborted",
            (call, buffer, offset, length) -> call.claimErrorScratch(StatusCode.ABORTED, "open"));
        assertInternalTwice("no response is open", (call, buffer, offset, length) -> call.send(8));
        assertInternalTwice("a response is open", (call, buffer, offset, length) ->
        {
            call.claim(8);
            call.claim(8);
        });
        assertInternalTwice("a response is open", (call, buffer, offset, length) ->
        {
            call.claimError(StatusCode.ABORTED, "first", 8);
            call.claimErrorScratch(StatusCode.ABORTED, "second, and longer than the first");
        });
    }

    private void assertInternalTwice(final String expected, final ScriptedAdapter.Script script)
    {
        if (rpc.server() == null)
        {
            rpc.start();
        }
        rpc.service().on(METHOD, script);
        for (int i = 0; i < 2; i++)
        {
            final RecordingHandler.Outcome outcome = rpc.call(METHOD, new byte[8]);
            assertEquals(StatusCode.INTERNAL, outcome.code(), expected);
            assertTrue(outcome.text().contains(expected), () -> expected + " in " + outcome.text());
            assertFalse(rpc.serverErrors().isEmpty(), expected);
        }
        rpc.serverErrors().clear();
        assertEchoWorks();
        rpc.assertClean();
    }

    private static int recurse(final int depth)
    {
        return recurse(depth + 1) + 1;
    }

    @Test
    @InterruptAfter(20)
    void shouldAnswerWhenHandlerAbortsAndTriesAgain()
    {
        rpc.start();
        rpc.service().on(METHOD, (call, buffer, offset, length) ->
        {
            call.claim(8);
            call.abort();
            call.claim(100_000);
            call.abort();
            call.claimScratch();
            call.abort();
            call.abort();
            ScriptedAdapter.ECHO.onRequest(call, buffer, offset, length);
            assertFalse(call.isOpen());
            // answered: dropped in silence
            ScriptedAdapter.ECHO.onRequest(call, buffer, offset, length);
            call.fail(StatusCode.ABORTED, "too late");
        });
        final RecordingHandler.Outcome outcome = rpc.call(METHOD, bytes(8, 2));
        assertEquals(StatusCode.OK, outcome.code());
        assertEchoWorks();
        rpc.assertClean();
    }

    @Test
    @InterruptAfter(20)
    void shouldRefuseSecondOpenResponseWhenAnotherCallHasOne()
    {
        rpc.start();
        rpc.service().on(METHOD, keep).on(3, (call, buffer, offset, length) ->
        {
            call.claimScratch();
            call.buffer().putBytes(call.offset(), bytes(32, 1));
            assertThrows(IllegalStateException.class, () -> kept.get(0).claimScratch());
            assertThrows(IllegalStateException.class, () -> kept.get(0).claim(8));
            kept.get(0).fail(StatusCode.ABORTED, "while another is open");
            call.send(32);
        });
        final RecordingHandler handler = new RecordingHandler();
        rpc.offer(METHOD, new byte[8], RpcChannel.NO_TIMEOUT, handler);
        rpc.until(() -> kept.size() == 1);
        assertEquals(buffer(bytes(32, 1)), buffer(rpc.call(3, new byte[8]).payload()));
        rpc.until(() -> handler.count() == 1);
        assertEquals(StatusCode.ABORTED, handler.last().code());
        rpc.assertClean();
    }

    @Test
    @InterruptAfter(20)
    void shouldCloseResponseWhenATaskLeavesItOpen()
    {
        rpc.start();
        rpc.service().on(METHOD, keep);
        final RecordingHandler handler = new RecordingHandler();
        rpc.offer(METHOD, new byte[8], RpcChannel.NO_TIMEOUT, handler);
        rpc.until(() -> kept.size() == 1);
        rpc.server().execute(() -> kept.get(0).claim(8));
        rpc.until(() -> handler.count() == 1);
        assertEquals(StatusCode.INTERNAL, handler.last().code());
        assertEchoWorks();
        assertEquals(1, rpc.serverErrors().size());
        rpc.assertNothingHeld();
    }

    @Test
    @InterruptAfter(20)
    void shouldGoOnWhenCancelCallbackThrows()
    {
        rpc.start();
        rpc.service().on(METHOD, keep);
        rpc.service().onCancelled(() ->
        {
            throw new AssertionError("from onCancelled");
        });
        final RecordingHandler handler = new RecordingHandler();
        for (int i = 0; i < 10; i++)
        {
            rpc.offer(METHOD, new byte[8], 10 * MS, handler);
        }
        rpc.until(() -> kept.size() == 10);
        rpc.clock().advanceMs(10);
        rpc.until(() -> handler.count() == 10 && rpc.service().cancelled().size() == 10);
        assertEquals(10, rpc.serverErrors().size());
        assertEchoWorks();
        rpc.assertNothingHeld();
    }

    @Test
    @InterruptAfter(20)
    void shouldEndTheOtherCallsWhenAClientHandlerThrows()
    {
        rpc.start();
        rpc.service().on(METHOD, keep);
        final RecordingHandler throwing = new RecordingHandler().then(outcome ->
        {
            throw new AssertionError("from a client's handler");
        });
        rpc.offer(ECHO_METHOD_ID, new byte[8], 0, throwing);
        rpc.offer(ECHO_METHOD_ID, new byte[MIB], 0, throwing);
        rpc.offer(99, new byte[8], 0, throwing);
        rpc.until(() -> throwing.count() == 3);
        for (int i = 0; i < 10; i++)
        {
            rpc.offer(METHOD, new byte[8], i < 5 ? 10 * MS : RpcChannel.NO_TIMEOUT, throwing);
        }
        rpc.until(() -> kept.size() == 10);
        rpc.clock().advanceMs(10);
        rpc.until(() -> throwing.count() == 8);
        rpc.channel().connector().link().connection().close();
        rpc.until(() -> throwing.count() == 13);
        assertEquals(13, rpc.clientErrors().size());
        rpc.clock().advanceMs(50);
        rpc.awaitReady();
        assertEchoWorks();
        rpc.assertNothingHeld();
    }

    @Test
    @InterruptAfter(20)
    void shouldGoOnWhenErrorHandlersThrow()
    {
        final int[] told = new int[2];
        rpc.launchServer(context -> context.errorHandler(failure ->
        {
            told[0]++;
            throw new IllegalStateException("the server's error handler");
        }));
        rpc.launchClient(context -> context.errorHandler(failure ->
        {
            told[1]++;
            throw new IllegalStateException("the client's error handler");
        }));
        rpc.awaitReady();
        rpc.service().on(METHOD, (call, buffer, offset, length) ->
        {
            throw new IllegalStateException("the handler");
        });
        final RecordingHandler handler = new RecordingHandler().then(outcome ->
        {
            throw new IllegalStateException("the client's handler");
        });
        rpc.offer(METHOD, new byte[8], 0, handler);
        rpc.offer(METHOD, new byte[8], 0, handler);
        rpc.until(() -> handler.count() == 2);
        assertEchoWorks();
        assertEquals(2, told[0]);
        assertEquals(2, told[1]);
        rpc.assertNothingHeld();
    }

    @Test
    @InterruptAfter(20)
    void shouldCloseWhenAskedFromWithinAHandler()
    {
        rpc.start();
        rpc.service().on(METHOD, keep);
        final RecordingHandler others = new RecordingHandler();
        for (int i = 0; i < 5; i++)
        {
            rpc.offer(METHOD, new byte[8], RpcChannel.NO_TIMEOUT, others);
        }
        // channels that callbacks take out of the list that is being walked
        final List<RpcChannel> channels = new ArrayList<>();
        for (int i = 0; i < 3; i++)
        {
            channels.add(rpc.client().connect(rpc.address()));
        }
        rpc.until(() -> channels.stream().allMatch(channel -> channel.state() == ChannelState.READY));
        final CompletableFuture<DirectBuffer> future =
            channels.get(2).call(SERVICE_ID, METHOD, buffer(new byte[8]), 0, 8, 5 * MS);
        future.whenComplete((response, failure) -> channels.forEach(RpcChannel::close));
        rpc.until(() -> kept.size() == 6);
        rpc.clock().advanceMs(5);
        rpc.until(future::isDone);
        rpc.until(() -> rpc.server().sessionCount() == 1);

        final RecordingHandler handler = new RecordingHandler().then(outcome ->
        {
            rpc.client().close();
            assertThrows(IllegalStateException.class, rpc.client()::doWork);
        });
        rpc.offer(ECHO_METHOD_ID, new byte[8], 0, handler);
        rpc.until(() -> others.count() == 5);
        assertEquals(ChannelState.CLOSED, rpc.channel().state());
        assertEquals(0, rpc.client().doWork());
        rpc.until(() -> rpc.server().sessionCount() == 0);
        rpc.assertClean();
    }

    @Test
    @InterruptAfter(20)
    void shouldWalkItsChannelsWhenACallbackTakesSeveralOut()
    {
        rpc.start();
        final List<RpcChannel> channels = new ArrayList<>();
        for (int i = 0; i < 3; i++)
        {
            channels.add(rpc.client().connect(rpc.address()));
        }
        rpc.until(() -> channels.stream().allMatch(channel -> channel.state() == ChannelState.READY));
        channels.forEach(channel -> channel.connector().link().connection().close());
        rpc.until(() -> channels.stream().allMatch(channel -> channel.state() == ChannelState.BACKING_OFF));
        // without a connection they are gone at once when they are closed
        final CompletableFuture<DirectBuffer> future =
            channels.get(2).call(SERVICE_ID, METHOD, buffer(new byte[8]), 0, 8, 0);
        future.whenComplete((response, failure) -> channels.forEach(RpcChannel::close));
        rpc.until(future::isDone);
        assertTrue(channels.stream().allMatch(channel -> channel.state() == ChannelState.CLOSED));
        assertEchoWorks();
        rpc.assertClean();
    }

    @Test
    @InterruptAfter(20)
    void shouldCloseServerWhenAskedFromWithinAHandler()
    {
        rpc.start();
        rpc.service().on(METHOD, (call, buffer, offset, length) -> rpc.server().close());
        final RecordingHandler handler = new RecordingHandler();
        rpc.offer(METHOD, new byte[8], RpcChannel.NO_TIMEOUT, handler);
        rpc.until(() -> handler.count() == 1);
        assertEquals(StatusCode.UNAVAILABLE, handler.last().code());
        rpc.assertClean();
    }

    @Test
    @InterruptAfter(20)
    void shouldEndItsThreadWhenClosedFromWithin() throws Exception
    {
        rpc.launchServer(context -> {});
        final List<Throwable> errors = new java.util.concurrent.CopyOnWriteArrayList<>();
        final RpcClient client = RpcClient.launch(
            new RpcClient.Context().transport(newTransport()).errorHandler(errors::add));
        final CompletableFuture<Thread> closed = new CompletableFuture<>();
        client.execute(() ->
        {
            client.close();
            closed.complete(Thread.currentThread());
        });
        rpc.until(closed::isDone);
        final Thread thread = closed.get();
        assertNotNull(thread);
        thread.join(10_000);
        assertFalse(thread.isAlive());
        assertEquals(List.of(), errors);
        client.close();
        assertThrows(IllegalStateException.class, () -> client.connect(rpc.address()));
        assertThrows(java.util.concurrent.RejectedExecutionException.class, () -> client.execute(() -> {}));
    }
}
