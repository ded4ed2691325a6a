/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.codegen.emit;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

import uk.co.real_logic.sbe.PrimitiveType;
import uk.co.real_logic.sbe.ir.Encoding;
import uk.co.real_logic.sbe.ir.Signal;
import uk.co.real_logic.sbe.ir.Token;

/**
 * The structure of a message or of one of its groups, as far as its lengths on the wire go.
 *
 * @param name         of the message or group.
 * @param sinceVersion schema version that added it.
 * @param ends         for each version that added fields: where the last of the fields so far ends in the block.
 * @param groups       inside, in wire order.
 * @param data         inside, after the groups, in wire order.
 * @param blockLength  where a group's block length stands in its dimensions; null for a message.
 * @param count        where a group's number of entries stands in its dimensions; null for a message.
 * @param headerLength bytes of a group's dimensions; 0 for a message.
 */
record Block(
    String name,
    int sinceVersion,
    TreeMap<Integer, Integer> ends,
    List<Block> groups,
    List<Data> data,
    Number blockLength,
    Number count,
    int headerLength)
{
    /**
     * Reads the structure of a message.
     *
     * @param tokens of the message.
     * @return its structure.
     */
    static Block ofMessage(final List<Token> tokens)
    {
        return parse(tokens, 0, null, null, 0);
    }

    boolean isVariable()
    {
        return !groups.isEmpty() || !data.isEmpty();
    }

    private static Block parse(
        final List<Token> tokens, final int start, final Number blockLength, final Number count, final int headerLength)
    {
        final Token begin = tokens.get(start);
        final Block block = new Block(begin.name(), begin.version(), new TreeMap<>(), new ArrayList<>(),
            new ArrayList<>(), blockLength, count, headerLength);
        // A group's dimensions come right after its own token.
        int i = start + 1;
        if (Signal.BEGIN_GROUP == begin.signal())
        {
            i += tokens.get(i).componentTokenCount();
        }
        while (Signal.END_MESSAGE != tokens.get(i).signal() && Signal.END_GROUP != tokens.get(i).signal())
        {
            final Token token = tokens.get(i);
            switch (token.signal())
            {
                case BEGIN_FIELD -> addField(block, token, tokens.get(i + 1));
                case BEGIN_GROUP -> addGroup(block, tokens, i);
                case BEGIN_VAR_DATA -> addData(block, tokens, i);
                default -> throw new IllegalStateException("unexpected token " + token);
            }
            i += token.componentTokenCount();
        }

        return block;
    }

    private static void addField(final Block block, final Token field, final Token type)
    {
        final boolean isConstant = Encoding.Presence.CONSTANT == type.encoding().presence() ||
            Encoding.Presence.CONSTANT == field.encoding().presence();
        final int length = isConstant ? 0 : type.encodedLength();
        final int end = 0 == length ? 0 : type.offset() + length;
        block.ends.merge(field.version(), end, Math::max);
    }

    private static void addGroup(final Block block, final List<Token> tokens, final int start)
    {
        final Token dimensions = tokens.get(start + 1);
        Number blockLength = null;
        Number count = null;
        for (int i = start + 2; i < start + 1 + dimensions.componentTokenCount(); i++)
        {
            final Token member = tokens.get(i);
            if ("blockLength".equals(member.name()))
            {
                blockLength = Number.of(member);
            }
            else if ("numInGroup".equals(member.name()))
            {
                count = Number.of(member);
            }
        }
        block.groups.add(parse(tokens, start, blockLength, count, dimensions.encodedLength()));
    }

    private static void addData(final Block block, final List<Token> tokens, final int start)
    {
        final Token composite = tokens.get(start + 1);
        Number length = null;
        int headerLength = 0;
        for (int i = start + 2; i < start + 1 + composite.componentTokenCount(); i++)
        {
            final Token member = tokens.get(i);
            if ("length".equals(member.name()))
            {
                length = Number.of(member);
            }
            else if ("varData".equals(member.name()))
            {
                headerLength = member.offset();
            }
        }
        final Token begin = tokens.get(start);
        block.data.add(new Data(begin.name(), begin.version(), length, headerLength));
    }

    /**
     * Variable length data.
     *
     * @param name         of the member.
     * @param sinceVersion schema version that added it.
     * @param length       where its length stands in its header.
     * @param headerLength bytes before the data.
     */
    record Data(String name, int sinceVersion, Number length, int headerLength)
    {
    }

    /**
     * A number in a composite.
     *
     * @param type   primitive.
     * @param offset from the start of the composite, in bytes.
     */
    record Number(PrimitiveType type, int offset)
    {
        static Number of(final Token token)
        {
            return new Number(token.encoding().primitiveType(), token.offset());
        }
    }
}
