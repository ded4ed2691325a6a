/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.codegen;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.verbena.codegen.schema.Diagnostic;
import io.verbena.codegen.schema.DiagnosticCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each breach of the services grammar: its code, line, element path and words.
 */
@Timeout(20)
class ServicesDiagnosticsTest
{
    private static final String SERVICE = "messageSchema/services/service[S]";
    private static final String IDEMPOTENT = "name='m' id='1' request='Ask' response='Answer' idempotent='true' ";
    private static final String METHOD = SERVICE + "/method[m]";

    @TempDir
    private Path directory;

    static Stream<Arguments> methodFaults()
    {
        // Attributes of a method in place of the right ones; code; attribute in the path; expected and found.
        return Stream.of(
            arguments("id='1' request='Ask' response='Answer'", DiagnosticCode.MISSING_ATTRIBUTE, "",
                "expected an attribute name, found none"),
            arguments("name='' id='1' request='Ask' response='Answer'", DiagnosticCode.MISSING_ATTRIBUTE, "",
                "expected an attribute name, found an empty one"),
            arguments("name='m' request='Ask' response='Answer'", DiagnosticCode.MISSING_ATTRIBUTE, "",
                "expected an attribute id, found none"),
            arguments("name='m' id='1' response='Answer'", DiagnosticCode.MISSING_ATTRIBUTE, "",
                "expected an attribute request, found none"),
            arguments("name='m' id='1' request='Ask'", DiagnosticCode.MISSING_ATTRIBUTE, "",
                "expected an attribute response, found none"),
            arguments("name='m' id='1' request='Ask' response='Answer' errors=' '", DiagnosticCode.MISSING_ATTRIBUTE,
                "errors", "names of messages, separated by spaces"),
            arguments("name='m' id='1' request='Ask' response='Answer' retries='2'", DiagnosticCode.UNKNOWN_ATTRIBUTE,
                "", "found \"retries\""),
            arguments("name='m' id='1' request='Ask' response='Answer' timeuot='2s'", DiagnosticCode.UNKNOWN_ATTRIBUTE,
                "", "found \"timeuot\" (did you mean \"timeout\"?)"),
            arguments("name='m' id='0' request='Ask' response='Answer'", DiagnosticCode.BAD_ID, "id",
                "expected a number from 1 to 65535 (0 is reserved, so that a zeroed frame names nothing), found \"0\""),
            arguments("name='m' id='65536' request='Ask' response='Answer'", DiagnosticCode.BAD_ID, "id",
                "found \"65536\""),
            arguments("name='m' id='-1' request='Ask' response='Answer'", DiagnosticCode.BAD_ID, "id", "found \"-1\""),
            arguments("name='m' id='one' request='Ask' response='Answer'", DiagnosticCode.BAD_ID, "id",
                "found \"one\""),
            arguments("name='m' id='1' request='Aks' response='Answer'", DiagnosticCode.UNKNOWN_MESSAGE, "request",
                "expected the name of a message of the schema, found \"Aks\" (did you mean \"Ask\"?)"),
            arguments("name='m' id='1' request='Ask' response='answer'", DiagnosticCode.UNKNOWN_MESSAGE, "response",
                "found \"answer\" (did you mean \"Answer\"?)"),
            arguments("name='m' id='1' request='Ask' response='Answer' errors='Fault Nowhere'",
                DiagnosticCode.UNKNOWN_MESSAGE, "errors", "found \"Nowhere\""),
            arguments("name='m' id='1' request='Ask' response='Answer' errors='Fault Fault'",
                DiagnosticCode.DUPLICATE_ERROR, "errors", "expected each error once, found \"Fault\" again"),
            arguments("name='m' id='1' request='Ask' response='Answer' kind='stream'", DiagnosticCode.BAD_KIND, "kind",
                "expected one of unary, server-stream, client-stream, bidi, found \"stream\""),
            arguments("name='m' id='1' request='Ask' response='Answer' idempotent='yes'", DiagnosticCode.BAD_BOOLEAN,
                "idempotent", "expected true or false, found \"yes\""),
            arguments("name='m' id='1' request='Ask' response='Answer' timeout='5'", DiagnosticCode.BAD_DURATION,
                "timeout", "as in 500ms, found \"5\""),
            arguments("name='m' id='1' request='Ask' response='Answer' timeout='0s'", DiagnosticCode.BAD_DURATION,
                "timeout", "found \"0s\""),
            arguments("name='m' id='1' request='Ask' response='Answer' timeout='25h'", DiagnosticCode.BAD_DURATION,
                "timeout", "found \"25h\""),
            arguments(IDEMPOTENT + "retry-attempts='1'", DiagnosticCode.BAD_ATTEMPTS, "retry-attempts",
                "expected a number from 2 to 5 (the first call counts too), found \"1\""),
            arguments(IDEMPOTENT + "retry-attempts='6'", DiagnosticCode.BAD_ATTEMPTS, "retry-attempts",
                "found \"6\""),
            arguments(IDEMPOTENT + "hedge-attempts='many' hedge-delay='1ms'", DiagnosticCode.BAD_ATTEMPTS,
                "hedge-attempts", "found \"many\""),
            arguments(IDEMPOTENT + "retry-attempts='2' retry-codes='UNAVAILBLE'", DiagnosticCode.BAD_STATUS_CODE,
                "retry-codes", "found \"UNAVAILBLE\" (did you mean \"UNAVAILABLE\"?)"),
            arguments(IDEMPOTENT + "retry-attempts='2' retry-codes='OK'", DiagnosticCode.BAD_STATUS_CODE,
                "retry-codes", "expected names of status codes other than OK and CANCELLED, separated by spaces"),
            arguments(IDEMPOTENT + "retry-attempts='2' retry-codes=''", DiagnosticCode.BAD_STATUS_CODE,
                "retry-codes", "found \"\""),
            arguments(IDEMPOTENT + "retry-attempts='2' retry-codes='ABORTED ABORTED'",
                DiagnosticCode.BAD_STATUS_CODE, "retry-codes", "expected each status code once"),
            arguments(IDEMPOTENT + "retry-attempts='2' retry-backoff='61m'", DiagnosticCode.BAD_DURATION,
                "retry-backoff", "a duration from 1ns to 1h"),
            arguments(IDEMPOTENT + "hedge-attempts='2' hedge-delay='0ms'", DiagnosticCode.BAD_DURATION,
                "hedge-delay", "found \"0ms\""),
            arguments("name='m' id='1' request='Ask' response='Answer' retry-attempts='2'",
                DiagnosticCode.RETRY_NOT_IDEMPOTENT, "retry-attempts",
                "only on a method with idempotent=\"true\", since it makes the client call again"),
            arguments("name='m' id='1' request='Ask' response='Answer' idempotent='false' hedge-attempts='2' " +
                "hedge-delay='1ms'", DiagnosticCode.RETRY_NOT_IDEMPOTENT, "hedge-attempts", "not declared idempotent"),
            arguments(IDEMPOTENT + "retry-attempts='2' kind='server-stream'", DiagnosticCode.RETRY_CONFLICT,
                "retry-attempts", "only on a unary method: a stream that has begun cannot be sent again, found kind " +
                "server-stream"),
            arguments(IDEMPOTENT + "retry-attempts='2' hedge-attempts='2' hedge-delay='1ms'",
                DiagnosticCode.RETRY_CONFLICT, "hedge-attempts", "either retry-attempts or hedge-attempts, found both"),
            arguments(IDEMPOTENT + "retry-backoff='1ms'", DiagnosticCode.RETRY_CONFLICT, "retry-backoff",
                "expected it together with retry-attempts, found no retry-attempts"),
            arguments(IDEMPOTENT + "hedge-delay='1ms'", DiagnosticCode.RETRY_CONFLICT, "hedge-delay",
                "found no hedge-attempts"),
            arguments(IDEMPOTENT + "hedge-attempts='2'", DiagnosticCode.RETRY_CONFLICT, "hedge-attempts",
                "found no hedge-delay"),
            arguments(IDEMPOTENT + "retry-attempts='2' retry-backoff='2ms' retry-max-backoff='1ms'",
                DiagnosticCode.RETRY_CONFLICT, "retry-max-backoff", "at least retry-backoff, which is 2ms, found " +
                "\"1ms\""),
            arguments("name='m' id='1' request='Ask' response='Answer' since-version='3'", DiagnosticCode.BAD_VERSION,
                "since-version", "expected a version from 0 to 2, the version of the schema, found \"3\""),
            arguments("name='m' id='1' request='Ask' response='Answer' deprecated='soon'", DiagnosticCode.BAD_VERSION,
                "deprecated", "found \"soon\""),
            arguments("name='my-method' id='1' request='Ask' response='Answer'", DiagnosticCode.BAD_NAME, "name",
                "found \"my-method\""),
            arguments("name='2nd' id='1' request='Ask' response='Answer'", DiagnosticCode.BAD_NAME, "name",
                "found \"2nd\""),
            arguments("name='switch' id='1' request='Ask' response='Answer'", DiagnosticCode.BAD_NAME, "name",
                "is no Java keyword, found \"switch\""),
            arguments("name='New' id='1' request='Ask' response='Answer'", DiagnosticCode.BAD_NAME, "name",
                "found \"New\""));
    }

