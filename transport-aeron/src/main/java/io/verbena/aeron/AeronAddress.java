/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.aeron;

import java.io.File;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.Objects;

import io.verbena.rpc.transport.TransportException;

/**
 * An address of this transport, taken apart: {@code udp://host:port} or {@code ipc:[driver-directory]?stream=N}.
 */
final class AeronAddress
{
    static final String UDP_SCHEME = "udp://";
    static final String IPC_SCHEME = "ipc:";

    private static final String STREAM_QUERY = "stream=";
    private static final int MAX_PORT = 65_535;

    private final boolean udp;
    private final String host;
    private final int port;
    private final String directory;
    private final int stream;

    private AeronAddress(
        final boolean udp, final String host, final int port, final String directory, final int stream)
    {
        this.udp = udp;
        this.host = host;
        this.port = port;
        this.directory = directory;
        this.stream = stream;
    }

    static AeronAddress udp(final String host, final int port, final int stream)
    {
        return new AeronAddress(true, host, port, null, stream);
    }

    /**
     * Takes an address apart.
     *
     * @param address          as the user gave it.
     * @param defaultDirectory of IPC addresses that name none.
     * @param defaultStream    of all addresses that name none.
     * @return the parts.
     * @throws TransportException if it is malformed or of a foreign scheme.
     */
    static AeronAddress parse(final String address, final String defaultDirectory, final int defaultStream)
    {
        if (address.startsWith(UDP_SCHEME))
        {
            return parseUdp(address, defaultStream);
        }
        if (address.startsWith(IPC_SCHEME))
        {
            return parseIpc(address, defaultDirectory, defaultStream);
        }
        throw new TransportException(
            "expected an address such as udp://host:port or ipc:directory?stream=N, found '" + address + "'");
    }

    private static AeronAddress parseUdp(final String address, final int stream)
    {
        final String hostAndPort = address.substring(UDP_SCHEME.length());
        final int colon = hostAndPort.lastIndexOf(':');
        final String host = colon < 0 ? "" : hostAndPort.substring(0, colon);
        final boolean bracketed = host.startsWith("[") && host.endsWith("]") && host.length() > 2;
        final boolean plain = !host.isEmpty() && host.chars().noneMatch((c) -> ":[]/?|= ".indexOf(c) >= 0);
        final int port = colon < 0 ? -1 : parseNumber(hostAndPort.substring(colon + 1));
        // The port above is for the responses, so the highest one has no neighbour.
        if (!bracketed && !plain || port < 0 || port >= MAX_PORT)
        {
            throw new TransportException(
                "expected udp://host:port, an IPv6 host in brackets, the port from 0 to " + (MAX_PORT - 1) +
                ", found '" + address + "'");
        }
        return udp(host, port, stream);
    }

    private static AeronAddress parseIpc(
        final String address, final String defaultDirectory, final int defaultStream)
    {
        final String rest = address.substring(IPC_SCHEME.length());
        final int question = rest.indexOf('?');
        final String path = question < 0 ? rest : rest.substring(0, question);
        int stream = defaultStream;
        if (question >= 0)
        {
            final String query = rest.substring(question + 1);
            stream = query.startsWith(STREAM_QUERY) ? parseNumber(query.substring(STREAM_QUERY.length())) : -1;
        }
        // Responses travel on the next stream.
        if (stream < 1 || stream == Integer.MAX_VALUE || path.startsWith("//") && !path.startsWith("///"))
        {
            throw new TransportException(
                "expected ipc:directory?stream=N, the directory and the stream optional, N from 1 to " +
                (Integer.MAX_VALUE - 1) + ", found '" + address + "'");
        }
        final String directory = path.isEmpty() ? defaultDirectory : path.startsWith("///") ? path.substring(2) : path;
        return new AeronAddress(false, null, 0, normalise(directory), stream);
    }

    /** One driver, one name: two spellings of a directory must not start two drivers. */
    static String normalise(final String directory)
    {
        return Path.of(new File(directory).getAbsolutePath()).normalize().toString();
    }

    private static int parseNumber(final String digits)
    {
        if (digits.isEmpty() || digits.length() > 10 || digits.chars().anyMatch((c) -> c < '0' || c > '9'))
        {
            return -1;
        }
        final long number = Long.parseLong(digits);
        return number > Integer.MAX_VALUE ? -1 : (int)number;
    }

    boolean isUdp()
    {
        return udp;
    }

    int port()
    {
        return port;
    }

    String directory()
    {
        return directory;
    }

    AeronAddress withPort(final int boundPort)
    {
        return udp(host, boundPort, stream);
    }

    /**
     * Whether the host is a name, to be looked up before Aeron hears of it: Aeron would do so inside the poll.
     *
     * @return false for IPv4 and bracketed IPv6 addresses, and for IPC.
     */
    boolean isNamed()
    {
        return udp && !host.startsWith("[") && host.chars().anyMatch((c) -> c != '.' && (c < '0' || c > '9'));
    }

    String host()
    {
        return host;
    }

    AeronAddress at(final InetAddress resolved)
    {
        final String literal = resolved.getHostAddress();
        return udp(resolved instanceof Inet6Address ? '[' + literal + ']' : literal, port, stream);
    }

    int requestStream()
    {
        return stream;
    }

    /** On IPC a subscription sees every publication of its stream, so the two directions need two streams. */
    int responseStream()
    {
        return stream + 1;
    }

    String endpoint()
    {
        return host + ':' + port;
    }

    /** The neighbour port, where the server sends responses from; clients ask for them there. */
    String responseEndpoint()
    {
        return host + ':' + (port + 1);
    }

    @Override
    public boolean equals(final Object other)
    {
        return other instanceof AeronAddress that && udp == that.udp && port == that.port && stream == that.stream &&
            Objects.equals(host, that.host) && Objects.equals(directory, that.directory);
    }

    @Override
    public int hashCode()
    {
        return Objects.hash(udp, host, port, directory, stream);
    }

    @Override
    public String toString()
    {
        return udp ? UDP_SCHEME + endpoint() : IPC_SCHEME + directory + "?stream=" + stream;
    }
}
