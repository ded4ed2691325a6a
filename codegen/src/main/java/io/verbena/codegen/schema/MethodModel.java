/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.codegen.schema;

import java.util.List;

/**
 * A method of a service. Immutable.
 *
 * @param name         as declared.
 * @param id           1 to 65535.
 * @param description  an empty string for none.
 * @param kind         of call.
 * @param request      message.
 * @param response     message.
 * @param errors       messages that the method declares as errors.
 * @param idempotent   may it be called again without harm?
 * @param timeoutNs    default time-out in nanoseconds; {@link #NO_TIMEOUT_DECLARED} for none.
 * @param retry        when it is called again after a failure; null for never.
 * @param hedge        when it is called once more before it is answered; null for never.
 * @param sinceVersion schema version that added it.
 * @param deprecated   schema version that deprecated it; {@link #NOT_DEPRECATED} for none.
 * @param element      where it is declared.
 */
public record MethodModel(
    String name,
    int id,
    String description,
    CallKind kind,
    MessageModel request,
    MessageModel response,
    List<MessageModel> errors,
    boolean idempotent,
    long timeoutNs,
    RetryModel retry,
    HedgeModel hedge,
    int sinceVersion,
    int deprecated,
    XmlElement element)
{
    /** The method declares no time-out of its own. */
    public static final long NO_TIMEOUT_DECLARED = -1;

    /** The method is not deprecated. */
    public static final int NOT_DEPRECATED = -1;

    /**
     * Copies the list of errors.
     */
    public MethodModel
    {
        errors = List.copyOf(errors);
    }

    /**
     * For names that go on: onGetPrice.
     *
     * @return for example GetPrice.
     */
    public String className()
    {
        return Names.upperFirst(name);
    }

    /**
     * For names that start: getPriceClaim.
     *
     * @return for example getPrice.
     */
    public String propertyName()
    {
        return Names.lowerFirst(name);
    }

    /**
     * For constants: GET_PRICE_METHOD_ID.
     *
     * @return for example GET_PRICE.
     */
    public String constantName()
    {
        return Names.constant(name);
    }
}
