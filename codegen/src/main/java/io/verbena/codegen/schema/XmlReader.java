/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.codegen.schema;

import java.io.IOException;
import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.StandardCharsets;
import java.nio.charset.UnsupportedCharsetException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.stream.Location;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * Reads a file into a tree of elements that know their lines. It opens that one file alone: a document type
 * declaration ends the reading with a diagnostic, and no entity is resolved.
 */
final class XmlReader
{
    private static final String XINCLUDE_NAMESPACE = "http://www.w3.org/2001/XInclude";
    private static final int MAX_DEPTH = 64;
    private static final int DECLARATION_LENGTH = 256;
    private static final Pattern ENCODING =
        Pattern.compile("^<\\?xml[^>]*?encoding\\s*=\\s*[\"']([A-Za-z0-9._-]+)[\"']");

    private final Diagnostics diagnostics;
    private final String file;

    private XmlReader(final String file, final Diagnostics diagnostics)
    {
        this.file = file;
        this.diagnostics = diagnostics;
    }

    /**
     * Reads a file.
     *
     * @param path        to read.
     * @param file        its name in diagnostics.
     * @param diagnostics take what is wrong.
     * @return the root element, or null when there is a diagnostic instead.
     */
    static XmlElement read(final Path path, final String file, final Diagnostics diagnostics)
    {
        return new XmlReader(file, diagnostics).read(path);
    }

    private XmlElement read(final Path path)
    {
        final String text;
        try
        {
            text = decode(Files.readAllBytes(path));
        }
        catch (final CharacterCodingException | UnsupportedCharsetException | IllegalCharsetNameException ex)
        {
            return refuse(DiagnosticCode.MALFORMED_XML, 1,
                "expected text in the encoding that the XML declaration names (UTF-8 where it names none), found " +
                "other bytes (" + ex.getMessage() + ")");
        }
        catch (final IOException ex)
        {
            return refuse(DiagnosticCode.UNREADABLE, 0, "expected a readable file, found none (" + ex + ")");
        }

        try
        {
            return parse(text);
        }
        catch (final XMLStreamException ex)
        {
            final Location location = ex.getLocation();
            return refuse(DiagnosticCode.MALFORMED_XML, null == location ? 1 : location.getLineNumber(),
                "expected well-formed XML, found: " + plainMessage(ex));
        }
    }

    private XmlElement parse(final String text) throws XMLStreamException
    {
        final XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        factory.setProperty(XMLInputFactory.IS_NAMESPACE_AWARE, true);
        factory.setXMLResolver((publicId, systemId, base, namespace) ->
        {
            throw new XMLStreamException("external entities are refused");
        });

        final SourceLines lines = new SourceLines(text);
        final XMLStreamReader reader = factory.createXMLStreamReader(new StringReader(text));
        XmlElement root = null;
        XmlElement current = null;
        int depth = 0;
        while (reader.hasNext())
        {
            switch (reader.next())
            {
                case XMLStreamConstants.DTD ->
                {
                    return refuse(DiagnosticCode.DOCTYPE, lines.startOfMarkup("<!DOCTYPE", reader.getLocation()),
                        "expected no document type declaration (it could read other files), found <!DOCTYPE");
                }
                case XMLStreamConstants.START_ELEMENT ->
                {
                    current = start(reader, current, lines);
                    root = null == root ? current : root;
                    if (++depth > MAX_DEPTH)
                    {
                        return refuse(DiagnosticCode.MALFORMED_XML, current.line(),
                            "expected at most " + MAX_DEPTH + " nested elements, found more");
                    }
                }
                case XMLStreamConstants.END_ELEMENT ->
                {
                    current = current.parent();
                    depth--;
                }
                case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA ->
                {
                    if (null != current)
                    {
                        current.addText(reader.getText());
                    }
                }
                default ->
                {
                    // Comments and processing instructions mean nothing here.
                }
            }
        }

        return root;
    }

    private XmlElement start(final XMLStreamReader reader, final XmlElement parent, final SourceLines lines)
    {
        final int line = lines.startOfMarkup("<", reader.getLocation());
        final XmlElement element =
            new XmlElement(parent, file, line, reader.getNamespaceURI(), reader.getLocalName());
        for (int i = 0, count = reader.getAttributeCount(); i < count; i++)
        {
            element.addAttribute(
                reader.getAttributeNamespace(i), reader.getAttributeLocalName(i), reader.getAttributeValue(i));
        }
        if (XINCLUDE_NAMESPACE.equals(element.namespace()))
        {
            diagnostics.report(DiagnosticCode.XINCLUDE, element, "the whole schema in one file", "an XInclude element");
        }

        return element;
    }

    private XmlElement refuse(final DiagnosticCode code, final int line, final String message)
    {
        diagnostics.add(new Diagnostic(code, file, line, "", message));
        return null;
    }

    private static String decode(final byte[] bytes) throws CharacterCodingException
    {
        final Charset charset;
        int start = 0;
        if (startsWith(bytes, 0xEF, 0xBB, 0xBF))
        {
            charset = StandardCharsets.UTF_8;
            start = 3;
        }
        else if (startsWith(bytes, 0xFE, 0xFF) || startsWith(bytes, 0xFF, 0xFE))
        {
            charset = StandardCharsets.UTF_16;
        }
        else
        {
            final String declaration =
                new String(bytes, 0, Math.min(bytes.length, DECLARATION_LENGTH), StandardCharsets.ISO_8859_1);
            final Matcher matcher = ENCODING.matcher(declaration);
            charset = matcher.find() ? Charset.forName(matcher.group(1)) : StandardCharsets.UTF_8;
        }

        final String text = charset.newDecoder()
            .onMalformedInput(CodingErrorAction.REPORT)
            .onUnmappableCharacter(CodingErrorAction.REPORT)
            .decode(ByteBuffer.wrap(bytes, start, bytes.length - start))
            .toString();
        return text.replace("\r\n", "\n").replace('\r', '\n');
    }

    private static boolean startsWith(final byte[] bytes, final int... prefix)
    {
        if (bytes.length < prefix.length)
        {
            return false;
        }
        for (int i = 0; i < prefix.length; i++)
        {
            if ((byte)prefix[i] != bytes[i])
            {
                return false;
            }
        }
        return true;
    }

    private static String plainMessage(final XMLStreamException ex)
    {
        // The JDK puts "ParseError at [row,col]:[..]" and "Message: " before what matters; the line is ours to say.
        final String message = String.valueOf(ex.getMessage());
        final int at = message.indexOf("Message: ");
        return (at < 0 ? message : message.substring(at + "Message: ".length())).strip().replace('\n', ' ');
    }

    /**
     * Line starts of a text. The parser says where a tag ends; a user wants to know where it begins.
     */
    private static final class SourceLines
    {
        private final String text;
        private final int[] starts;

        SourceLines(final String text)
        {
            this.text = text;
            starts = new int[(int)text.chars().filter((c) -> '\n' == c).count() + 1];
            for (int i = 1, from = 0; i < starts.length; i++)
            {
                from = text.indexOf('\n', from) + 1;
                starts[i] = from;
            }
        }

        int startOfMarkup(final String opening, final Location end)
        {
            final int line = Math.max(1, Math.min(end.getLineNumber(), starts.length));
            final int offset = Math.min(text.length(), starts[line - 1] + Math.max(1, end.getColumnNumber()) - 1);
            final int start = text.lastIndexOf(opening, offset - 1);
            if (start < 0)
            {
                return line;
            }
            int found = line;
            while (found > 1 && starts[found - 1] > start)
            {
                found--;
            }
            return found;
        }
    }
}
