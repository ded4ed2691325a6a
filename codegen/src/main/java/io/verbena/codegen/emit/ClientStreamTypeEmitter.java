/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.codegen.emit;

import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.FieldSpec;
import com.palantir.javapoet.MethodSpec;
import com.palantir.javapoet.ParameterizedTypeName;
import com.palantir.javapoet.TypeName;
import com.palantir.javapoet.TypeSpec;
import io.verbena.codegen.schema.CallKind;
import io.verbena.codegen.schema.MethodModel;
import java.util.Iterator;
import java.util.concurrent.CompletableFuture;
import javax.lang.model.element.Modifier;

/**
 * Emits a call that streams as a client for any thread has it: <code>PricingClient.WatchStream</code>.
 */
final class ClientStreamTypeEmitter
{
    private final StubTypes types;
    private final MethodModel method;
    private final ClassName self;
    private final ClassName decoder;
    private final TypeName response;

    ClientStreamTypeEmitter(final StubTypes types, final MethodModel method, final ClassName self)
    {
        this.types = types;
        this.method = method;
        this.self = self;
        this.decoder = types.decoder(method.response());
        this.response = ParameterizedTypeName.get(ClassName.get(CompletableFuture.class), decoder);
    }

    TypeSpec emit()
    {
        final boolean hasItems = method.kind().isServerStreaming();
        final boolean hasResponse = CallKind.CLIENT_STREAM == method.kind();
        final TypeSpec.Builder type = TypeSpec.classBuilder(self)
            .addModifiers(Modifier.PUBLIC, Modifier.STATIC, Modifier.FINAL)
            .addSuperinterface(AutoCloseable.class)
            .addJavadoc("A call of $L, for any thread$L.$L\n", method.name(),
                method.kind() == CallKind.BIDI ? ": one may take while another sends" : "",
                hasItems ? " It holds no more items than its window allows." : "")
            .addField(FieldSpec.builder(StubTypes.CLIENT_STREAM, "stream", Modifier.PRIVATE, Modifier.FINAL).build());
        if (hasItems)
        {
            type.addSuperinterface(ParameterizedTypeName.get(ClassName.get(Iterable.class), decoder));
        }
        final MethodSpec.Builder constructor = MethodSpec.constructorBuilder()
            .addModifiers(Modifier.PRIVATE)
            .addParameter(StubTypes.parameter(StubTypes.CLIENT_STREAM, "stream"))
            .addStatement("this.stream = stream");
        if (hasResponse)
        {
            type.addField(FieldSpec.builder(response, "response", Modifier.PRIVATE, Modifier.FINAL).build());
            constructor.addStatement(
                "this.response = Calls.convert(stream.result(), stream::cancel, Calls::$LResponse, $L)",
                method.propertyName(), ClientHelpers.failures(method));
        }
        type.addMethod(constructor.build());
        if (method.kind().isClientStreaming())
        {
            addSending(type);
        }
        if (hasResponse)
        {
            addResponse(type);
        }
        if (hasItems)
        {
            addItems(type);
        }
        type.addMethod(StubTypes.publicMethod("cancel")
            .addJavadoc("Gives up the call: it ends with CANCELLED at both ends. Does nothing if it has ended.\n")
            .addStatement("stream.cancel()")
            .build());
        type.addMethod(StubTypes.override("close")
            .addJavadoc("Cancels the call if it has not ended.\n")
            .addStatement("stream.close()")
            .build());
        return type.build();
    }

    private void addSending(final TypeSpec.Builder type)
    {
        final String item = "@param item fills in the item, in the calling thread.\n";
        final String failure = "@throws RpcException          if the call has failed (of the error's own type for a " +
            "declared error); an item that is too\n                               long ends it with " +
            "RESOURCE_EXHAUSTED";
        type.addMethod(sending("send",
            "Sends an item; waits for room.\n\n" + item + "@return false if the call ended well without it: the " +
            "server had enough.\n" + failure + "; CANCELLED if the thread is interrupted,\n" +
            "                               which stays marked.\n" +
            "@throws IllegalStateException if it was half-closed, or on the client's thread.\n"));
        type.addMethod(sending("offer",
            "Sends an item if there is room.\n\n" + item + "@return false if there is none now: {@link #whenReady()} " +
            "tells when; or if the call ended well without it.\n" + failure + ".\n" +
            "@throws IllegalStateException if it was half-closed.\n"));
        type.addMethod(StubTypes.publicMethod("whenReady")
            .returns(ParameterizedTypeName.get(CompletableFuture.class, Void.class))
            .addJavadoc("Tells when there is room for an item.\n\n@return completes, perhaps at once, on the " +
                "client's thread, when an offer is worth a try or the call has ended.\n")
            .addStatement("return stream.whenReady()")
            .build());
        type.addMethod(StubTypes.publicMethod("halfClose")
            .addJavadoc("Says that no more items will be sent.\n")
            .addStatement("stream.halfClose()")
            .build());
    }

