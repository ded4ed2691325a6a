/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.rpc.protocol.FrameFlags;
import io.verbena.rpc.protocol.FrameHeader;
import io.verbena.rpc.protocol.FrameType;
import io.verbena.rpc.protocol.HelloPayload;
import io.verbena.rpc.protocol.MetadataBlock;
import io.verbena.rpc.test.InterruptAfter;
import io.verbena.rpc.test.RawPeer;
import io.verbena.rpc.test.RecordingHandler;
import io.verbena.rpc.test.RecordingStream;
import io.verbena.rpc.test.ScriptedAdapter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/**
 * What travels with calls besides their messages: metadata, push-back, and what an error says of itself.
 */
abstract class MetadataContract extends UnaryContractSupport
{
    static final int STREAM_METHOD = 3;

    final List<String> toldInfos = new ArrayList<>();

    /**
     * Records what came with each end.
     */
    final RecordingHandler infoHandler()
    {
        return new RecordingHandler().then(outcome ->
        {
            final ResponseInfo info = rpc.channel().responseInfo();
            toldInfos.add(
                outcome.code() + " " + info.metadata() + " " + info.pushbackNs() + (info.isNotStarted() ? " new" : "") +
                (info.isCut() ? " cut" : ""));
        });
    }

    /**
     * Answers with the request, and its metadata with another entry.
     */
    static void echoMetadata(
        final ServerCall call, final DirectBuffer buffer, final int offset, final int length)
    {
        call.responseMetadata().addAll(call.metadata()).add("seen", Integer.toString(call.metadata().size()));
        ScriptedAdapter.ECHO.onRequest(call, buffer, offset, length);
    }

    @Test
    @InterruptAfter(30)
    void shouldCarryMetadataBothWaysWhateverTheLengths()
    {
        rpc.service().on(METHOD, MetadataContract::echoMetadata);
        rpc.start();
        for (final int length : new int[]{0, 1, 8, 100, 1_300, 2_000, 70_000, 1_000_000})
        {
            for (final int metadataLength : new int[]{6, 7, 13, 14, 500, 1_400, 4_000})
            {
                toldInfos.clear();
                rpc.channel().requestMetadata().add("k", "x".repeat(metadataLength - 5));
                final byte[] payload = bytes(length, length);
                final RecordingHandler handler = infoHandler();
                assertTrue(rpc.offer(METHOD, payload, RpcChannel.DEFAULT_TIMEOUT, handler) > 0);
                assertTrue(rpc.channel().requestMetadata().isEmpty());
                rpc.until(() -> handler.count() == 1);
                assertArrayEquals(payload, handler.last().payload(), handler.last()::toString);
                assertEquals(List.of("OK [k=" + "x".repeat(metadataLength - 5) + ", seen=1] 0"), toldInfos);
            }
        }
        assertEquals("OK [seen=0] 0", claimAndTell(12));
        assertTrue(rpc.channel().responseInfo().metadata().isEmpty(), "outside a callback");
        rpc.assertClean();
    }

    private String claimAndTell(final int length)
    {
        final RecordingHandler handler = infoHandler();
        rpc.until(() -> rpc.channel().claim(SERVICE_ID, METHOD, length, RpcChannel.DEFAULT_TIMEOUT, handler) > 0);
        rpc.channel().commit(length);
        rpc.until(() -> handler.count() == 1);
        return toldInfos.get(toldInfos.size() - 1);
    }

    @Test
    @InterruptAfter(20)
    void shouldSendMetadataOfClaimedRequestWhenAnotherWasAborted()
    {
        rpc.service().on(METHOD, MetadataContract::echoMetadata);
        rpc.start();
        rpc.channel().requestMetadata().add("a", "1");
        final RecordingHandler handler = infoHandler();
        rpc.until(() -> rpc.channel().claim(SERVICE_ID, METHOD, 8, RpcChannel.DEFAULT_TIMEOUT, handler) > 0);
        rpc.channel().abort();
        rpc.channel().requestMetadata().add("b", "2");
        assertEquals("OK [b=2, seen=1] 0", claimAndTell(8));
        // a call of another thread's does not take what was filled in for one of this thread's
        rpc.channel().requestMetadata().add("c", "3");
        final CompletableFuture<DirectBuffer> other =
            rpc.channel().call(SERVICE_ID, METHOD, buffer(new byte[8]), 0, 8, RpcChannel.DEFAULT_TIMEOUT);
        rpc.until(other::isDone);
        assertEquals("OK [c=3, seen=1] 0", claimAndTell(8));
        assertEquals(0, handler.count());
        rpc.assertClean();
    }

