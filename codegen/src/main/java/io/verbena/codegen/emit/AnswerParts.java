/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.codegen.emit;

import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.FieldSpec;
import com.palantir.javapoet.MethodSpec;
import com.palantir.javapoet.TypeName;
import com.palantir.javapoet.TypeSpec;
import io.verbena.codegen.schema.MessageModel;
import java.util.ArrayList;
import java.util.List;
import javax.lang.model.element.Modifier;

/**
 * The parts that responders and streams share: both wrap a call at the server, and answer it with a message, a
 * declared error or a status.
 */
final class AnswerParts
{
    static final String NOTHING_OPEN = "NOTHING";

    private final StubTypes types;
    private final ClassName self;
    private final String noun;
    private final List<Answer> answers = new ArrayList<>();

    /**
     * For one class.
     *
     * @param types    of the schema.
     * @param self     the class.
     * @param noun     what it is: a responder or a stream.
     * @param message  that it sends.
     * @param constant that says that an encoder of the message is open.
     * @param errors   that it may send instead.
     */
    AnswerParts(
        final StubTypes types,
        final ClassName self,
        final String noun,
        final MessageModel message,
        final String constant,
        final List<MessageModel> errors)
    {
        this.types = types;
        this.self = self;
        this.noun = noun;
        answers.add(new Answer(message, null, "encoder", constant, 1));
        for (final MessageModel error : errors)
        {
            answers.add(new Answer(error, error, error.propertyName() + "Encoder", "ERROR_" + (answers.size()),
                answers.size() + 1));
        }
    }

    List<Answer> answers()
    {
        return answers;
    }

    void addFields(final TypeSpec.Builder type)
    {
        type.addField(constant(NOTHING_OPEN, 0));
        answers.forEach((answer) -> type.addField(constant(answer.constant(), answer.number())));
        type.addField(StubTypes.flyweight(types.headerEncoder(), "header"));
        type.addField(StubTypes.view("view"));
        answers.forEach((answer) -> type.addField(StubTypes.flyweight(types.encoder(answer.message()),
            answer.encoder())));
        type.addField(FieldSpec.builder(StubTypes.SERVER_CALL, "call", Modifier.PRIVATE).build());
        type.addField(FieldSpec.builder(TypeName.INT, "open", Modifier.PRIVATE).build());
        type.addField(FieldSpec.builder(TypeName.BOOLEAN, "isGrowing", Modifier.PRIVATE).build());
    }

    void addAccessors(final TypeSpec.Builder type)
    {
        type.addMethod(StubTypes.publicMethod("connectionId")
            .returns(TypeName.LONG)
            .addJavadoc("The client's connection.\n\n@return its id, unique in this server.\n")
            .addStatement("return call().connectionId()")
            .build());
        type.addMethod(StubTypes.publicMethod("correlationId")
            .returns(TypeName.LONG)
            .addJavadoc("The call.\n\n@return its id, unique in its connection.\n")
            .addStatement("return call().correlationId()")
            .build());
        type.addMethod(StubTypes.publicMethod("isOpen")
            .returns(TypeName.BOOLEAN)
            .addJavadoc("May the call still be answered?\n\n@return false once it was answered, failed, cancelled or " +
                "expired, its connection ended, or the handler that was\n        given this " + noun + " returned.\n")
            .addStatement("return null != call && call.isOpen()")
            .build());
        type.addMethod(StubTypes.publicMethod("remainingNs")
            .returns(TypeName.LONG)
            .addJavadoc("The time left to answer.\n\n@return nanoseconds to the deadline; Long.MAX_VALUE where there " +
                "is none.\n")
            .addStatement("return call().remainingNs()")
            .build());
    }

    MethodSpec claim(final Answer answer)
    {
        final MessageModel message = answer.message();
        final MethodSpec.Builder method = StubTypes.publicMethod(answer.isError() ?
            "claim" + message.className() : "claim").returns(types.encoder(message));
        method.addJavadoc("Opens a region for $L of known length, without a copy. Writing past it throws " +
            "IndexOutOfBoundsException.\n\n", answer.isError() ? "the error " + message.name() : "the response");
        addErrorParameters(method, answer);
        return method
            .addJavadoc("@param bodyLength bytes of the message without its header, at most: block length, groups " +
                "and data.\n@return the encoder over the region, its header written; valid until send or abort.\n" +
                "@throws RpcException             RESOURCE_EXHAUSTED if it is longer than a message may be, or too " +
                "much is queued; the\n                                  call has then ended with it.\n" +
                "@throws IllegalArgumentException if bodyLength is less than the message's block length.\n" +
                "@throws IllegalStateException    if a region or encoder is open already, or the " + noun + " is no " +
                "longer valid.\n")
            .addParameter(StubTypes.parameter(TypeName.INT, "bodyLength"))
            .addCode(types.checkBodyLength(message))
            .addCode("\n")
            .addStatement("final $T current = begin()", StubTypes.SERVER_CALL)
            .addStatement("final int length = $T.ENCODED_LENGTH + bodyLength", types.headerEncoder())
            .addStatement(answer.isError() ? "current.claimError(code, text, length)" : "current.claim(length)")
            .addCode(StubTypes.wrapRegion("current"))
            .addStatement("open = $L", answer.constant())
            .addStatement("isGrowing = false")
            .addStatement("return $L.wrapAndApplyHeader(view, 0, header)", answer.encoder())
            .build();
    }

