/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package test.trading;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.rpc.ServerCall;
import io.verbena.rpc.StatusCode;
import java.util.List;
import java.util.function.BiConsumer;
import org.agrona.concurrent.UnsafeBuffer;

/** Drives a generated adapter and its responders. */
public final class ServerDriver
{
    private static final int OFFSET = 40;

    private ServerDriver()
    {
    }

    public static void shouldDescribeItself()
    {
        final OrdersAdapter adapter = new OrdersAdapter(new Service((request, responder) -> {}));
        assertEquals(10, adapter.serviceId());
        assertEquals("Orders", adapter.serviceName());
        assertEquals(7, adapter.schemaId());
        assertEquals(3, adapter.schemaVersion());
    }

    public static void shouldDecodeRequestAndSendClaimedResponse()
    {
        final ServerCall call = call((request, responder) ->
        {
            assertEquals(99, request.orderId());
            assertEquals(Side.SELL, request.side());
            assertEquals(5, responder.connectionId());
            assertEquals(6, responder.correlationId());
            assertEquals(12_345L, responder.remainingNs());
            assertTrue(responder.isOpen());
            responder.claim(8).orderId(request.orderId());
            responder.send();
            assertFalse(responder.isOpen());
        });
        assertEquals(List.of("claim 16", "send 16"), call.log);
        final MessageHeaderDecoder header = new MessageHeaderDecoder().wrap(call.sent, 0);
        assertEquals(OrderPlacedDecoder.TEMPLATE_ID, header.templateId());
        final OrderPlacedDecoder response = new OrderPlacedDecoder().wrapAndApplyHeader(call.sent, 0, header);
        assertEquals(99, response.orderId());
        assertEquals(ServerCall.FILLER, call.term.getByte(ServerCall.REGION_OFFSET - 1));
        assertEquals(ServerCall.FILLER, call.term.getByte(ServerCall.REGION_OFFSET + 16));
    }

    public static void shouldSendWhatWasEncodedWhenMoreWasClaimed()
    {
        final ServerCall call = call((request, responder) ->
        {
            responder.claim(100).orderId(1);
            responder.send();
        });
        assertEquals(List.of("claim 108", "send 16"), call.log);
    }

    public static void shouldSendScratchResponse()
    {
        final ServerCall call = call((request, responder) ->
        {
            responder.encoder().orderId(3);
            responder.send();
        });
        assertEquals(List.of("scratch", "send 16"), call.log);
        assertEquals(3, new OrderPlacedDecoder().wrapAndApplyHeader(call.sent, 0, new MessageHeaderDecoder()).orderId());
    }

    public static void shouldSendTypedErrors()
    {
        final ServerCall claimed = call((request, responder) ->
        {
            responder.claimRejected(StatusCode.FAILED_PRECONDITION, "no", 1 + 2 + 3).reason((short)4).detail("abc");
            responder.send();
        });
        assertEquals(StatusCode.FAILED_PRECONDITION, claimed.code);
        assertEquals("no", claimed.text);
        final RejectedDecoder rejected =
            new RejectedDecoder().wrapAndApplyHeader(claimed.sent, 0, new MessageHeaderDecoder());
        assertEquals(4, rejected.reason());
        assertEquals("abc", rejected.detail());

        final ServerCall scratch = call((request, responder) ->
        {
            responder.haltedEncoder(StatusCode.UNAVAILABLE, "later").reopens(17);
            responder.send();
        });
        assertEquals(StatusCode.UNAVAILABLE, scratch.code);
        assertEquals(17, new HaltedDecoder().wrapAndApplyHeader(scratch.sent, 0, new MessageHeaderDecoder()).reopens());
    }

    public static void shouldThrowWhenWritingPastTheClaim()
    {
        final ServerCall call = call((request, responder) ->
        {
            final RejectedEncoder encoder = responder.claimRejected(StatusCode.ABORTED, "", 1 + 2 + 3);
            assertThrows(IndexOutOfBoundsException.class, () -> encoder.detail("abcd"));
            responder.abort();
            responder.fail(StatusCode.ABORTED, "too long");
        });
        assertEquals(ServerCall.FILLER, call.term.getByte(ServerCall.REGION_OFFSET + 8 + 6));
        assertEquals(StatusCode.ABORTED, call.code);
    }

    public static void shouldRefuseMisuseOfResponder()
    {
        final ServerCall call = call((request, responder) ->
        {
            assertThrows(IllegalStateException.class, responder::send);
            assertThrows(IllegalArgumentException.class, () -> responder.claim(7));
            assertThrows(IllegalArgumentException.class, () -> responder.claim(Integer.MAX_VALUE));
            responder.abort();
            responder.claim(8);
            assertThrows(IllegalStateException.class, responder::encoder);
            assertThrows(IllegalStateException.class, () -> responder.claim(8));
            assertThrows(IllegalStateException.class, responder::detach);
            responder.fail(StatusCode.NOT_FOUND, "gone");
            assertThrows(IllegalStateException.class, responder::send);
        });
        assertEquals(List.of("claim 16", "abort", "fail"), call.log);
        assertEquals(StatusCode.NOT_FOUND, call.code);
    }

    public static void shouldFailTheCallWhenHandlerLeavesItsClaimOpen()
    {
        final ServerCall call = call((request, responder) -> responder.claim(8));
        assertEquals(StatusCode.INTERNAL, call.code);
        assertEquals(List.of("claim 16", "abort", "fail"), call.log);
    }

