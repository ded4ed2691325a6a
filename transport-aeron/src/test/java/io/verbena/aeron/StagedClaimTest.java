/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.aeron;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.verbena.rpc.test.InterruptAfter;
import io.verbena.rpc.transport.MessageClaim;
import org.junit.jupiter.api.Test;

/**
 * What a claim beside the log looks like to its encoder; that it is delivered is the contract test's.
 */
@InterruptAfter(10)
class StagedClaimTest
{
    private final StagedClaim staged = new StagedClaim();
    private final MessageClaim claim = new MessageClaim();

    @Test
    void shouldShowNothingOfAnEarlierMessageWhenOpenedAgain()
    {
        staged.open(claim, StagedClaim.MAX_LENGTH, (ended, isCommitted) -> {});
        claim.buffer().setMemory(claim.offset(), claim.length(), (byte)0x5A);
        claim.commit();

        staged.open(claim, StagedClaim.MAX_LENGTH, (ended, isCommitted) -> {});
        for (int i = 0; i < StagedClaim.MAX_LENGTH; i++)
        {
            assertEquals(0, claim.buffer().getByte(claim.offset() + i), "byte " + i);
        }
    }

    @Test
    void shouldStopAnEncoderWhenItWritesPastItsClaim()
    {
        staged.open(claim, 40, (ended, isCommitted) -> {});
        claim.buffer().putLong(claim.offset() + 32, 1);
        assertThrows(IndexOutOfBoundsException.class, () -> claim.buffer().putLong(claim.offset() + 33, 1));
    }

    @Test
    void shouldBeAlignedWhenOpened()
    {
        staged.open(claim, 1, (ended, isCommitted) -> {});
        assertEquals(0, (claim.buffer().addressOffset() + claim.offset()) & 7);
    }
}
