/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.codegen.schema;

/**
 * The stable codes of diagnostics; docs/codegen.md lists them. A code is never given another meaning.
 */
public enum DiagnosticCode
{
    /** A file cannot be read. */
    UNREADABLE("V001", true),
    /** A file is not well-formed XML. */
    MALFORMED_XML("V002", true),
    /** A document type declaration, which could pull in other files, is refused. */
    DOCTYPE("V003", true),
    /** The root element is neither a message schema nor services. */
    UNKNOWN_ROOT("V004", true),
    /** XInclude is not supported. */
    XINCLUDE("V005", true),
    /** An element that the services grammar does not know. */
    UNKNOWN_ELEMENT("V010", true),
    /** An attribute that the services grammar does not know. */
    UNKNOWN_ATTRIBUTE("V011", true),
    /** A required attribute is missing or empty. */
    MISSING_ATTRIBUTE("V012", true),
    /** A name cannot become a Java name. */
    BAD_NAME("V013", true),
    /** A service or method id is not a number from 1 to 65535. */
    BAD_ID("V014", true),
    /** Two services or two methods have one id. */
    DUPLICATE_ID("V015", true),
    /** Two services or two methods have one name. */
    DUPLICATE_NAME("V016", true),
    /** A request, response or error is not a message of the schema. */
    UNKNOWN_MESSAGE("V017", true),
    /** A call kind that does not exist. */
    BAD_KIND("V018", true),
    /** A value that is neither true nor false. */
    BAD_BOOLEAN("V019", true),
    /** A duration that cannot be read, or is out of range. */
    BAD_DURATION("V020", true),
    /** A version that is not a number, or is newer than the schema. */
    BAD_VERSION("V021", true),
    /** Two elements would generate one Java name or file. */
    NAME_CLASH("V022", true),
    /** The schema that a services file names cannot be used. */
    BAD_SCHEMA_REFERENCE("V023", true),
    /** A message stands twice in a list of errors. */
    DUPLICATE_ERROR("V024", true),
    /** Text where the services grammar allows none. */
    UNEXPECTED_TEXT("V025", true),
    /** A number of attempts that is not from 2 to 5. */
    BAD_ATTEMPTS("V026", true),
    /** A status code that does not exist, is OK or CANCELLED, or stands twice. */
    BAD_STATUS_CODE("V027", true),
    /** Retries or hedging of a method that is not declared idempotent. */
    RETRY_NOT_IDEMPOTENT("V028", true),
    /** Attributes of retries and hedging that do not go together, or not with the kind of call. */
    RETRY_CONFLICT("V029", true),
    /** A number of the schema is missing, malformed or out of range. */
    BAD_NUMBER("V030", true),
    /** Two messages have one id. */
    DUPLICATE_MESSAGE_ID("V031", true),
    /** Two messages have one name. */
    DUPLICATE_MESSAGE_NAME("V032", true),
    /** Two different types have one name. */
    DUPLICATE_TYPE_NAME("V033", true),
    /** A type that is neither declared nor primitive. */
    UNKNOWN_TYPE("V034", true),
    /** Two members of one block have one name. */
    DUPLICATE_MEMBER("V035", true),
    /** The message header composite is missing or lacks a member. */
    BAD_HEADER("V036", true),
    /** The package cannot be a Java package. */
    BAD_PACKAGE("V037", true),
    /** A name, type or other attribute of the schema is missing or malformed. */
    BAD_SCHEMA_ATTRIBUTE("V038", true),
    /** An error that sbe-tool found. */
    SBE_ERROR("V040", true),
    /** sbe-tool gave up on the schema. */
    SBE_FAILURE("V041", true),
    /** A warning that sbe-tool gave. */
    SBE_WARNING("V051", false),
    /** A service without methods. */
    EMPTY_SERVICE("V052", false),
    /** A type is declared twice, both times the same. */
    REPEATED_TYPE("V053", false);

    private final String id;
    private final boolean error;

    DiagnosticCode(final String id, final boolean error)
    {
        this.id = id;
        this.error = error;
    }

    /**
     * The code as users see it.
     *
     * @return for example V017.
     */
    public String id()
    {
        return id;
    }

    /**
     * Does it refuse the input?
     *
     * @return true for an error, false for a warning.
     */
    public boolean isError()
    {
        return error;
    }
}
