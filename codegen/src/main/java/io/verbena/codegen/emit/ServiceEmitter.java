/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.codegen.emit;

import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.MethodSpec;
import com.palantir.javapoet.TypeName;
import com.palantir.javapoet.TypeSpec;
import io.verbena.codegen.schema.CallKind;
import io.verbena.codegen.schema.MethodModel;
import io.verbena.codegen.schema.ServiceModel;
import javax.lang.model.element.Modifier;

/**
 * Emits the interface that the user of a service implements: <code>PricingService</code>.
 */
final class ServiceEmitter
{
    private final StubTypes types;

    ServiceEmitter(final StubTypes types)
    {
        this.types = types;
    }

    TypeSpec emit(final ServiceModel service)
    {
        final TypeSpec.Builder type = TypeSpec.interfaceBuilder(types.service(service, "Service"))
            .addModifiers(Modifier.PUBLIC)
            .addJavadoc("$L\n<p>\nTo be implemented by the server, and served through {@link $T}. All methods are " +
                "called on the server's agent thread\nand must not block it.\n",
                StubTypes.sentence(service.description(), "The service " + service.name()),
                types.service(service, "Adapter"));
        for (final MethodModel method : service.methods())
        {
            type.addMethod(handler(method));
            if (method.kind().isClientStreaming())
            {
                type.addMethod(onItem(method));
                type.addMethod(onHalfClosed(method));
            }
            if (method.kind().isServerStreaming())
            {
                type.addMethod(onReady(method));
            }
            if (CallKind.UNARY != method.kind())
            {
                type.addMethod(onEnded(method));
            }
            if (method.kind().isClientStreaming())
            {
                type.addMethod(grantAutomatic(method.className(), "the client's"));
            }
        }
        type.addMethod(onCancelled());

        return type.build();
    }

    /**
     * Whether credit goes back by itself; services and listeners have the same method.
     */
    static MethodSpec grantAutomatic(final String methodName, final String whose)
    {
        return MethodSpec.methodBuilder("is" + methodName + "GrantAutomatic")
            .addModifiers(Modifier.PUBLIC, Modifier.DEFAULT)
            .returns(TypeName.BOOLEAN)
            .addJavadoc("Does credit for an item of $L go back by itself once the item was handled? Asked when a " +
                "call begins.\n\n@return true unless overridden; false to give it back with grant.\n", whose)
            .addStatement("return true")
            .build();
    }

    private MethodSpec handler(final MethodModel method)
    {
        final MethodSpec.Builder builder = MethodSpec.methodBuilder("on" + method.className())
            .addModifiers(Modifier.PUBLIC, Modifier.ABSTRACT)
            .addJavadoc("$L$L\n\n", StubTypes.sentence(method.description(), "Handles a call of " + method.name()),
                method.kind().isClientStreaming() ? " Called when a call begins; its items follow." : "");
        if (!method.kind().isClientStreaming())
        {
            builder.addJavadoc("@param request   the request; valid until this method returns, its bytes checked to " +
                "hold the whole message.\n");
            builder.addParameter(StubTypes.interfaceParameter(types.decoder(method.request()), "request"));
        }
        return addAnswering(builder, method).build();
    }

    private MethodSpec onItem(final MethodModel method)
    {
        final MethodSpec.Builder builder = event(method, "Item", false)
            .addJavadoc("An item of a call of $L has arrived.\n\n@param item      the item; valid until this method " +
                "returns, its bytes checked to hold the whole message.\n", method.name())
            .addParameter(StubTypes.interfaceParameter(types.decoder(method.request()), "item"));
        return addAnswering(builder, method).build();
    }

    private MethodSpec onHalfClosed(final MethodModel method)
    {
        return addAnswering(event(method, "HalfClosed", false)
            .addJavadoc("The client has sent the last item of a call of $L.\n\n", method.name()), method).build();
    }

    private MethodSpec onReady(final MethodModel method)
    {
        return addAnswering(event(method, "Ready", true)
            .addJavadoc("Items of a call of $L can be sent again, after one was refused for want of credit or by " +
                "back pressure.\n\n", method.name()), method).build();
    }

    private static MethodSpec onEnded(final MethodModel method)
    {
        return event(method, "Ended", true)
            .addJavadoc("A call of $L has ended, well or not. Called exactly once for each that began, as the " +
                "last of its events.\n\n@param connectionId  of the client's connection.\n" +
                "@param correlationId of the call.\n" +
                "@param attachment    that the service kept with the call, or null.\n" +
                "@param status        OK if the service ended it well, else how it ended.\n", method.name())
            .addParameter(StubTypes.interfaceParameter(TypeName.LONG, "connectionId"))
            .addParameter(StubTypes.interfaceParameter(TypeName.LONG, "correlationId"))
            .addParameter(StubTypes.interfaceParameter(StubTypes.OBJECT, "attachment"))
            .addParameter(StubTypes.interfaceParameter(StubTypes.STATUS_CODE, "status"))
            .build();
    }

    private static MethodSpec.Builder event(final MethodModel method, final String suffix, final boolean isOptional)
    {
        return MethodSpec.methodBuilder("on" + method.className() + suffix)
            .addModifiers(Modifier.PUBLIC, isOptional ? Modifier.DEFAULT : Modifier.ABSTRACT);
    }

    private MethodSpec.Builder addAnswering(final MethodSpec.Builder builder, final MethodModel method)
    {
        final ClassName answering = types.answering(method);
        if (method.kind().isServerStreaming())
        {
            builder.addJavadoc("@param stream    takes the items of the response and its end; valid until this " +
                "method returns: {@link $T#detach()} makes\n                  one that outlives it.\n", answering);
        }
        else
        {
            builder.addJavadoc("@param responder takes the one answer to the call; valid until this method returns: " +
                "{@link $T#detach()} makes\n                  one that outlives it.\n", answering);
        }
        return builder.addParameter(
            StubTypes.interfaceParameter(answering, method.kind().isServerStreaming() ? "stream" : "responder"));
    }

    private MethodSpec onCancelled()
    {
        return MethodSpec.methodBuilder("onCancelled")
            .addModifiers(Modifier.PUBLIC, Modifier.DEFAULT)
            .addJavadoc("A unary call ended before it was answered: its deadline passed, its client cancelled it, " +
                "or the connection was\nlost. Called once for such a call; an answer to it will not be sent.\n\n")
            .addJavadoc("@param connectionId  of the client's connection.\n")
            .addJavadoc("@param correlationId of the call.\n")
            .addJavadoc("@param methodId      of the call.\n")
            .addJavadoc("@param cause         why: deadline exceeded, cancelled or unavailable.\n")
            .addParameter(StubTypes.interfaceParameter(TypeName.LONG, "connectionId"))
            .addParameter(StubTypes.interfaceParameter(TypeName.LONG, "correlationId"))
            .addParameter(StubTypes.interfaceParameter(TypeName.INT, "methodId"))
            .addParameter(StubTypes.interfaceParameter(StubTypes.STATUS_CODE, "cause"))
            .build();
    }
}
