/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.samples.guide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.rpc.AdmissionControl;
import io.verbena.rpc.RpcChannel;
import io.verbena.rpc.RpcClient;
import io.verbena.rpc.RpcServer;
import io.verbena.rpc.ServiceExecution;
import io.verbena.rpc.builtin.HealthCheckClient;
import io.verbena.rpc.builtin.SchemaCatalogClient;
import io.verbena.rpc.builtin.ServiceListDecoder;
import io.verbena.rpc.builtin.ServingStatus;
import io.verbena.rpc.test.InterruptAfter;
import io.verbena.rpc.transport.LoopbackTransport;
import io.verbena.samples.guide.market.AskDecoder;
import io.verbena.samples.guide.market.MarketAdapter;
import io.verbena.samples.guide.market.MarketClient;
import io.verbena.samples.guide.market.MarketService;
import io.verbena.samples.guide.market.PriceResponder;
import io.verbena.samples.guide.market.PriceStream;
import io.verbena.samples.guide.market.TotalResponder;
import io.verbena.samples.guide.market.TradeDecoder;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * What the guide says about servers: threads, limits, going away, health.
 */
@InterruptAfter(60)
class ServerGuideTest
{
    private static final String ADDRESS = "loopback:guide-server";

    /**
     * A service whose handlers may run on several threads at a time.
     */
    private static final class Market implements MarketService
    {
        @Override
        public void onPrice(final AskDecoder request, final PriceResponder responder)
        {
            responder.encoder().instrument(request.instrument()).cents(Thread.currentThread().isVirtual() ? 1 : 0);
            responder.send();
        }

        @Override
        public void onWatch(final AskDecoder request, final PriceStream stream)
        {
            stream.complete();
        }

        @Override
        public void onReport(final TotalResponder responder)
        {
        }

        @Override
        public void onReportItem(final TradeDecoder item, final TotalResponder responder)
        {
        }

        @Override
        public void onReportHalfClosed(final TotalResponder responder)
        {
            responder.encoder().trades(0).quantity(0);
            responder.send();
        }

        @Override
        public void onFollow(final PriceStream stream)
        {
        }

        @Override
        public void onFollowItem(final AskDecoder item, final PriceStream stream)
        {
        }

        @Override
        public void onFollowHalfClosed(final PriceStream stream)
        {
            stream.complete();
        }
    }

    @Test
    void shouldServeOnVirtualThreadsWithinLimitsAndGoAway()
    {
        final MarketService market = new Market();
        // region service threads
        final RpcServer.Context context = new RpcServer.Context()
            .listen(new LoopbackTransport(), ADDRESS)
            .service(() -> new MarketAdapter(market), ServiceExecution.virtualThreads());
        // endregion
        // region admission
        context.admission(new AdmissionControl().maxInProgress(500).maxQueued(2_000));
        // endregion
        // region keep alive
        context.keepAliveIntervalNs(TimeUnit.SECONDS.toNanos(10)).keepAliveTimeoutNs(TimeUnit.SECONDS.toNanos(5));
        // endregion
        // region health and schemas
        context.healthService(true).schemaService(true);
        // endregion
        final RpcServer server = RpcServer.launch(context);
        try (RpcClient client = RpcClient.launch(new RpcClient.Context().transport(new LoopbackTransport())))
        {
            final RpcChannel channel = client.connect(ADDRESS);
            assertTrue(channel.awaitReady(TimeUnit.SECONDS.toNanos(20)));
            assertEquals(1, new MarketClient(channel).price(request -> request.instrument(1)).cents());
            // region set health
            server.health().set("Market", ServingStatus.NOT_SERVING);
            // endregion
            // region ask for health
            final ServingStatus status =
                new HealthCheckClient(channel).check(request -> request.service("Market")).status();
            // endregion
            assertEquals(ServingStatus.NOT_SERVING, status);
            // region ask for services
            final List<String> names = new ArrayList<>();
            for (final ServiceListDecoder.ServicesDecoder service :
                new SchemaCatalogClient(channel).list(request -> {}).services())
            {
                names.add(service.name());
            }
            // endregion
            assertEquals(List.of("Market", "HealthCheck", "SchemaCatalog"), names);
            // region drain
            final boolean isClean = server.drain(TimeUnit.SECONDS.toNanos(30)).join();
            server.close();
            // endregion
            assertTrue(isClean);
        }
        finally
        {
            server.close();
        }
    }
}