    MethodSpec encoder(final Answer answer)
    {
        final MessageModel message = answer.message();
        final MethodSpec.Builder method = StubTypes.publicMethod(answer.encoder()).returns(types.encoder(message));
        method.addJavadoc("Opens a growing buffer for $L, for when its length is not known beforehand; " +
            "sending copies it.\n\n", answer.isError() ? "the error " + message.name() : "the response");
        addErrorParameters(method, answer);
        return method
            .addJavadoc("@return the encoder, its header written; valid until send or abort.\n" +
                "@throws IllegalStateException if a region or encoder is open already, or the " + noun + " is no " +
                "longer valid.\n")
            .addStatement("final $T current = begin()", StubTypes.SERVER_CALL)
            .addStatement(answer.isError() ? "current.claimErrorScratch(code, text)" : "current.claimScratch()")
            .addStatement("open = $L", answer.constant())
            .addStatement("isGrowing = true")
            .addStatement("return $L.wrapAndApplyHeader(current.buffer(), current.offset(), header)",
                answer.encoder())
            .build();
    }

    private static void addErrorParameters(final MethodSpec.Builder method, final Answer answer)
    {
        if (answer.isError())
        {
            method.addJavadoc("@param code       status of the call, not OK.\n@param text       for a person.\n")
                .addParameter(StubTypes.parameter(StubTypes.STATUS_CODE, "code"))
                .addParameter(StubTypes.parameter(StubTypes.CHAR_SEQUENCE, "text"));
        }
    }

    MethodSpec send(final String documentation)
    {
        final MethodSpec.Builder method = StubTypes.publicMethod("send")
            .addJavadoc(documentation +
                "@throws RpcException          if it is longer than what was claimed or than a message may be; the " +
                "call has then ended\n                               with that.\n" +
                "@throws IllegalStateException if nothing is open.\n")
            .addStatement("final int bodyLength")
            .beginControlFlow("switch (open)");
        for (final Answer answer : answers)
        {
            method.addCode("case $L:\n$>", answer.constant())
                .addStatement("bodyLength = $L.encodedLength()", answer.encoder())
                .addStatement("break")
                .addCode("$<");
        }
        return method.addCode("default:\n$>")
            .addStatement("throw new $T($S)", IllegalStateException.class,
                "send: expected a claimed region or an open encoder, found none")
            .addCode("$<")
            .endControlFlow()
            .addCode("\n")
            .addStatement("open = $L", NOTHING_OPEN)
            .addStatement("final int length = $T.ENCODED_LENGTH + bodyLength", types.headerEncoder())
            .beginControlFlow("if (isGrowing)")
            .addComment("Group entries that were counted but not written have not made the buffer grow.")
            .addStatement("call.buffer().checkLimit(call.offset() + length)")
            .endControlFlow()
            .addStatement("call.send(length)")
            .build();
    }

    MethodSpec abort()
    {
        return StubTypes.publicMethod("abort")
            .addJavadoc("Gives up what is open, so that the call can be answered another way. Does nothing when " +
                "nothing is open.\n")
            .beginControlFlow("if ($L != open)", NOTHING_OPEN)
            .addStatement("open = $L", NOTHING_OPEN)
            .addStatement("call.abort()")
            .endControlFlow()
            .build();
    }

    MethodSpec fail()
    {
        return StubTypes.publicMethod("fail")
            .addJavadoc("Ends the call with a status instead of a response; what is open is given up.\n\n" +
                "@param code status of the call, not OK.\n@param text for a person.\n" +
                "@throws IllegalStateException if the " + noun + " is no longer valid.\n")
            .addParameter(StubTypes.parameter(StubTypes.STATUS_CODE, "code"))
            .addParameter(StubTypes.parameter(StubTypes.CHAR_SEQUENCE, "text"))
            .addStatement("abort()")
            .addStatement("call().fail(code, text)")
            .build();
    }

