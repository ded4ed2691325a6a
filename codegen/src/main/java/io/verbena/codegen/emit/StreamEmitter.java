/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.codegen.emit;

import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.MethodSpec;
import com.palantir.javapoet.TypeName;
import com.palantir.javapoet.TypeSpec;
import io.verbena.codegen.schema.MessageModel;
import java.util.List;
import javax.lang.model.element.Modifier;

/**
 * Emits what sends a stream of responses: <code>PriceStream</code>, one for each message that servers stream.
 */
final class StreamEmitter
{
    private static final String ITEM_OPEN = "ITEM";

    private final StubTypes types;

    StreamEmitter(final StubTypes types)
    {
        this.types = types;
    }

    TypeSpec emit(final MessageModel item, final List<MessageModel> errors, final boolean isForBidi)
    {
        final ClassName self = types.stream(item);
        final AnswerParts parts = new AnswerParts(types, self, "stream", item, ITEM_OPEN, errors);
        final TypeSpec.Builder type = TypeSpec.classBuilder(self)
            .addModifiers(Modifier.PUBLIC, Modifier.FINAL)
            .addJavadoc("Sends the items of one call, each a $L, and its end. For the server's agent thread.\n<p>\n" +
                "{@link #tryClaim} a region, fill in the item with {@link #encoder()}, then {@link #send()}; at the " +
                "end {@link #complete()}, or an\nerror or a status. When a claim is refused for want of credit or by " +
                "back pressure, the service is told when to go on\n(its method that ends in Ready): stop then. The " +
                "one that a handler is given is reused when the handler returns;\n{@link #detach()} makes one for " +
                "this call that outlives it.\n", item.name());
        parts.addFields(type);
        type.addMethod(MethodSpec.constructorBuilder().build());
        parts.addAccessors(type);
        type.addMethod(isReady());
        type.addMethod(tryClaim(item));
        type.addMethod(encoder(item));
        type.addMethod(offer(item));
        for (final AnswerParts.Answer answer : parts.answers())
        {
            if (answer.isError())
            {
                type.addMethod(parts.claim(answer));
                type.addMethod(parts.encoder(answer));
            }
        }
        type.addMethod(parts.send("Sends what is open; its length is what was encoded. The call goes on after an " +
            "item, and is over after an error.\n\n"));
        type.addMethod(parts.abort());
        type.addMethod(complete());
        type.addMethod(parts.fail());
        parts.addStreamMembers(type, isForBidi);
        type.addMethod(parts.detach());
        parts.addInternals(type);
        type.addMethod(checkSent(item));

        return type.build();
    }

    private static MethodSpec isReady()
    {
        return StubTypes.publicMethod("isReady")
            .returns(TypeName.BOOLEAN)
            .addJavadoc("Would an item be taken now?\n\n@return true if there is credit for one and no item waits " +
                "for the transport.\n@throws IllegalStateException if the stream is no longer valid.\n")
            .addStatement("return call().isReady()")
            .build();
    }

    private MethodSpec tryClaim(final MessageModel item)
    {
        return StubTypes.publicMethod("tryClaim")
            .returns(TypeName.LONG)
            .addJavadoc("Opens a region for an item of known length, without a copy; fill it in with {@link #encoder(" +
                ")}. Writing past it throws\nIndexOutOfBoundsException.\n\n" +
                "@param bodyLength bytes of the item without its header, at most: block length, groups and data.\n" +
                "@return positive; or a negative code of RpcChannel or Connection, nothing being open then:\n" +
                "        CREDIT_EXHAUSTED or BACK_PRESSURED until the service is told that the stream is ready, " +
                "CALL_ENDED, or\n        MESSAGE_TOO_LONG, and the call has then ended with RESOURCE_EXHAUSTED.\n" +
                "@throws IllegalArgumentException if bodyLength is less than the item's block length.\n" +
                "@throws IllegalStateException    if a region or encoder is open already, or the stream is no longer " +
                "valid.\n")
            .addParameter(StubTypes.parameter(TypeName.INT, "bodyLength"))
            .addCode(types.checkBodyLength(item))
            .addCode("\n")
            .addStatement("final $T current = begin()", StubTypes.SERVER_CALL)
            .addStatement("final int length = $T.ENCODED_LENGTH + bodyLength", types.headerEncoder())
            .addStatement("final long result = current.claimItem(length)")
            .beginControlFlow("if (result > 0)")
            .addCode(StubTypes.wrapRegion("current"))
            .addStatement("encoder.wrapAndApplyHeader(view, 0, header)")
            .addStatement("open = $L", ITEM_OPEN)
            .addStatement("isGrowing = false")
            .addStatement("return result")
            .endControlFlow()
            .addStatement("return checkSent(current, result, length)")
            .build();
    }

    private MethodSpec encoder(final MessageModel item)
    {
        return StubTypes.publicMethod("encoder")
            .returns(types.encoder(item))
            .addJavadoc("The item of the open claim.\n\n@return the encoder, its header written; valid until send or " +
                "abort.\n@throws IllegalStateException if no item is claimed.\n")
            .beginControlFlow("if ($L != open)", ITEM_OPEN)
            .addStatement("throw new $T($S)", IllegalStateException.class,
                "encoder: expected a claimed item, found none")
            .endControlFlow()
            .addStatement("return encoder")
            .build();
    }

    private MethodSpec offer(final MessageModel item)
    {
        return StubTypes.publicMethod("offer")
            .returns(TypeName.LONG)
            .addJavadoc("Sends an item that is encoded already; it is copied.\n\n" +
                "@param message holds the message header and the $L.\n@param offset  of the header.\n" +
                "@param length  bytes of header and item.\n@return positive, or a negative code as of {@link " +
                "#tryClaim}.\n@throws IllegalStateException if a region or encoder is open, or the stream is no " +
                "longer valid.\n", item.name())
            .addParameter(StubTypes.parameter(StubTypes.DIRECT_BUFFER, "message"))
            .addParameter(StubTypes.parameter(TypeName.INT, "offset"))
            .addParameter(StubTypes.parameter(TypeName.INT, "length"))
            .addStatement("final $T current = begin()", StubTypes.SERVER_CALL)
            .addStatement("return checkSent(current, current.offerItem(message, offset, length), length)")
            .build();
    }

    private static MethodSpec complete()
    {
        return StubTypes.publicMethod("complete")
            .addJavadoc("Ends the call well, after the items that were sent. Does nothing if it has ended.\n\n" +
                "@throws IllegalStateException if a region or encoder is open, or the stream is no longer valid.\n")
            .addStatement("begin().complete()")
            .build();
    }

    private static MethodSpec checkSent(final MessageModel item)
    {
        return MethodSpec.methodBuilder("checkSent")
            .addModifiers(Modifier.PRIVATE, Modifier.STATIC)
            .returns(TypeName.LONG)
            .addParameter(StubTypes.parameter(StubTypes.SERVER_CALL, "current"))
            .addParameter(StubTypes.parameter(TypeName.LONG, "result"))
            .addParameter(StubTypes.parameter(TypeName.INT, "length"))
            .beginControlFlow("if ($T.MESSAGE_TOO_LONG == result)", StubTypes.RPC_CHANNEL)
            .addStatement("current.fail($T.RESOURCE_EXHAUSTED, $S + length + $S + current.maxMessageLength() + $S)",
                StubTypes.STATUS_CODE, "the item " + item.name() + " of ", " bytes exceeds the limit of ", " bytes")
            .endControlFlow()
            .addStatement("return result")
            .build();
    }
}