    @ParameterizedTest
    @MethodSource("methodFaults")
    void shouldLocateFaultOfMethod(
        final String attributes, final DiagnosticCode code, final String attribute, final String words)
        throws IOException
    {
        final Diagnostic diagnostic =
            only(Fixtures.services("<rpc:service name='S' id='1'>\n\n<rpc:method " + attributes + "/></rpc:service>"));
        assertEquals(code, diagnostic.code());
        assertEquals(26, diagnostic.line());
        final String path = diagnostic.path();
        assertTrue(path.startsWith(SERVICE + "/method"), path);
        assertEquals(attribute.isEmpty() ? "" : "/@" + attribute, path.replaceFirst("^[^@]*[^@/]", ""));
        assertTrue(diagnostic.message().contains(words), diagnostic.message());
    }

    static Stream<Arguments> servicesFaults()
    {
        final String method = "<rpc:method name='m' id='1' request='Ask' response='Answer'/>";
        return Stream.of(
            arguments("<rpc:service id='1'>" + method + "</rpc:service>", DiagnosticCode.MISSING_ATTRIBUTE, 24,
                "messageSchema/services/service", "expected an attribute name, found none"),
            arguments("<rpc:service name='S' id='70000'>" + method + "</rpc:service>", DiagnosticCode.BAD_ID, 24,
                SERVICE + "/@id", "found \"70000\""),
            arguments("<rpc:service name='S' id='1' port='1'>" + method + "</rpc:service>",
                DiagnosticCode.UNKNOWN_ATTRIBUTE, 24, SERVICE, "only the attributes description, id, name"),
            arguments("<rpc:service name='S' id='1'>" + method + "\n<rpc:methd name='x'/></rpc:service>",
                DiagnosticCode.UNKNOWN_ELEMENT, 25, SERVICE + "/methd[x]", "expected rpc:method"),
            arguments("<rpc:service name='S' id='1'>" + method + "\n<method name='x'/></rpc:service>",
                DiagnosticCode.UNKNOWN_ELEMENT, 25, SERVICE + "/method[x]", "found method of no namespace"),
            arguments("<rpc:service name='S' id='1'>" + method + "\n</rpc:service>\n<rpc:servise name='T'/>",
                DiagnosticCode.UNKNOWN_ELEMENT, 26, "messageSchema/services/servise[T]", "expected rpc:service"),
            arguments("<rpc:service name='S' id='1'>" + method.replace("/>", "><rpc:x/></rpc:method>") +
                "</rpc:service>", DiagnosticCode.UNKNOWN_ELEMENT, 24, METHOD + "/x", "no element inside a method"),
            arguments("<rpc:service name='S' id='1'>" + method + "\nhello</rpc:service>",
                DiagnosticCode.UNEXPECTED_TEXT, 24, SERVICE, "expected no text, found \"hello\""),
            arguments("<rpc:service name='S' id='1'>" + method + "</rpc:service>\n" +
                "<rpc:service name='T' id='1'>" + method + "</rpc:service>", DiagnosticCode.DUPLICATE_ID, 25,
                "messageSchema/services/service[T]/@id", "found 1, which \"S\" at "),
            arguments("<rpc:service name='S' id='1'>" + method + "</rpc:service>\n" +
                "<rpc:service name='S' id='2'>" + method + "</rpc:service>", DiagnosticCode.DUPLICATE_NAME, 25,
                SERVICE + "/@name", "found \"S\", which is at "),
            arguments("<rpc:service name='S' id='1'>" + method + "</rpc:service>\n" +
                "<rpc:service name='s' id='2'>" + method + "</rpc:service>", DiagnosticCode.DUPLICATE_NAME, 25,
                "messageSchema/services/service[s]/@name", "the case of the first letter does not count"),
            arguments("<rpc:service name='S' id='1'>" + method +
                "\n<rpc:method name='M' id='2' request='Ask' response='Answer'/></rpc:service>",
                DiagnosticCode.DUPLICATE_NAME, 25, SERVICE + "/method[M]/@name",
                "the case of the first letter does not count"),
            arguments("<rpc:service name='S' id='1'>" + method +
                "\n<rpc:method name='n' id='1' request='Ask' response='Answer'/></rpc:service>",
                DiagnosticCode.DUPLICATE_ID, 25, SERVICE + "/method[n]/@id", "found 1, which \"m\" at "),
            arguments("<rpc:service name='S' id='1'/>", DiagnosticCode.EMPTY_SERVICE, 24, SERVICE,
                "at least one rpc:method"));
    }

