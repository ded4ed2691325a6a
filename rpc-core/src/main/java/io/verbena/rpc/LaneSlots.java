/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

/**
 * The open calls of one connection at a server some of whose services have a {@link ServiceLane}: tells their calls of
 * their end. A class of its own, so that servers without lanes pay nothing for it.
 */
final class LaneSlots extends CallSlots<ServiceAdapter>
{
    LaneSlots(final int capacity)
    {
        super(capacity);
    }

    @Override
    void end(final int slot)
    {
        final ServiceAdapter owner = owner(slot);
        super.end(slot);
        if (owner instanceof final LaneCall call)
        {
            call.onSlotFreed();
        }
    }
}
