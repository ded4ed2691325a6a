/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc.metrics;

/**
 * What services and methods are called in measurements.
 */
@FunctionalInterface
public interface MethodNames
{
    /** By their ids, such as {@code 3/1}. */
    MethodNames IDS = (serviceId, methodId) -> serviceId + "/" + methodId;

    /**
     * The name of a method. Asked once for each. Any thread.
     *
     * @param serviceId of the service; 0 where methods beyond the limit are taken together.
     * @param methodId  of the method; 0 where methods beyond the limit are taken together.
     * @return a name that is unique in the client or server.
     */
    String name(int serviceId, int methodId);
}