    @ParameterizedTest
    @MethodSource("servicesFaults")
    void shouldLocateFaultOfServices(
        final String services, final DiagnosticCode code, final int line, final String path, final String words)
        throws IOException
    {
        final Diagnostic diagnostic = only(Fixtures.services(services));
        assertEquals(code, diagnostic.code());
        assertEquals(line, diagnostic.line());
        assertEquals(path, diagnostic.path());
        assertTrue(diagnostic.message().contains(words), diagnostic.message());
    }

    static Stream<Arguments> clashes()
    {
        final String rest = "' request='Ask' response='Answer' errors='Fault'/>";
        return Stream.of(
            arguments("<rpc:method name='cancelled' id='1" + rest, "onCancelled"),
            arguments("<rpc:method name='get' id='1" + rest + "<rpc:method name='getAsync' id='2" + rest, "getAsync"),
            arguments("<rpc:method name='get' id='1' kind='bidi" + rest + "<rpc:method name='getItem' id='2" + rest,
                "onGetItem"),
            arguments("<rpc:method name='get' id='1' kind='server-stream" + rest +
                "<rpc:method name='getEnded' id='2" + rest, "onGetEnded"),
            arguments("<rpc:method name='getPrice' id='1" + rest + "<rpc:method name='get_price' id='2" + rest,
                "GET_PRICE_METHOD_ID"),
            arguments("<rpc:method name='get' id='1' request='Ask' response='Answer' errors='Fault'/>" +
                "<rpc:method name='getFault' id='2' request='Ask' response='Answer' errors='Response'/>",
                "onGetFaultResponse"));
    }