    private MethodSpec sending(final String name, final String documentation)
    {
        final MethodSpec.Builder builder = StubTypes.publicMethod(name)
            .returns(TypeName.BOOLEAN)
            .addJavadoc(documentation)
            .addParameter(ClientStreamEmitter.consumer(types.encoder(method.request()), "item"))
            .addStatement("final $T payload = Calls.$LRequest(item)", StubTypes.DIRECT_BUFFER, method.propertyName());
        return withFailures(builder, "return stream." + name + "(payload, 0, payload.capacity())").build();
    }

    private void addResponse(final TypeSpec.Builder type)
    {
        type.addMethod(StubTypes.publicMethod("response")
            .returns(response)
            .addJavadoc("The response.\n\n@return completes with a decoder over the caller's own copy of the " +
                "response, or with an RpcException (of the error's\n        own type for a declared error); " +
                "cancelling it " +
                "cancels the call.\n")
            .addStatement("return response")
            .build());
        type.addMethod(StubTypes.publicMethod("finish")
            .returns(decoder)
            .addJavadoc("Says that no more items will be sent, and waits for the response.\n\n" +
                "@return a decoder over the caller's own copy of the response.\n" +
                "@throws $T if the call fails (of the error's own type for a declared error), or with status " +
                "CANCELLED\n        if the thread is interrupted, which stays marked.\n", StubTypes.RPC_EXCEPTION)
            .addStatement("stream.halfClose()")
            .addStatement("return Calls.await(response)")
            .build());
    }

    private void addItems(final TypeSpec.Builder type)
    {
        final String failure = "@throws RpcException if the call has failed (of the error's own type for a declared " +
            "error) and all items before that\n                      were taken; INTERNAL if the item cannot be read";
        final MethodSpec.Builder take = StubTypes.publicMethod("take")
            .returns(decoder)
            .addJavadoc("Takes the next item; waits for it.\n\n@return a decoder over the caller's own copy of the " +
                "item; null when the call has ended well.\n" + failure + "; CANCELLED if the thread is\n" +
                "                      interrupted, which stays marked.\n");
        type.addMethod(withFailures(take, "return decode(stream.take())").build());
        final MethodSpec.Builder poll = StubTypes.publicMethod("poll")
            .returns(decoder)
            .addJavadoc("Takes the next item if there is one.\n\n@return a decoder over the caller's own copy of the " +
                "item; null if there is none now, which {@link #isEnded()} tells from\n        the end.\n" + failure +
                ".\n");
        type.addMethod(withFailures(poll, "return decode(stream.poll())").build());
        type.addMethod(StubTypes.publicMethod("isEnded")
            .returns(TypeName.BOOLEAN)
            .addJavadoc("Is there nothing left to take?\n\n@return true if the call has ended and all its items were " +
                "taken or dropped.\n")
            .addStatement("return stream.isEnded()")
            .build());
        type.addMethod(StubTypes.override("iterator")
            .returns(ParameterizedTypeName.get(ClassName.get(Iterator.class), decoder))
            .addJavadoc("Takes the items that are left, one after another, as {@link #take()} does.\n\n" +
                "@return the iterator.\n")
            .addStatement("return Calls.iterate(this::take)")
            .build());
        type.addMethod(MethodSpec.methodBuilder("decode")
            .addModifiers(Modifier.PRIVATE)
            .returns(decoder)
            .addParameter(StubTypes.parameter(StubTypes.DIRECT_BUFFER, "payload"))
            .beginControlFlow("try")
            .addStatement("return null == payload ? null : Calls.$LResponse(payload)", method.propertyName())
            .nextControlFlow("catch (final $T ex)", StubTypes.RPC_EXCEPTION)
            .addStatement("stream.cancel()")
            .addStatement("throw ex")
            .endControlFlow()
            .build());
    }

    private MethodSpec.Builder withFailures(final MethodSpec.Builder builder, final String statement)
    {
        if (method.errors().isEmpty())
        {
            return builder.addStatement(statement);
        }
        return builder
            .beginControlFlow("try")
            .addStatement(statement)
            .nextControlFlow("catch (final $T ex)", StubTypes.RPC_EXCEPTION)
            .addStatement("throw Calls.$LFailure(ex)", method.propertyName())
            .endControlFlow();
    }
}