    public static void shouldGiveUpTheClaimWhenHandlerThrows()
    {
        final ServerCall call = new ServerCall(5, 6, 1);
        final OrdersAdapter adapter = new OrdersAdapter(new Service((request, responder) ->
        {
            responder.claim(8);
            throw new ArithmeticException("mine");
        }));
        final UnsafeBuffer buffer = order();
        assertThrows(ArithmeticException.class, () -> adapter.onRequest(call, 1, buffer, OFFSET, 8 + 17));
        assertEquals(List.of("claim 16", "abort"), call.log);
    }

    public static void shouldInvalidateResponderWhenHandlerReturns()
    {
        final OrderPlacedResponder[] kept = new OrderPlacedResponder[2];
        final ServerCall call = call((request, responder) ->
        {
            kept[0] = responder;
            kept[1] = responder.detach();
        });
        assertFalse(kept[0].isOpen());
        assertThrows(IllegalStateException.class, () -> kept[0].claim(8));
        assertThrows(IllegalStateException.class, kept[0]::correlationId);
        assertThrows(IllegalStateException.class, () -> kept[0].fail(StatusCode.ABORTED, ""));
        assertEquals(List.of("detach"), call.log);

        assertTrue(kept[1].isOpen());
        assertEquals(6, kept[1].correlationId());
        kept[1].claim(8).orderId(1);
        kept[1].send();
        assertEquals(List.of("claim 16", "send 16"), call.detached.log);
    }

    public static void shouldAnswerCallThatHasEndedWithoutError()
    {
        final ServerCall call = new ServerCall(5, 6, 1);
        call.isDropped = true;
        new OrdersAdapter(new Service((request, responder) ->
        {
            responder.claim(3000).orderId(1);
            responder.send();
        })).onRequest(call, 1, order(), OFFSET, 25);
        assertEquals(List.of("claim 3008", "send 16"), call.log);
    }

    public static void shouldReuseDecoderAndResponder()
    {
        final Object[] seen = new Object[4];
        final int[] count = new int[1];
        final OrdersAdapter adapter = new OrdersAdapter(new Service((request, responder) ->
        {
            seen[count[0]++] = request;
            seen[count[0]++] = responder;
        }));
        adapter.onRequest(new ServerCall(1, 1, 1), 1, order(), OFFSET, 25);
        adapter.onRequest(new ServerCall(1, 2, 1), 1, order(), OFFSET, 25);
        assertSame(seen[0], seen[2]);
        assertSame(seen[1], seen[3]);
    }

    public static void shouldAnswerUnimplementedWhenMethodIsUnknown()
    {
        final ServerCall call = new ServerCall(5, 6, 3);
        new OrdersAdapter(new Service((request, responder) -> {})).onRequest(call, 3, order(), OFFSET, 25);
        assertEquals(StatusCode.UNIMPLEMENTED, call.code);
        assertEquals("service Orders: expected the id of one of its methods, found 3", call.text);
    }

    public static void shouldPassOnCancellation()
    {
        final Service service = new Service((request, responder) -> {});
        new OrdersAdapter(service).onCancelled(1, 2, 3, StatusCode.DEADLINE_EXCEEDED);
        assertEquals("1 2 3 DEADLINE_EXCEEDED", service.cancelled);
    }

    public static void shouldDecodeUnknownEnumValueInsteadOfThrowing()
    {
        final UnsafeBuffer buffer = order();
        buffer.putByte(OFFSET + 8 + 8, (byte)77);
        final Side[] seen = new Side[1];
        new OrdersAdapter(new Service((request, responder) -> seen[0] = request.side()))
            .onRequest(new ServerCall(1, 1, 1), 1, buffer, OFFSET, 25);
        assertEquals(Side.SBE_UNKNOWN, seen[0]);
    }

    static ServerCall call(final BiConsumer<NewOrderDecoder, OrderPlacedResponder> handler)
    {
        final ServerCall call = new ServerCall(5, 6, 1);
        final Throwable[] failure = new Throwable[1];
        new OrdersAdapter(new Service(handler)).onRequest(call, 1, order(), OFFSET, 8 + 17);
        assertNull(failure[0]);
        return call;
    }

    /** An order amid other bytes. */
    static UnsafeBuffer order()
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[256]);
        buffer.setMemory(0, buffer.capacity(), (byte)0x7F);
        new NewOrderEncoder().wrapAndApplyHeader(buffer, OFFSET, new MessageHeaderEncoder())
            .orderId(99).side(Side.SELL).limitPrice(1000);
        return buffer;
    }

    /** A service with a handler for orders. */
    static final class Service implements OrdersService
    {
        private final BiConsumer<NewOrderDecoder, OrderPlacedResponder> handler;
        private String cancelled;

        Service(final BiConsumer<NewOrderDecoder, OrderPlacedResponder> handler)
        {
            this.handler = handler;
        }

        @Override
        public void onPlace(final NewOrderDecoder request, final OrderPlacedResponder responder)
        {
            handler.accept(request, responder);
        }

        @Override
        public void onPlaceAll(final BasketDecoder request, final OrderPlacedResponder responder)
        {
            responder.claim(8).orderId(request.basketId());
            responder.send();
        }

        @Override
        public void onCancelled(
            final long connectionId, final long correlationId, final int methodId, final StatusCode cause)
        {
            cancelled = connectionId + " " + correlationId + " " + methodId + " " + cause;
        }
    }
}
