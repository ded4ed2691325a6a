/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import io.verbena.rpc.protocol.HelloPayload;
import java.util.StringJoiner;
import org.agrona.DirectBuffer;
import org.agrona.collections.Int2IntHashMap;
import org.agrona.collections.Int2ObjectHashMap;

/**
 * The services that a channel's stubs were generated for, compared with those that its server says it has. Any thread.
 * <p>
 * Another version of the same schema is nothing to worry about: SBE reads older and newer messages by its rules.
 * Another schema is: each side would take the other's bytes for something else. A service that the server does not
 * list is left to the server, which answers that call by call.
 */
final class ServiceNeeds
{
    private static final int ABSENT = -1;

    /**
     * What a stub was generated for.
     */
    private record Need(String name, int schemaId, int schemaVersion)
    {
    }

    private final Int2ObjectHashMap<Need> needs = new Int2ObjectHashMap<>();
    /** Schema id and version, each 16 bits, by service id. */
    private final Int2IntHashMap offers = new Int2IntHashMap(ABSENT);
    private final Int2ObjectHashMap<String> refusals = new Int2ObjectHashMap<>();
    private long otherVersions;
    private long uncounted;
    /** Read without the lock by the agent's thread, for which a late value is as good as a late stub. */
    private boolean hasRefusals;
    /** The same. */
    private boolean hasUncounted;

    /**
     * Notes a stub's service, and compares it if the server is known.
     *
     * @return why its calls cannot be made, if that was not known before; else null.
     */
    synchronized String require(
        final int serviceId, final String name, final int schemaId, final int schemaVersion)
    {
        final Need need = new Need(name, schemaId, schemaVersion);
        final Need former = needs.put(serviceId, need);
        if (need.equals(former))
        {
            return null;
        }
        if (former != null && former.schemaId != schemaId)
        {
            // two stubs of this very process cannot both be right
            needs.put(serviceId, former);
            throw new IllegalArgumentException(
                "service " + serviceId + ": expected schema " + former.schemaId + " of " + former.name +
                ", which a stub on this channel was generated from, found schema " + schemaId + " of " + name);
        }
        return compare(serviceId, need);
    }

    /**
     * Notes what the server of a new connection says it has, and compares it.
     *
     * @return why calls of some service cannot be made, if that was not known before; else null.
     */
    synchronized String onServices(final DirectBuffer buffer, final int offset)
    {
        offers.clear();
        for (int i = HelloPayload.serviceCount(buffer, offset) - 1; i >= 0; i--)
        {
            offers.put(
                HelloPayload.serviceId(buffer, offset, i),
                HelloPayload.schemaId(buffer, offset, i) << 16 | HelloPayload.schemaVersion(buffer, offset, i));
        }
        final Int2ObjectHashMap<String> former = new Int2ObjectHashMap<>(refusals);
        refusals.clear();
        hasRefusals = false;
        final StringJoiner told = new StringJoiner("; ");
        for (final Int2ObjectHashMap<Need>.EntryIterator needed = needs.entrySet().iterator(); needed.hasNext();)
        {
            needed.next();
            final String refusal = compare(needed.getIntKey(), needed.getValue());
            if (refusal != null && !refusal.equals(former.get(needed.getIntKey())))
            {
                told.add(refusal);
            }
        }
        return told.length() == 0 ? null : told.toString();
    }

    /**
     * Whether calls of some service cannot be made.
     */
    boolean hasRefusals()
    {
        return hasRefusals;
    }

    /**
     * Checks that calls of a service can be made.
     *
     * @throws RpcException {@link StatusCode#FAILED_PRECONDITION} if they cannot.
     */
    synchronized void requireCompatible(final int serviceId)
    {
        final String refusal = refusals.get(serviceId);
        if (refusal != null)
        {
            throw new RpcException(StatusCode.FAILED_PRECONDITION, refusal);
        }
    }

    /**
     * How often a server was found to have another version of a stub's schema.
     */
    synchronized long otherVersions()
    {
        return otherVersions;
    }

    /**
     * Whether other versions were found that are not counted yet. Agent's thread.
     */
    boolean hasUncounted()
    {
        return hasUncounted;
    }

    /**
     * How many other versions were found since this was last asked.
     */
    synchronized long takeUncounted()
    {
        final long count = uncounted;
        uncounted = 0;
        hasUncounted = false;
        return count;
    }

    private String compare(final int serviceId, final Need need)
    {
        final long offered = offers.containsKey(serviceId) ? offers.get(serviceId) & 0xFFFFFFFFL : ABSENT;
        if (offered == ABSENT)
        {
            return null;
        }
        if (offered >>> 16 != need.schemaId)
        {
            final String text = "service " + need.name + " (" + serviceId + "): expected schema " + need.schemaId +
                ", which the stub was generated from, found schema " + (offered >>> 16) + " at the server";
            refusals.put(serviceId, text);
            hasRefusals = true;
            return text;
        }
        if ((offered & 0xFFFF) != need.schemaVersion)
        {
            otherVersions++;
            uncounted++;
            hasUncounted = true;
        }
        return null;
    }
}
