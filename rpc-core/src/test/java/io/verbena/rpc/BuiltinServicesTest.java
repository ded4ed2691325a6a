/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import static io.verbena.rpc.RpcHarness.ECHO_METHOD_ID;
import static io.verbena.rpc.RpcHarness.SERVICE_ID;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.rpc.builtin.CallKind;
import io.verbena.rpc.builtin.HealthCheckAdapter;
import io.verbena.rpc.builtin.HealthCheckClient;
import io.verbena.rpc.builtin.HealthCheckProxy;
import io.verbena.rpc.builtin.HealthRequestEncoder;
import io.verbena.rpc.builtin.HealthStatusDecoder;
import io.verbena.rpc.builtin.MessageHeaderDecoder;
import io.verbena.rpc.builtin.MessageHeaderEncoder;
import io.verbena.rpc.builtin.SchemaCatalogClient;
import io.verbena.rpc.builtin.ServiceListDecoder;
import io.verbena.rpc.builtin.ServiceSchemaDecoder;
import io.verbena.rpc.builtin.ServingStatus;
import io.verbena.rpc.test.InterruptAfter;
import io.verbena.rpc.test.RecordingStream;
import io.verbena.rpc.test.ScriptedAdapter;
import io.verbena.rpc.transport.LoopbackTransport;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * The services that every server can have, and the comparison of schemas at connect.
 */
@InterruptAfter(30)
class BuiltinServicesTest
{
    private static final AtomicInteger NAMES = new AtomicInteger();

    private final String address = "loopback:builtin-" + NAMES.incrementAndGet();
    private final RpcHarness rpc = new RpcHarness(LoopbackTransport::new, () -> address);

    /** Of the call that watches. */
    private long watchId;

    @AfterEach
    void closeAll()
    {
        rpc.close();
    }

    private void launch()
    {
        rpc.launchServer(context -> context.healthService(true).schemaService(true))
            .launchClient(context -> {}).awaitReady();
    }

    private <T> T await(final CompletableFuture<T> future)
    {
        rpc.until(future::isDone);
        return future.join();
    }

    private ServingStatus check(final String service)
    {
        return await(new HealthCheckClient(rpc.channel()).checkAsync(request -> request.service(service))).status();
    }

    private RecordingStream watch(final String service, final RecordingStream stream)
    {
        final UnsafeBuffer request = new UnsafeBuffer(new byte[64]);
        final HealthRequestEncoder encoder = new HealthRequestEncoder()
            .wrapAndApplyHeader(request, 0, new MessageHeaderEncoder()).service(service);
        watchId = rpc.channel().offerStream(
            HealthCheckProxy.SERVICE_ID, HealthCheckProxy.WATCH_METHOD_ID, request, 0,
            MessageHeaderEncoder.ENCODED_LENGTH + encoder.encodedLength(), RpcChannel.NO_TIMEOUT, stream);
        assertTrue(watchId > 0);
        return stream;
    }

    private static List<ServingStatus> statuses(final RecordingStream stream)
    {
        return stream.items().stream().map(item -> new HealthStatusDecoder()
            .wrapAndApplyHeader(new UnsafeBuffer(item), 0, new MessageHeaderDecoder()).status()).toList();
    }

    @Test
    void shouldTellTheHealthOfServerAndServices()
    {
        launch();
        assertEquals(ServingStatus.SERVING, check(""));
        assertEquals(ServingStatus.SERVING, check("Scripted"));
        rpc.server().health().set("Scripted", ServingStatus.NOT_SERVING).set("cache", ServingStatus.UNKNOWN);
        assertEquals(ServingStatus.NOT_SERVING, check("Scripted"));
        assertEquals(ServingStatus.UNKNOWN, check("cache"));
        final CompletionException ex = assertThrows(CompletionException.class, () -> check("nobody"));
        assertEquals(StatusCode.NOT_FOUND, ((RpcException)ex.getCause()).code());
        assertThrows(
            IllegalArgumentException.class, () -> rpc.server().health().set("x", ServingStatus.NULL_VAL));
        rpc.settle();
        rpc.assertClean();
    }

