/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc.balance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.rpc.test.InterruptAfter;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@InterruptAfter(20)
class ResolverTest
{
    @TempDir
    private Path directory;

    private final List<List<String>> found = new ArrayList<>();
    private final List<String> failures = new ArrayList<>();
    private final Resolver.Listener listener = new Resolver.Listener()
    {
        @Override
        public void onAddresses(final List<String> addresses)
        {
            found.add(addresses);
        }

        @Override
        public void onError(final Exception failure)
        {
            failures.add(failure.getMessage());
        }
    };

    @Test
    void shouldTellAFixedListAtOnce()
    {
        final StaticResolver resolver = new StaticResolver("udp://a:1", "udp://b:2");
        resolver.start(listener);
        resolver.close();
        assertEquals(List.of(List.of("udp://a:1", "udp://b:2")), found);
        assertThrows(IllegalArgumentException.class, StaticResolver::new);
    }

    @Test
    void shouldReadOneAddressALineAndTellOnlyWhatIsNew() throws IOException
    {
        final Path file = directory.resolve("endpoints");
        final FileResolver resolver = new FileResolver(file, 1);
        write(file, "# prices\nudp://10.0.0.1:9000\n\n  udp://10.0.0.2:9000  # the spare one\r\nloopback:a#b");
        resolver.poll(listener);
        resolver.poll(listener);
        final List<String> three = List.of("udp://10.0.0.1:9000", "udp://10.0.0.2:9000", "loopback:a#b");
        assertEquals(List.of(three), found);
        write(file, "udp://10.0.0.3:9000");
        resolver.poll(listener);
        assertEquals(List.of(three, List.of("udp://10.0.0.3:9000")), found);
        assertEquals(List.of(), failures);
    }

    @ParameterizedTest
    @ValueSource(strings = {"udp://a:1\nnonsense\n", "udp://a:1\nudp://b:2 udp://c:3\n", "udp://a:1\n:\n"})
    void shouldReportTheLineOnceAndKeepTheListWhenAFileMakesNoSense(final String content) throws IOException
    {
        final Path file = directory.resolve("endpoints");
        final FileResolver resolver = new FileResolver(file, 1);
        write(file, "udp://a:1");
        resolver.poll(listener);
        write(file, content);
        resolver.poll(listener);
        resolver.poll(listener);
        assertEquals(1, failures.size());
        assertTrue(
            failures.get(0).startsWith(file + ":2: expected one address such as") &&
            failures.get(0).endsWith("found " + content.split("\n")[1]), failures.get(0));
        write(file, "udp://a:1");
        resolver.poll(listener);
        assertEquals(List.of(List.of("udp://a:1")), found);
        write(file, content);
        resolver.poll(listener);
        assertEquals(2, failures.size());
    }

    @Test
    void shouldReportAFileThatIsEmptyMissingOrTooLong() throws IOException
    {
        final Path file = directory.resolve("endpoints");
        final FileResolver resolver = new FileResolver(file, 1);
        resolver.poll(listener);
        write(file, "# nothing\n");
        resolver.poll(listener);
        Files.write(file, new byte[FileResolver.MAX_LENGTH + 1]);
        resolver.poll(listener);
        assertEquals(
            List.of(
                file + ": expected a file of addresses, found none",
                file + ": expected at least one address, found none",
                file + ": expected at most 1048576 bytes, found 1048577"),
            failures);
        final byte[] longest = new byte[FileResolver.MAX_LENGTH];
        Arrays.fill(longest, (byte)'\n');
        System.arraycopy("udp://a:1".getBytes(StandardCharsets.UTF_8), 0, longest, 0, 9);
        Files.write(file, longest);
        resolver.poll(listener);
        assertEquals(List.of(List.of("udp://a:1")), found);
    }

    @Test
    void shouldTellAllAddressesOfANameSorted()
    {
        final String[] answer = {"10.0.0.2", "10.0.0.1", "2001:db8::1"};
        final DnsResolver resolver = new DnsResolver("udp://quotes.example:9000", 1, name ->
        {
            assertEquals("quotes.example", name);
            return addresses(answer);
        });
        resolver.poll(listener);
        answer[0] = "10.0.0.1";
        answer[1] = "10.0.0.2";
        resolver.poll(listener);
        answer[0] = "10.0.0.3";
        resolver.poll(listener);
        assertEquals(
            List.of(
                List.of("udp://10.0.0.1:9000", "udp://10.0.0.2:9000"),
                List.of("udp://10.0.0.2:9000", "udp://10.0.0.3:9000")),
            found);
    }

    @Test
    void shouldReportANameThatIsNotKnownOnce()
    {
        final boolean[] isKnown = {false};
        final DnsResolver resolver = new DnsResolver("udp://quotes.example:9000", 1, name ->
        {
            if (!isKnown[0])
            {
                throw new UnknownHostException(name);
            }
            return addresses("2001:db8::1");
        });
        resolver.poll(listener);
        resolver.poll(listener);
        isKnown[0] = true;
        resolver.poll(listener);
        assertEquals(
            List.of(
                "udp://quotes.example:9000: expected a host that the name service knows, found quotes.example",
                "udp://quotes.example:9000: expected a host with an IPv4 address, found none for quotes.example"),
            failures);
        assertEquals(List.of(), found);
    }

    @Test
    void shouldResolveThisHost()
    {
        final DnsResolver resolver = new DnsResolver("udp://localhost:9000");
        resolver.poll(listener);
        assertEquals(List.of(List.of("udp://127.0.0.1:9000")), found);
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "", "quotes.example:9000", "udp://", "udp://quotes.example", "udp://:9000", "://a:1", "udp://a:"})
    void shouldRefuseAnAddressWithoutHostAndPort(final String address)
    {
        final IllegalArgumentException ex =
            assertThrows(IllegalArgumentException.class, () -> new DnsResolver(address, 1));
        assertTrue(ex.getMessage().startsWith("expected an address such as"), ex::getMessage);
    }

    @Test
    void shouldRefuseAnIntervalThatIsOutOfItsRange()
    {
        new FileResolver(directory, PollingResolver.MAX_INTERVAL_NS);
        assertThrows(IllegalArgumentException.class, () -> new FileResolver(directory, 0));
        assertThrows(
            IllegalArgumentException.class, () -> new FileResolver(directory, PollingResolver.MAX_INTERVAL_NS + 1));
    }

    @Test
    void shouldLookAgainOnAThreadOfItsOwnUntilItIsClosed() throws Exception
    {
        final Path file = directory.resolve("endpoints");
        final LinkedBlockingQueue<Object> told = new LinkedBlockingQueue<>();
        final FileResolver resolver = new FileResolver(file, 1_000_000);
        resolver.start(new Resolver.Listener()
        {
            @Override
            public void onAddresses(final List<String> addresses)
            {
                told.add(addresses);
            }

            @Override
            public void onError(final Exception failure)
            {
                told.add(failure.getMessage());
            }
        });
        assertEquals(file + ": expected a file of addresses, found none", told.take());
        final Path other = directory.resolve("other");
        write(other, "udp://a:1");
        Files.move(other, file);
        assertEquals(List.of("udp://a:1"), told.take());
        resolver.close();
        resolver.close();
    }

    private static InetAddress[] addresses(final String... literals)
    {
        return Stream.of(literals).map(literal ->
        {
            try
            {
                return InetAddress.getByName(literal);
            }
            catch (final UnknownHostException ex)
            {
                throw new AssertionError(ex);
            }
        }).toArray(InetAddress[]::new);
    }

    private static void write(final Path file, final String content) throws IOException
    {
        Files.writeString(file, content);
    }
}