    @ParameterizedTest
    @MethodSource("clashes")
    void shouldRefuseMethodsWhoseGeneratedNamesClash(final String methods, final String name) throws IOException
    {
        final String schema = Fixtures.services("<rpc:service name='S' id='1'>" + methods + "</rpc:service>")
            .replace("<rpc:services>", "<sbe:message name=\"Response\" id=\"9\"/><rpc:services>");
        final Diagnostic diagnostic = only(schema);
        assertEquals(DiagnosticCode.NAME_CLASH, diagnostic.code());
        assertEquals(24, diagnostic.line());
        assertTrue(diagnostic.message().contains("generates " + name + ","), diagnostic.message());
    }

    @Test
    void shouldRefuseServiceWhoseTypesClashWithThoseOfTheSchema() throws IOException
    {
        final String schema = Fixtures.services("<rpc:service name='Ask' id='1'>" +
            "<rpc:method name='m' id='1' request='Ask' response='Answer'/></rpc:service>")
            .replace("</types>", "<enum name='AskProxy' encodingType='uint8'>" +
                "<validValue name='A'>1</validValue></enum></types>");
        final Diagnostic diagnostic = only(schema);
        assertEquals(DiagnosticCode.NAME_CLASH, diagnostic.code());
        assertEquals("messageSchema/services/service[Ask]", diagnostic.path());
        assertTrue(diagnostic.message().contains("generates AskProxy, as messageSchema/types/enum[AskProxy]"),
            diagnostic.message());
    }

