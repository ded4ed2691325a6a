/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.codegen.emit;

import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.MethodSpec;
import com.palantir.javapoet.TypeSpec;
import io.verbena.codegen.schema.MessageModel;
import java.util.List;
import javax.lang.model.element.Modifier;

/**
 * Emits what answers a call: <code>PriceResponder</code>, one for each message that is a response.
 */
final class ResponderEmitter
{
    private final StubTypes types;

    ResponderEmitter(final StubTypes types)
    {
        this.types = types;
    }

    TypeSpec emit(final MessageModel response, final List<MessageModel> errors, final boolean isForClientStreams)
    {
        final ClassName self = types.responder(response);
        final AnswerParts parts = new AnswerParts(types, self, "responder", response, "RESPONSE", errors);
        final TypeSpec.Builder type = TypeSpec.classBuilder(self)
            .addModifiers(Modifier.PUBLIC, Modifier.FINAL)
            .addJavadoc("Answers one call with a $L, an error or a status. For the server's agent thread.\n<p>\n" +
                "Claim a region or take the growing encoder, fill in the message, then {@link #send()}. The one that " +
                "a handler is given\nis reused for the next call when the handler returns; {@link #detach()} makes " +
                "one for this call that outlives it.\n", response.name());
        parts.addFields(type);
        type.addMethod(MethodSpec.constructorBuilder().build());
        parts.addAccessors(type);
        for (final AnswerParts.Answer answer : parts.answers())
        {
            type.addMethod(parts.claim(answer));
            type.addMethod(parts.encoder(answer));
        }
        type.addMethod(parts.send("Sends what is open; its length is what was encoded. The call is over then.\n\n"));
        type.addMethod(parts.abort());
        type.addMethod(parts.fail());
        if (isForClientStreams)
        {
            parts.addStreamMembers(type, true);
        }
        type.addMethod(parts.detach());
        parts.addInternals(type);

        return type.build();
    }
}
