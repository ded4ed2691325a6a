/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.codegen;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.verbena.codegen.schema.DiagnosticCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(10)
class DocumentationTest
{
    @Test
    void shouldListEveryDiagnosticCode() throws IOException
    {
        final String documentation = Files.readString(Path.of("..", "docs", "codegen.md"));
        final List<String> documented = Pattern.compile("(?m)^\\| (V[0-9]{3}) \\|").matcher(documentation).results()
            .map((MatchResult result) -> result.group(1)).toList();
        assertEquals(Arrays.stream(DiagnosticCode.values()).map(DiagnosticCode::id).toList(), documented);
    }
}
