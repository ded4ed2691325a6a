/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.cli;

import io.verbena.rpc.RpcServer;
import io.verbena.samples.pricing.PricingServer;
import io.verbena.samples.pricing.PricingTour;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.agrona.concurrent.BackoffIdleStrategy;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * The command {@code demo}: the pricing sample over IPC and UDP, then a short comparison with HTTP.
 */
@Command(
    name = "demo",
    description = "Runs the pricing sample over ipc and udp, then a short comparison with HTTP.",
    mixinStandardHelpOptions = true)
final class DemoCommand implements Callable<Integer>
{
    @Option(
        names = "--json", paramLabel = "FILE", defaultValue = "verbena-demo.json",
        description = "Where the figures go; default ${DEFAULT-VALUE}.")
    private Path json;

    @Override
    public Integer call() throws IOException
    {
        final Path directory = Files.createTempDirectory("verbena-demo");
        try
        {
            final String ipc = "ipc:" + directory.resolve("driver");
            System.out.println("The pricing sample, generated from samples/pricing/src/main/sbe:");
            try (RpcServer server = PricingServer.launch(
                List.of(ipc, "udp://localhost:0"), new BackoffIdleStrategy()))
            {
                for (final String address : server.addresses())
                {
                    System.out.println();
                    System.out.println(address);
                    PricingTour.run(address, System.out);
                }
            }
        }
        finally
        {
            deleteTree(directory);
        }
        System.out.println();
        System.out.println("Echo of 32 bytes between two processes, one call at a time, beside tuned HTTP.");
        System.out.println("The warm-up is short, HTTP/2 wants more; for figures to rely on see docs/perf.md:");
        return Verbena.execute(
            "perf", "rpc", "--systems", "ipc,udp,http1,http2", "--pattern", "pingpong", "--payload", "32",
            "--warmup", "4500ms", "--duration", "1s", "--repeat", "1", "--retries", "0", "--json", json.toString());
    }

    private static void deleteTree(final Path root) throws IOException
    {
        if (Files.exists(root))
        {
            try (Stream<Path> paths = Files.walk(root))
            {
                for (final Path path : paths.sorted(Comparator.reverseOrder()).toList())
                {
                    Files.deleteIfExists(path);
                }
            }
        }
    }
}