    @Test
    void shouldRefuseServicesInTheWrongPlace() throws IOException
    {
        final List<Diagnostic> diagnostics = diagnose(Fixtures.services("").replace("</sbe:messageSchema>",
            "<rpc:method name='m' id='1'/>\n<types><rpc:services/></types></sbe:messageSchema>"));
        assertEquals(List.of("messageSchema/method[m]", "messageSchema/types/services"),
            diagnostics.stream().map(Diagnostic::path).toList());
        diagnostics.forEach((each) -> assertEquals(DiagnosticCode.UNKNOWN_ELEMENT, each.code()));
    }

    @Test
    void shouldAcceptServiceThatStandsInTheSchemaByItself() throws IOException
    {
        final String services = "<rpc:service name='S' id='1'>" +
            "<rpc:method name='m' id='1' request='Ask' response='Answer'/></rpc:service>";
        final Path file = write("a.xml", Fixtures.services("").replace("</sbe:messageSchema>",
            services + "</sbe:messageSchema>"));
        assertTrue(Fixtures.generate(file).containsKey("test/small/SProxy.java"));
        final Diagnostic diagnostic = only(Fixtures.services(services).replace("</sbe:messageSchema>",
            services.replace("'S'", "'T'") + "</sbe:messageSchema>"));
        assertEquals(DiagnosticCode.DUPLICATE_ID, diagnostic.code());
    }

    @Test
    void shouldReportAllErrorsOfOneRun() throws IOException
    {
        final List<Diagnostic> diagnostics = diagnose(Fixtures.services("""
            <rpc:service name='S' id='0'>
            <rpc:method name='m' id='1' request='Ask' response='Answer' kind='x'/>
            <rpc:method name='n' id='1' request='Nope' response='Answer' idempotent='1'/>
            </rpc:service>
            """).replace("type=\"int32\"/></sbe:message>\n<sbe:message name=\"Fault\"",
            "type=\"int33\"/></sbe:message>\n<sbe:message name=\"Fault\""));
        assertEquals(List.of("21 V034", "24 V014", "25 V018", "26 V015", "26 V017", "26 V019"),
            diagnostics.stream().map((each) -> each.line() + " " + each.code().id()).sorted().toList());
    }

    @ParameterizedTest
    @MethodSource("streamingKinds")
    void shouldGenerateStubsOfEachKindWithoutWarning(final String kind, final String handler, final String caller)
        throws IOException
    {
        final Path file = write("a.xml", Fixtures.services("<rpc:service name='S' id='1'>" +
            "<rpc:method name='m' id='1' request='Ask' response='Answer' kind='" + kind + "'/>" +
            "<rpc:method name='n' id='2' request='Ask' response='Answer'/></rpc:service>"));
        assertEquals(List.of(), Fixtures.diagnose(file));
        final String service = Fixtures.generate(file).get("test/small/SService.java");
        assertTrue(service.contains(handler) && service.contains("onN(AskDecoder"), service);
        final String client = Fixtures.generate(file).get("test/small/SClient.java");
        assertTrue(client.contains(caller), client);
    }

    static Stream<Arguments> streamingKinds()
    {
        return Stream.of(
            arguments("unary", "void onM(AskDecoder request, AnswerResponder responder)", "AnswerDecoder m("),
            arguments("server-stream", "void onM(AskDecoder request, AnswerStream stream)", "MStream m(final Consumer"),
            arguments("client-stream", "void onM(AnswerResponder responder)", "MStream m()"),
            arguments("bidi", "void onM(AnswerStream stream)", "MStream m()"));
    }

    @Test
    void shouldAcceptIdsAndTimeoutsAtTheirLimits() throws IOException
    {
        final Path file = write("a.xml", Fixtures.services("<rpc:service name='S' id='65535'>" +
            "<rpc:method name='m' id='65535' request='Ask' response='Answer' timeout='24h' since-version='2'/>" +
            "<rpc:method name='n' id='1' request='Ask' response='Answer' timeout='1ns' since-version='0'/>" +
            "</rpc:service>"));
        final String proxy = Fixtures.generate(file).get("test/small/SProxy.java");
        assertTrue(proxy.contains("M_TIMEOUT_NS = 86_400_000_000_000L"), proxy);
        assertTrue(proxy.contains("N_TIMEOUT_NS = 1L"), proxy);
    }

