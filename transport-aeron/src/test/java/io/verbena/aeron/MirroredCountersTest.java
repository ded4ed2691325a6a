/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.aeron;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.File;
import java.nio.MappedByteBuffer;

import io.aeron.CncFileDescriptor;
import io.aeron.driver.MediaDriver;
import io.verbena.rpc.test.InterruptAfter;
import io.verbena.rpc.transport.ContractPeer;
import io.verbena.rpc.transport.CountersSource;
import org.agrona.DirectBuffer;
import org.agrona.IoUtil;
import org.agrona.concurrent.status.AtomicCounter;
import org.agrona.concurrent.status.CountersReader;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Counters of the transport's users, as Aeron's own tools read them: from the file of the driver.
 */
class MirroredCountersTest extends FaultSupport
{
    private static final int TYPE_ID = 7_001;
    private static final String LABEL = "client: calls started";
    private static final long NOT_THERE = Long.MIN_VALUE;

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @InterruptAfter(30)
    void shouldShowTheValueInTheDriversFileWhenTheDriverIsEmbedded(final boolean driverInvoker)
    {
        final AeronTransport transport = new AeronTransport(context().driverInvoker(driverInvoker));
        final ContractPeer peer = peer("server", transport);
        final AtomicCounter counter = transport.counter(TYPE_ID, LABEL);
        counter.increment();
        listen(peer, listenAddress("ipc"));
        pumpUntil(() -> read(TYPE_ID, LABEL) == 1);
        counter.set(1L << 40);
        pumpUntil(() -> read(TYPE_ID, LABEL) == 1L << 40);
        assertEquals(0, errors.size(), errors::toString);
    }

    @Test
    @InterruptAfter(60)
    void shouldShowTheValueAgainWhenAnExternalDriverCameBack()
    {
        final AeronTransport.Context external = context().embedded(false).aeronDirectory(directory.path());
        final MediaDriver first = launchDriver();
        final AeronTransport transport = new AeronTransport(external);
        final ContractPeer peer = peer("server", transport);
        listen(peer, "ipc:");
        final AtomicCounter counter = transport.counter(TYPE_ID, LABEL);
        counter.set(5);
        pumpUntil(() -> read(TYPE_ID, LABEL) == 5);
        first.close();
        pumpUntil(() -> !errors.isEmpty());
        // Without a driver it counts on.
        counter.increment();
        pumpFor(LIVENESS_NS / 2);
        final MediaDriver second = launchDriver();
        try (second)
        {
            pumpUntil(() -> read(TYPE_ID, LABEL) == 6);
            transport.close();
            forget(peer);
            pumpUntil(() -> read(TYPE_ID, LABEL) == NOT_THERE);
        }
    }

    @Test
    @InterruptAfter(30)
    void shouldBeOneCounterWhenAskedForTwice()
    {
        final AeronTransport transport = new AeronTransport(context());
        peer("server", transport);
        final CountersSource source = transport;
        assertSame(source.counter(TYPE_ID, LABEL), source.counter(TYPE_ID, LABEL));
        assertNotSame(source.counter(TYPE_ID, LABEL), source.counter(TYPE_ID + 1, LABEL));
        assertNotSame(source.counter(TYPE_ID, LABEL), source.counter(TYPE_ID, LABEL + "!"));
    }

    @Test
    @InterruptAfter(60)
    @Tag("slow")
    void shouldCountOnUnseenWhenTheDriverHasNoRoom()
    {
        final AeronTransport transport = new AeronTransport(context());
        final ContractPeer peer = peer("server", transport);
        listen(peer, listenAddress("ipc"));
        final int beyondRoom = 2 * 1024 * 1024 / CountersReader.COUNTER_LENGTH;
        for (int i = 0; i < beyondRoom; i++)
        {
            transport.counter(TYPE_ID, "number " + i).set(i);
        }
        pumpUntil(() ->
        {
            // To read so many takes a while.
            pumpFor(LIVENESS_NS / 10);
            return read(TYPE_ID, "number 10000") == 10_000;
        });
        pumpFor(LIVENESS_NS / 4);
        final AtomicCounter last = transport.counter(TYPE_ID, "number " + (beyondRoom - 1));
        assertEquals(beyondRoom - 1, last.get());
        assertEquals(NOT_THERE, read(TYPE_ID, "number " + (beyondRoom - 1)));
    }

    @Test
    @InterruptAfter(30)
    void shouldRefuseTheLabelWhenItIsTooLong()
    {
        final AeronTransport transport = new AeronTransport(context());
        peer("server", transport);
        final String longest = "x".repeat(CountersReader.MAX_LABEL_LENGTH);
        assertEquals(0, transport.counter(TYPE_ID, longest).get());
        assertThrows(IllegalArgumentException.class, () -> transport.counter(TYPE_ID, longest + "x"));
    }

    private MediaDriver launchDriver()
    {
        return MediaDriver.launch(
            context().driverInvoker(false).aeronDirectory(directory.path()).newDriverContext());
    }

    /** As AeronStat does: maps the file, and asks nobody. */
    private long read(final int typeId, final String label)
    {
        final File file = new File(directory.path(), CncFileDescriptor.CNC_FILE);
        if (!file.exists() || file.length() == 0)
        {
            return NOT_THERE;
        }
        final MappedByteBuffer mapped = IoUtil.mapExistingFile(file, CncFileDescriptor.CNC_FILE);
        try
        {
            final DirectBuffer metaData = CncFileDescriptor.createMetaDataBuffer(mapped);
            final CountersReader reader = new CountersReader(
                CncFileDescriptor.createCountersMetaDataBuffer(mapped, metaData),
                CncFileDescriptor.createCountersValuesBuffer(mapped, metaData));
            final long[] found = {NOT_THERE};
            reader.forEach((id, type, keyBuffer, text) ->
            {
                if (type == typeId && text.equals(label))
                {
                    found[0] = reader.getCounterValue(id);
                }
            });
            return found[0];
        }
        finally
        {
            IoUtil.unmap(mapped);
        }
    }
}