    @Test
    void shouldTellWatchersOfChangesAndOfTheEnd()
    {
        launch();
        final RecordingStream stream = watch("cache", new RecordingStream());
        rpc.until(() -> stream.items().size() == 1);
        rpc.server().health().set("cache", ServingStatus.SERVING);
        rpc.until(() -> stream.items().size() == 2);
        rpc.server().health().set("cache", ServingStatus.SERVING).set("other", ServingStatus.SERVING);
        rpc.settle();
        assertEquals(List.of(ServingStatus.UNKNOWN, ServingStatus.SERVING), statuses(stream));
        final CompletableFuture<Boolean> drained = rpc.server().drain(1_000_000_000L);
        rpc.until(drained::isDone);
        assertTrue(drained.join(), "a watcher keeps nobody");
        rpc.until(stream::hasEnded);
        assertEquals(StatusCode.OK, stream.status());
        assertEquals(
            List.of(ServingStatus.UNKNOWN, ServingStatus.SERVING, ServingStatus.NOT_SERVING), statuses(stream));
        rpc.server().health().set("cache", ServingStatus.SERVING);
        assertEquals(ServingStatus.NOT_SERVING, rpc.server().health().status("cache"), "for good");
        rpc.settle();
        rpc.assertClean();
    }

    @Test
    void shouldTellASlowWatcherTheLatestAlone()
    {
        rpc.launchServer(context -> context.healthService(true))
            .launchClient(context -> context.streamWindowItems(1)).awaitReady();
        final RecordingStream stream = watch("", new RecordingStream(false));
        rpc.until(() -> stream.items().size() == 1);
        for (int i = 0; i < 101; i++)
        {
            rpc.server().health().set("", i % 2 == 0 ? ServingStatus.NOT_SERVING : ServingStatus.SERVING);
            rpc.settle();
        }
        assertEquals(1, stream.items().size(), "no credit");
        assertTrue(rpc.channel().grant(watchId, 5));
        rpc.until(() -> stream.items().size() == 2);
        rpc.settle();
        assertEquals(List.of(ServingStatus.SERVING, ServingStatus.NOT_SERVING), statuses(stream));
        assertTrue(rpc.channel().cancel(watchId));
        rpc.settle();
        rpc.assertClean();
    }

    @Test
    void shouldTellWhichServicesThereAreAndWhatTheyAre()
    {
        launch();
        final SchemaCatalogClient client = new SchemaCatalogClient(rpc.channel());
        final ServiceListDecoder list = await(client.listAsync(request -> {}));
        final List<String> names = new ArrayList<>();
        for (final ServiceListDecoder.ServicesDecoder service : list.services())
        {
            names.add(service.serviceId() + " " + service.schemaId() + " " + service.name());
        }
        assertEquals(List.of("7 1 Scripted", "65001 65000 HealthCheck", "65002 65000 SchemaCatalog"), names);
        final ServiceSchemaDecoder health =
            await(client.describeAsync(request -> request.serviceId(HealthCheckProxy.SERVICE_ID)));
        final List<String> methods = new ArrayList<>();
        for (final ServiceSchemaDecoder.MethodsDecoder method : health.methods())
        {
            final String line = method.methodId() + " " + method.kind();
            methods.add(line + " " + method.name() + " " + method.request() + " " + method.response());
            assertEquals("", method.errors());
        }
        assertEquals(List.of(
            "1 " + CallKind.UNARY + " check HealthRequest HealthStatus",
            "2 " + CallKind.SERVER_STREAM + " watch HealthRequest HealthStatus"), methods);
        assertEquals("HealthCheck", health.name());
        final byte[] ir = new byte[health.schemaIrLength()];
        health.getSchemaIr(ir, 0, ir.length);
        assertTrue(ir.length > 100);
        assertArrayEquals(new HealthCheckAdapter(new HealthService().service()).descriptor().schemaIr(), ir);
        final ServiceSchemaDecoder scripted = await(client.describeAsync(request -> request.serviceId(SERVICE_ID)));
        assertEquals(0, scripted.methods().count());
        assertEquals("Scripted", scripted.name());
        assertEquals(0, scripted.schemaIrLength());
        final CompletionException ex = assertThrows(
            CompletionException.class, () -> await(client.describeAsync(request -> request.serviceId(5))));
        assertEquals(StatusCode.NOT_FOUND, ((RpcException)ex.getCause()).code());
        rpc.settle();
        rpc.assertClean();
    }