    @Test
    @InterruptAfter(20)
    void shouldKeepMetadataWhenCallIsNotConnectedYet()
    {
        rpc.service().on(METHOD, MetadataContract::echoMetadata);
        rpc.launchServer(context -> {}).launchClient(context -> {});
        rpc.channel().requestMetadata().add("a", "1");
        assertTrue(rpc.channel().claim(SERVICE_ID, METHOD, 8, RpcChannel.DEFAULT_TIMEOUT, infoHandler()) < 0);
        rpc.awaitReady();
        assertEquals("OK [a=1, seen=1] 0", claimAndTell(8));
    }

    @Test
    @InterruptAfter(20)
    void shouldRefuseRequestMetadataAboveTheLimitOfEitherSide()
    {
        rpc.service().on(METHOD, MetadataContract::echoMetadata);
        rpc.launchServer(context -> context.maxMetadataLength(100)).launchClient(context -> {}).awaitReady();
        rpc.channel().requestMetadata().add("k", "x".repeat(95 - 9));
        assertEquals("OK [k=" + "x".repeat(86) + ", seen=1] 0", claimAndTell(8));
        rpc.channel().requestMetadata().add("k", "x".repeat(96));
        final RecordingHandler handler = infoHandler();
        final RpcException failure = assertThrows(RpcException.class, () ->
            rpc.channel().claim(SERVICE_ID, METHOD, 8, RpcChannel.DEFAULT_TIMEOUT, handler));
        assertEquals(StatusCode.RESOURCE_EXHAUSTED, failure.code());
        assertEquals("the metadata of 101 bytes exceeds the limit of 100 bytes (verbena.rpc.max.metadata.length)",
            failure.text());
        assertTrue(rpc.channel().requestMetadata().isEmpty());
        assertEquals(0, handler.count());
        assertEchoWorks();
        rpc.close();
        final RpcException own = assertThrows(RpcException.class, () ->
            rpc.channel().requestMetadata().addBinary("k", new byte[RpcConfiguration.MAX_METADATA_LENGTH_DEFAULT - 4]));
        assertEquals(StatusCode.RESOURCE_EXHAUSTED, own.code());
    }

    @Test
    @InterruptAfter(20)
    void shouldFailOnlyThatCallWhenResponseMetadataIsTooLong()
    {
        rpc.service().on(METHOD, (call, buffer, offset, length) ->
        {
            call.responseMetadata().add("k", "x".repeat(196));
            ScriptedAdapter.ECHO.onRequest(call, buffer, offset, length);
        });
        rpc.launchServer(context -> {}).launchClient(context -> context.maxMetadataLength(200)).awaitReady();
        final RecordingHandler.Outcome outcome = rpc.call(METHOD, new byte[8]);
        assertEquals(StatusCode.RESOURCE_EXHAUSTED, outcome.code());
        assertEquals("the metadata of 201 bytes exceeds the limit of 200 bytes (verbena.rpc.max.metadata.length)",
            outcome.text());
        assertEchoWorks();
        rpc.service().on(METHOD, (call, buffer, offset, length) ->
        {
            call.responseMetadata().add("k", "x".repeat(196));
            call.fail(StatusCode.NOT_FOUND, "no such thing", 5);
        });
        final RecordingHandler handler = infoHandler();
        rpc.offer(METHOD, new byte[8], RpcChannel.DEFAULT_TIMEOUT, handler);
        rpc.until(() -> handler.count() == 1);
        assertEquals(List.of("NOT_FOUND [] 5 cut"), toldInfos, "an error keeps its code, and says that it was cut");
        assertEquals("no such thing [cut]", handler.last().text());
        rpc.assertClean();
    }