    @Test
    void shouldAcceptRetriesAndHedgingAtTheirLimits() throws IOException
    {
        final Path file = write("a.xml", Fixtures.services("<rpc:service name='S' id='1'>" +
            "<rpc:method " + IDEMPOTENT + "retry-attempts='5' retry-backoff='1ns' retry-max-backoff='1h'/>" +
            "<rpc:method " + IDEMPOTENT.replace("'m' id='1'", "'n' id='2'") + "hedge-attempts='5' hedge-delay='1h'/>" +
            "<rpc:method " + IDEMPOTENT.replace("'m' id='1'", "'o' id='3'") + "retry-attempts='2'/>" +
            "<rpc:method " + IDEMPOTENT.replace("'m' id='1'", "'p' id='4'") + "retry-attempts='2' " +
            "retry-max-backoff='1us'/></rpc:service>"));
        assertEquals(List.of(), Fixtures.diagnose(file));
        final String client = Fixtures.generate(file).get("test/small/SClient.java").replaceAll("\\s+", " ");
        assertTrue(client.contains("new RetryPolicy(5, 1L, 3_600_000_000_000L, StatusCode.UNAVAILABLE)"), client);
        assertTrue(client.contains("new HedgingPolicy(5, 3_600_000_000_000L)"), client);
        assertTrue(client.contains("new RetryPolicy(2))"), client);
        assertTrue(client.contains(
            "new RetryPolicy(2, Math.min(RetryPolicy.BACKOFF_DEFAULT_NS, 1_000L), 1_000L,"), client);
    }

    @Test
    void shouldFindDuplicatesAcrossFilesOfOneSchema() throws IOException
    {
        write("schema.xml", Fixtures.services("<rpc:service name='S' id='1'>" +
            "<rpc:method name='m' id='1' request='Ask' response='Answer'/></rpc:service>"));
        final String head = "<rpc:services xmlns:rpc='urn:verbena:rpc:1' schema='schema.xml'>\n";
        final String method = "<rpc:method name='m' id='1' request='Ask' response='Answer'/></rpc:service>";
        final Path one =
            write("one.xml", head + "<rpc:service name='S' id='2'>" + method + "</rpc:services>");
        final Path two =
            write("two.xml", head + "<rpc:service name='T' id='2'>" + method + "</rpc:services>");
        final List<Diagnostic> diagnostics = Fixtures.diagnose(one, two);
        assertEquals(List.of("one.xml:2 V016", "two.xml:2 V015"), diagnostics.stream()
            .map((each) -> Path.of(each.file()).getFileName() + ":" + each.line() + " " + each.code().id()).toList());
    }

    @Test
    void shouldReportBrokenSchemaOnceWhenServicesNameIt() throws IOException
    {
        final Path schema = write("schema.xml", "<broken>");
        final Path services = write("services.xml", "<rpc:services xmlns:rpc='urn:verbena:rpc:1' " +
            "schema='./schema.xml'/>");
        assertEquals(1, Fixtures.diagnose(services, schema).size());
        assertEquals(1, Fixtures.diagnose(schema, services).size());
        assertEquals(1, Fixtures.diagnose(services).size());
    }

    @Test
    void shouldFormatAsFileLinePathExpectedFound()
    {
        final Diagnostic diagnostic = new Diagnostic(DiagnosticCode.BAD_ID, "a/b.xml", 7, "x/y[z]/@id",
            "expected 1, found 2");
        assertEquals("a/b.xml:7: x/y[z]/@id: expected 1, found 2 [V014]", diagnostic.format());
        assertEquals("a/b.xml:1: warning: so [V051]",
            new Diagnostic(DiagnosticCode.SBE_WARNING, "a/b.xml", 0, "", "so").format());
    }

    private Diagnostic only(final String schema) throws IOException
    {
        final List<Diagnostic> diagnostics = diagnose(schema);
        assertEquals(1, diagnostics.size(), diagnostics::toString);
        return diagnostics.get(0);
    }

    private List<Diagnostic> diagnose(final String schema) throws IOException
    {
        return Fixtures.diagnose(write("schema.xml", schema));
    }

    private Path write(final String name, final String text) throws IOException
    {
        return Files.writeString(directory.resolve(name), text);
    }
}