    MethodSpec detach()
    {
        return StubTypes.publicMethod("detach")
            .returns(self)
            .addJavadoc("Makes a " + noun + " for the same call that stays valid after the handler returned, to " +
                "answer later on the agent\nthread. Allocates.\n\n@return the new " + noun + ".\n" +
                "@throws IllegalStateException if a region or encoder is open, or the " + noun +
                " is no longer valid.\n")
            .addStatement("final $T detached = new $T()", self, self)
            .addStatement("detached.wrap(begin().detach())")
            .addStatement("return detached")
            .build();
    }

    /**
     * What a stream of any direction may carry for the service, and give back to its client.
     */
    void addStreamMembers(final TypeSpec.Builder type, final boolean isGranting)
    {
        type.addMethod(StubTypes.publicMethod("attach")
            .addJavadoc("Keeps an object of the service with the call, until its end is told. Calls that stream only." +
                "\n\n@param attachment the object; null for none.\n" +
                "@throws IllegalStateException if the " + noun + " is no longer valid.\n")
            .addParameter(StubTypes.parameter(StubTypes.OBJECT, "attachment"))
            .addStatement("call().attach(attachment)")
            .build());
        type.addMethod(StubTypes.publicMethod("attachment")
            .returns(StubTypes.OBJECT)
            .addJavadoc("The object that the service keeps with the call.\n\n@return what was attached, or null.\n" +
                "@throws IllegalStateException if the " + noun + " is no longer valid.\n")
            .addStatement("return call().attachment()")
            .build());
        if (isGranting)
        {
            type.addMethod(StubTypes.publicMethod("grant")
                .returns(TypeName.BOOLEAN)
                .addJavadoc("Lets the client send more items, where credit is not given back by itself.\n\n" +
                    "@param items further items, from 1.\n@return false if the call has ended.\n" +
                    "@throws IllegalStateException if the " + noun + " is no longer valid.\n")
                .addParameter(StubTypes.parameter(TypeName.INT, "items"))
                .addStatement("return call().grant(items)")
                .build());
        }
    }

    void addInternals(final TypeSpec.Builder type)
    {
        type.addMethod(MethodSpec.methodBuilder("wrap")
            .addParameter(StubTypes.parameter(StubTypes.SERVER_CALL, "answered"))
            .addStatement("call = answered")
            .addStatement("open = $L", NOTHING_OPEN)
            .build());
        type.addMethod(MethodSpec.methodBuilder("failIfOpen")
            .beginControlFlow("if ($L != open)", NOTHING_OPEN)
            .addStatement("fail($T.INTERNAL, $S)", StubTypes.STATUS_CODE,
                "expected the handler to send or abort the " + answers.get(0).message().name() +
                " that it opened, found it still open when the handler returned")
            .endControlFlow()
            .build());
        type.addMethod(MethodSpec.methodBuilder("unwrap")
            .addStatement("abort()")
            .addStatement("call = null")
            .build());
        type.addMethod(MethodSpec.methodBuilder("begin")
            .addModifiers(Modifier.PRIVATE)
            .returns(StubTypes.SERVER_CALL)
            .beginControlFlow("if ($L != open)", NOTHING_OPEN)
            .addStatement("throw new $T($S)", IllegalStateException.class,
                self.simpleName() + ": expected nothing open, found a region or encoder neither sent nor aborted")
            .endControlFlow()
            .addStatement("return call()")
            .build());
        type.addMethod(StubTypes.publicMethod("call")
            .returns(StubTypes.SERVER_CALL)
            .addJavadoc("The call itself, for what has no type of its own, such as metadata.\n\n" +
                "@return the call; as long valid as this is.\n" +
                "@throws IllegalStateException if the " + noun + " is no longer valid.\n")
            .beginControlFlow("if (null == call)")
            .addStatement("throw new $T($S)", IllegalStateException.class,
                self.simpleName() + ": expected use inside the handler, or of a detached " + noun + ", found neither")
            .endControlFlow()
            .addStatement("return call")
            .build());
    }

    private static FieldSpec constant(final String name, final int value)
    {
        return FieldSpec.builder(TypeName.INT, name, Modifier.PRIVATE, Modifier.STATIC, Modifier.FINAL)
            .initializer("$L", value)
            .build();
    }

    /**
     * What can be sent.
     *
     * @param message  to send.
     * @param error    the same, if it is an error; else null.
     * @param encoder  field and method that hold and open its encoder.
     * @param constant that says it is open.
     * @param number   value of the constant.
     */
    record Answer(MessageModel message, MessageModel error, String encoder, String constant, int number)
    {
        boolean isError()
        {
            return null != error;
        }
    }
}