    @Test
    @InterruptAfter(20)
    void shouldCarryMetadataAndPushbackWithErrors()
    {
        rpc.service().on(METHOD, (call, buffer, offset, length) ->
        {
            call.responseMetadata().add("why", "busy");
            if (length == 0)
            {
                call.fail(StatusCode.UNAVAILABLE, "later", 25_000_000);
            }
            else if (length == 1)
            {
                throw new RpcException(StatusCode.ABORTED, "never", new UnsafeBuffer(new byte[3]), -1, true);
            }
            else
            {
                call.claimError(StatusCode.NOT_FOUND, "typed", 8);
                assertThrows(IllegalStateException.class, call::responseMetadata);
                call.buffer().putLong(call.offset(), 7);
                call.send(8);
            }
        });
        rpc.start();
        final RecordingHandler handler = infoHandler();
        for (int i = 0; i < 3; i++)
        {
            rpc.offer(METHOD, new byte[i], RpcChannel.DEFAULT_TIMEOUT, handler);
            final int expected = i + 1;
            rpc.until(() -> handler.count() == expected);
        }
        // that the server's own nested call was not started says nothing of this one
        assertEquals(List.of(
            "UNAVAILABLE [why=busy] 25000000", "ABORTED [why=busy] -1", "NOT_FOUND [why=busy] 0"), toldInfos);
        assertEquals(3, handler.outcomes().get(1).payload().length);
        final CompletableFuture<DirectBuffer> future =
            rpc.channel().call(SERVICE_ID, METHOD, buffer(new byte[0]), 0, 0, RpcChannel.DEFAULT_TIMEOUT);
        rpc.until(future::isDone);
        final RpcException failure =
            (RpcException)assertThrows(CompletionException.class, future::join).getCause();
        assertEquals(25_000_000, failure.pushbackNs());
        assertFalse(failure.isNotStarted());
        assertEquals(25_000_000, new RpcException(failure).pushbackNs());
        rpc.assertClean();
    }

    @Test
    @InterruptAfter(20)
    void shouldTellThatNoHandlerSawTheCall()
    {
        rpc.start();
        final RecordingHandler handler = infoHandler();
        rpc.until(() -> rpc.channel().offer(
            99, 1, buffer(new byte[8]), 0, 8, RpcChannel.DEFAULT_TIMEOUT, handler) > 0);
        rpc.until(() -> handler.count() == 1);
        assertEquals(List.of("UNIMPLEMENTED [] 0 new"), toldInfos);
        final CompletableFuture<DirectBuffer> future =
            rpc.channel().call(99, 1, buffer(new byte[8]), 0, 8, RpcChannel.DEFAULT_TIMEOUT);
        rpc.until(future::isDone);
        assertTrue(((RpcException)assertThrows(CompletionException.class, future::join).getCause()).isNotStarted());
        // what this side ends by itself has nothing of the answer before
        rpc.service().on(METHOD, (call, buffer, offset, length) -> call.detach());
        final RecordingHandler cancelled = infoHandler();
        final long id = rpc.offer(METHOD, new byte[8], RpcChannel.DEFAULT_TIMEOUT, cancelled);
        rpc.until(() -> rpc.service().requestCount() == 1);
        rpc.channel().cancel(id);
        assertEquals("CANCELLED [] 0", toldInfos.get(1));
    }

    @Test
    @InterruptAfter(20)
    void shouldKeepMetadataOfDetachedCall()
    {
        final List<ServerCall> kept = new ArrayList<>();
        rpc.service().on(METHOD, (call, buffer, offset, length) ->
        {
            call.responseMetadata().add("early", "1");
            kept.add(call.detach());
        });
        rpc.start();
        rpc.channel().requestMetadata().add("a", "1");
        final RecordingHandler handler = infoHandler();
        rpc.offer(METHOD, new byte[8], RpcChannel.DEFAULT_TIMEOUT, handler);
        rpc.until(() -> kept.size() == 1);
        assertEchoWorks();
        assertEquals("[a=1]", kept.get(0).metadata().toString());
        kept.get(0).claim(8);
        kept.get(0).send(8);
        rpc.until(() -> handler.count() == 1);
        assertEquals(List.of("OK [early=1] 0"), toldInfos);
        rpc.assertClean();
    }

    @Test
    @InterruptAfter(20)
    void shouldCarryMetadataWithItemsAndEndsOfStreams()
    {
        rpc.service().on(STREAM_METHOD, MethodKind.BIDI, (call, buffer, offset, length) ->
        {
            call.responseMetadata().addAll(call.metadata());
            assertTrue(call.claimItem(16) > 0);
            call.responseMetadata().add("n", "1");
            call.send(16);
            assertTrue(call.offerItem(buffer(new byte[70_000]), 0, 70_000) > 0);
            assertTrue(call.offerItem(buffer(new byte[8]), 0, 8) < 0 ||
                call.responseMetadata().isEmpty());
            call.responseMetadata().add("end", "now");
            call.complete();
        });
        rpc.start();
        final List<String> told = new ArrayList<>();
        final RecordingStream stream = new RecordingStream();
        stream.onItem(item -> told.add(item.length + " " + rpc.channel().responseInfo().metadata()));
        stream.onEnd(() -> told.add(rpc.channel().responseInfo().metadata().toString()));
        rpc.channel().requestMetadata().add("open", "yes");
        rpc.until(() -> rpc.channel().openStream(
            SERVICE_ID, STREAM_METHOD, MethodKind.BIDI, RpcChannel.DEFAULT_TIMEOUT, stream) > 0);
        rpc.until(stream::hasEnded);
        assertEquals(StatusCode.OK, stream.status(), stream::toString);
        told.remove("8 []");
        assertEquals(List.of("16 [open=yes]", "70000 [n=1]", "[end=now]"), told);
        rpc.assertClean();
    }

