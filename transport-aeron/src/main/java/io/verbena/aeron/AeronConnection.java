/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.aeron;

import io.aeron.ExclusivePublication;
import io.aeron.Publication;
import io.aeron.ReservedValueSupplier;
import io.aeron.logbuffer.BufferClaim;
import io.aeron.protocol.DataHeaderFlyweight;
import io.verbena.rpc.transport.Connection;
import io.verbena.rpc.transport.ConnectionState;
import io.verbena.rpc.transport.DisconnectCause;
import io.verbena.rpc.transport.MessageClaim;
import org.agrona.DirectBuffer;

/**
 * One connection: a slot of a {@link StreamPair}, which it may share with others. See {@link FrameTag} for how the two
 * sides open and close it.
 * <p>
 * Created and driven by {@link Connections}; the transport's thread alone.
 */
final class AeronConnection implements Connection, MessageClaim.Completion, ReservedValueSupplier
{
    private final AeronLoop loop;
    private final long id;
    /** Where it leads, or null where it came in. */
    private final AeronAddress asked;
    private final long startedNs;
    private ConnectionState state = ConnectionState.CONNECTING;
    private DisconnectCause cause;
    private boolean connectionTold;
    private boolean endTold;
    private boolean isPending;

    private StreamPair pair;
    private int slot;
    private long tag;
    private ExclusivePublication publication;
    private int maxClaimLength;
    private int maxMessageLength;
    private boolean openPassed;
    private boolean acceptPassed;
    private boolean closeSent;
    private boolean closeRead;

    private final BufferClaim bufferClaim = new BufferClaim();
    private MessageClaim openClaim;
    /** The pair's one place for short claims, or null. */
    private StagedClaim staged;
    private boolean isStaged;

    AeronConnection(final AeronLoop loop, final long id, final AeronAddress asked, final long nowNs)
    {
        this.loop = loop;
        this.id = id;
        this.asked = asked;
        this.startedNs = nowNs;
    }

    @Override
    public long id()
    {
        return id;
    }

    @Override
    public ConnectionState state()
    {
        return state;
    }

    @Override
    public boolean isInbound()
    {
        return asked == null;
    }

    @Override
    public int maxClaimLength()
    {
        return maxClaimLength;
    }

    @Override
    public int maxMessageLength()
    {
        return maxMessageLength;
    }

    /** Where it has its slot, or null while it waits for another one. */
    StreamPair pair()
    {
        return pair;
    }

    /** The address that was asked for, or null. */
    AeronAddress asked()
    {
        return asked;
    }

    @Override
    public long tryClaim(final int length, final MessageClaim claim)
    {
        if (openClaim != null || state != ConnectionState.CONNECTED || claim.isOpen())
        {
            return refuse(claim.isOpen());
        }
        if (length < 1 || length > maxClaimLength)
        {
            throw new IllegalArgumentException(
                "length of a claim must be from 1 to " + maxClaimLength + " bytes, found " + length);
        }
        if (staged != null)
        {
            if (staged.tryStage(publication, length))
            {
                openClaim = claim;
                isStaged = true;
                staged.open(claim, length, this);
                return length;
            }
            if (staged.isKept(publication, length))
            {
                return notAccepted(Publication.BACK_PRESSURED);
            }
        }
        long position = publication.tryClaim(length, bufferClaim);
        if (position == Publication.ADMIN_ACTION)
        {
            // The log has just been rotated: there is room now.
            position = publication.tryClaim(length, bufferClaim);
        }
        if (position > 0)
        {
            openClaim = claim;
            bufferClaim.reservedValue(tag);
            claim.open(bufferClaim.buffer(), DataHeaderFlyweight.HEADER_LENGTH, length, this);
            return position;
        }
        return notAccepted(position);
    }

    @Override
    public long offer(final DirectBuffer buffer, final int offset, final int length)
    {
        if (openClaim != null || state != ConnectionState.CONNECTED)
        {
            return refuse(false);
        }
        if (length < 1 || length > maxMessageLength)
        {
            throw new IllegalArgumentException(
                "length of a message must be from 1 to " + maxMessageLength + " bytes, found " + length);
        }
        if (staged != null && staged.isKept(publication, length))
        {
            return notAccepted(Publication.BACK_PRESSURED);
        }
        long position = publication.offer(buffer, offset, length, this);
        if (position == Publication.ADMIN_ACTION)
        {
            position = publication.offer(buffer, offset, length, this);
        }
        return position > 0 ? position : notAccepted(position);
    }

    /** For Aeron: what each frame of this connection carries in its header. */
    @Override
    public long get(final DirectBuffer termBuffer, final int termOffset, final int frameLength)
    {
        return tag;
    }

    private long refuse(final boolean claimIsOpenElsewhere)
    {
        if (openClaim != null || claimIsOpenElsewhere)
        {
            throw new IllegalStateException("a claim is open: commit or abort it first");
        }
        return state == ConnectionState.CONNECTING ? NOT_CONNECTED : CLOSED;
    }

    private long notAccepted(final long result)
    {
        if (result == Publication.BACK_PRESSURED)
        {
            pair.blocked();
            return BACK_PRESSURED;
        }
        if (result == Publication.NOT_CONNECTED)
        {
            // The peer's end is gone or silent; the next duty cycles find out which.
            return NOT_CONNECTED;
        }
        if (result == Publication.ADMIN_ACTION)
        {
            return ADMIN_ACTION;
        }
        if (result == Publication.MAX_POSITION_EXCEEDED)
        {
            pair.end(DisconnectCause.TRANSPORT_ERROR);
        }
        return CLOSED;
    }