    @Test
    void shouldRefuseAServiceWithTheIdOfOneOfThem()
    {
        final IllegalStateException ex = assertThrows(
            IllegalStateException.class,
            () -> rpc.launchServer(context -> context.healthService(true).service(new ScriptedAdapter(65_001))));
        assertTrue(ex.getMessage().contains("expected an id below 65000 for Scripted, found 65001"), ex::getMessage);
        rpc.start();
        assertThrows(IllegalStateException.class, () -> rpc.server().health());
    }

    @Test
    void shouldFailCallsOfAServiceThatHasAnotherSchemaAtTheServer()
    {
        launch();
        rpc.channel().require(SERVICE_ID, "Scripted", 2, 0);
        rpc.channel().require(SERVICE_ID, "Scripted", 2, 0);
        assertEquals(1, rpc.clientErrors().size());
        final String text = rpc.clientErrors().get(0).getMessage();
        assertTrue(text.contains(
            "service Scripted (7): expected schema 2, which the stub was generated from, found schema 1"), text);
        final RpcException thrown = assertThrows(RpcException.class, () -> rpc.channel().offer(
            SERVICE_ID, ECHO_METHOD_ID, new UnsafeBuffer(new byte[8]), 0, 8, 0, new RecordingStream()));
        assertEquals(StatusCode.FAILED_PRECONDITION, thrown.code());
        final CompletionException ex = assertThrows(CompletionException.class, () -> await(rpc.channel().call(
            SERVICE_ID, ECHO_METHOD_ID, new UnsafeBuffer(new byte[8]), 0, 8, CallOptions.DEFAULT)));
        assertEquals(StatusCode.FAILED_PRECONDITION, ((RpcException)ex.getCause()).code());
        assertEquals(ServingStatus.SERVING, check(""), "others work");
        assertEquals(1, rpc.clientErrors().size());
        assertEquals(0, rpc.service().requestCount());
    }

    @Test
    void shouldTellOnceWhenTheMismatchIsFoundAtConnectAndAgainAtTheSameServer()
    {
        rpc.launchServer(context -> {}).launchClient(context -> {});
        rpc.channel().require(SERVICE_ID, "Scripted", 2, 0);
        rpc.awaitReady();
        assertEquals(1, rpc.clientErrors().size());
        rpc.channel().connector().link().connection().close();
        rpc.until(() -> rpc.channel().state() == ChannelState.BACKING_OFF);
        rpc.clock().advanceMs(100);
        rpc.awaitReady();
        assertEquals(1, rpc.clientErrors().size(), "nothing new");
    }

    @Test
    void shouldCallAServiceThatHasAnotherVersionAndLeaveAMissingOneToTheServer()
    {
        rpc.start();
        rpc.channel().require(SERVICE_ID, "Scripted", 1, 3);
        rpc.channel().require(99, "Missing", 4, 0);
        assertEquals(StatusCode.OK, rpc.call(ECHO_METHOD_ID, new byte[] {1}).code());
        assertEquals(1, rpc.channel().connector().needs().otherVersions());
        rpc.settle();
        assertEquals(1, rpc.client().counters().get(RpcCounter.SCHEMA_VERSIONS_DIFFERENT));
        final RecordingStream stream = new RecordingStream();
        rpc.channel().offer(99, 1, new UnsafeBuffer(new byte[8]), 0, 8, 0, stream);
        rpc.until(stream::hasEnded);
        assertEquals(StatusCode.UNIMPLEMENTED, stream.status());
        assertThrows(IllegalArgumentException.class, () -> rpc.channel().require(99, "Missing", 5, 0));
        rpc.settle();
        rpc.assertClean();
    }
}