    @Test
    @InterruptAfter(30)
    void shouldEndConnectionWhenMetadataIsMalformedOrLongerThanTold()
    {
        rpc.launchServer(context -> context.maxMetadataLength(64));
        final List<byte[]> blocks = List.of(
            new byte[]{1, 0, 0},
            new byte[]{0, 0, 0, 0},
            new byte[]{1, 2, 0, 0, 'k'},
            new byte[]{1, 0, 1, 0, 'k'},
            new byte[]{1, 0, 0, 0, 'K'},
            new byte[]{1, 0, 1, 0, 'k', 1},
            new byte[]{1, 0, 0, 0, 'k', 0},
            block("k", 60));
        for (final byte[] block : blocks)
        {
            final RawPeer raw = rpc.rawClient(3);
            raw.sendBytes(frame(3, block));
            rpc.until(() -> raw.cause() != null);
            assertEquals(1, rpc.serverErrors().size());
            assertTrue(rpc.serverErrors().get(0).getMessage().contains("metadata"), rpc.serverErrors()::toString);
            rpc.serverErrors().clear();
        }
        final RawPeer raw = rpc.rawClient(3);
        raw.sendBytes(frame(3, block("k", 59)));
        rpc.until(() -> raw.count(FrameType.RESPONSE) == 1);
        assertEquals(1, rpc.service().requestCount());
        final UnsafeBuffer ack = new UnsafeBuffer(raw.last(FrameType.HELLO_ACK).payload());
        assertEquals(64, HelloPayload.maxMetadataLength(ack, 0));
        rpc.assertNothingHeld();
    }

    private static byte[] block(final String key, final int valueLength)
    {
        final UnsafeBuffer block = new UnsafeBuffer(new byte[4 + key.length() + valueLength]);
        MetadataBlock.encodeHeader(block, 0, key.length(), MetadataBlock.BINARY, valueLength);
        block.putStringWithoutLengthAscii(4, key);
        return block.byteArray();
    }

    private static byte[] frame(final int incarnation, final byte[] block)
    {
        final int padded = block.length + 7 & ~7;
        final byte[] frame = new byte[FrameHeader.LENGTH + padded + 8];
        final UnsafeBuffer buffer = new UnsafeBuffer(frame);
        FrameHeader.encode(
            buffer, 0, FrameType.REQUEST, FrameFlags.WHOLE, SERVICE_ID, 1, RawPeer.id(incarnation, 0, 0),
            RpcChannel.NO_TIMEOUT, 0, block.length, 8);
        buffer.putBytes(FrameHeader.LENGTH, block);
        return frame;
    }

    @Test
    @InterruptAfter(20)
    void shouldSayThatErrorWasCutWhenItsDetailIsTooLarge()
    {
        rpc.launchServer(context -> context.maxMessageLength(4096)).launchClient(context -> {}).awaitReady();
        final int most = 4096 - 8 - 8;
        for (final int length : new int[]{most, most + 1})
        {
            rpc.service().on(METHOD, (call, buffer, offset, ignored) ->
            {
                throw new RpcException(StatusCode.NOT_FOUND, "detail", new UnsafeBuffer(new byte[length]));
            });
            toldInfos.clear();
            final RecordingHandler handler = infoHandler();
            rpc.offer(METHOD, new byte[8], RpcChannel.DEFAULT_TIMEOUT, handler);
            rpc.until(() -> handler.count() == 1);
            assertEquals(length == most ? "detail" : "detail [cut]", handler.last().text());
            assertEquals(length == most ? most : 0, handler.last().payload().length);
            assertEquals(List.of("NOT_FOUND [] 0" + (length == most ? "" : " cut")), toldInfos);
        }
        rpc.assertClean();
    }
}