    @Override
    public void onComplete(final MessageClaim claim, final boolean committed)
    {
        openClaim = null;
        if (isStaged)
        {
            isStaged = false;
            staged.unstage();
            if (committed && !pair.isReleased() && !staged.publish(publication, claim.length(), this))
            {
                pair.end(DisconnectCause.TRANSPORT_ERROR);
            }
        }
        else if (pair.isReleased())
        {
            // The memory of the claim is gone with the session.
            return;
        }
        else if (committed)
        {
            bufferClaim.commit();
        }
        else
        {
            bufferClaim.abort();
        }
    }

    @Override
    public void close()
    {
        end(DisconnectCause.CLOSED_LOCALLY);
        tryClose();
    }

    /**
     * Takes its place on a pair.
     *
     * @param on    the pair, standing or to come.
     * @param place the slot there.
     */
    void attach(final StreamPair on, final int place)
    {
        pair = on;
        slot = place;
        tag = FrameTag.message(place);
        openPassed = isInbound();
    }

    /** Ends this side; the listener is told by a later poll. The first reason counts. */
    void end(final DisconnectCause why)
    {
        if (state == ConnectionState.CLOSED)
        {
            return;
        }
        if (openClaim != null)
        {
            openClaim.abort();
        }
        state = ConnectionState.CLOSED;
        cause = why;
        if (pair != null)
        {
            pair.connectionEnded();
        }
        loop.connections().pending(this);
    }

    /** The pair has ended under this connection. Who is not connected yet gets another one. */
    void pairEnded(final DisconnectCause why)
    {
        if (state != ConnectionState.CONNECTING || isInbound())
        {
            end(why);
        }
        slot = 0;
        if (state == ConnectionState.CONNECTING)
        {
            pair = null;
            openPassed = false;
        }
        loop.connections().pending(this);
    }

    boolean isReady()
    {
        return state == ConnectionState.CONNECTED;
    }

    /** Whether a message of the peer may be under way: it was accepted, and has not said CLOSE. */
    boolean mayReceive()
    {
        return acceptPassed && !closeRead;
    }

    /**
     * The peer accepted.
     *
     * @return false if it must not have done so.
     */
    boolean onAccept()
    {
        if (isInbound() || acceptPassed || !openPassed || closeRead)
        {
            return false;
        }
        acceptPassed = true;
        if (state == ConnectionState.CONNECTING)
        {
            connected();
        }
        return true;
    }

    /**
     * The peer closed.
     *
     * @return false if it must not have done so.
     */
    boolean onClose()
    {
        if (!openPassed || closeRead)
        {
            return false;
        }
        closeRead = true;
        end(state == ConnectionState.CONNECTING ? DisconnectCause.REJECTED : DisconnectCause.CLOSED_BY_PEER);
        tryClose();
        return true;
    }

    private void connected()
    {
        publication = pair.publication();
        staged = pair.staged();
        maxMessageLength = publication.maxMessageLength();
        maxClaimLength = Math.min(publication.maxPayloadLength(), maxMessageLength);
        state = ConnectionState.CONNECTED;
        connectionTold = true;
        loop.callbacks().connected(this);
    }

    /**
     * Does what is left to do before the connection rests: opening, telling, closing.
     *
     * @param nowNs the time.
     * @return the number of events told to the listener.
     */
    int work(final long nowNs)
    {
        int events = 0;
        if (state == ConnectionState.CONNECTING)
        {
            if (isInbound())
            {
                events += accept();
            }
            else if (nowNs - startedNs > loop.context().connectTimeoutNs())
            {
                end(DisconnectCause.CONNECT_TIMEOUT);
            }
            else
            {
                open();
            }
        }
        if (state == ConnectionState.CLOSED)
        {
            if (!endTold)
            {
                endTold = true;
                // An inbound connection that never stood was never mentioned.
                if (connectionTold || !isInbound())
                {
                    ++events;
                    loop.callbacks().disconnected(this, cause);
                }
            }
            tryClose();
        }
        return events;
    }

    private void open()
    {
        if (pair == null)
        {
            loop.connections().attach(this);
        }
        if (!openPassed)
        {
            openPassed = pair.trySend(FrameTag.control(FrameTag.OPEN, slot));
        }
    }

    private int accept()
    {
        if (pair.isAccepting() && pair.trySend(FrameTag.control(FrameTag.ACCEPT, slot)))
        {
            acceptPassed = true;
            connected();
            return 1;
        }
        return 0;
    }

    /** Says CLOSE where the peer knows of this connection, and leaves the slot when both have said it. */
    private void tryClose()
    {
        if (slot == 0)
        {
            return;
        }
        if (openPassed && !closeSent)
        {
            closeSent = pair.trySend(FrameTag.control(FrameTag.CLOSE, slot));
        }
        // Sending may have ended the pair, and with it the slot.
        if (slot != 0 && (!openPassed || closeSent && closeRead))
        {
            pair.free(slot);
            slot = 0;
        }
    }

    boolean isPending()
    {
        return isPending;
    }

    void isPending(final boolean listed)
    {
        isPending = listed;
    }

    /**
     * Whether nothing is left to do until something happens.
     *
     * @return true if work need not be called.
     */
    boolean isAtRest()
    {
        return state == ConnectionState.CONNECTED || endTold && (slot == 0 || closeSent);
    }
}
