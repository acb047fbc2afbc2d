package io.rankwire.tools.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.tools.plot.Panel;
import java.io.IOException;
import java.io.StringReader;
import java.time.LocalDateTime;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;

class PanelsTest {
    private static final LocalDateTime WHEN = LocalDateTime.of(2026, 11, 15, 9, 5);

    static Document parse(String svg) {
        try {
            return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(
                    new InputSource(new StringReader(svg)));
        } catch (SAXException | IOException | ParserConfigurationException e) {
            throw new AssertionError("not well-formed: " + e.getMessage() + "\n" + svg, e);
        }
    }

    private static Results sample() {
        Results results = new Results(List.of("openmpi", "mpich"));
        for (int bytes : Plan.SIZES) {
            results.add("ours", 1, new Point("lat", bytes, 0), 0.2 + bytes / 5000.0);
            results.add("openmpi", 1, new Point("lat", bytes, 0), 0.3 + bytes / 4000.0);
            if (bytes >= 8192) {
                results.add("ours", 1, new Point("lat.alloc", bytes, 0), bytes / 9000.0);
                results.add("openmpi", 1, new Point("lat.alloc", bytes, 0), bytes / 7000.0);
                results.add("mpich", 1, new Point("lat.alloc", bytes, 0), bytes / 8000.0);
            }
        }
        for (int bytes : Plan.STREAM_SIZES) {
            results.add("ours", 1, new Point("bw", bytes, 0), 4000);
            results.add("mpich", 1, new Point("bw", bytes, 0), 3000);
        }
        for (int bytes = 1024; bytes <= 4096; bytes *= 2) {
            for (String kind : Work.CURVE.ours) {
                results.add("ours", 1, new Point(kind, bytes, 0), bytes);
            }
            results.add("mpich", 1, new Point("curve", bytes, 0), 2 * bytes);
        }
        return results;
    }

    @Test
    void shouldDrawAPanelForEachWorkWithACurveForEachSide() {
        List<Panel> panels = Panels.of(sample(), EnumSet.allOf(Work.class));
        assertEquals(List.of(Work.LAT.title, Work.BW.title, Work.CURVE.title, "The same as bytes in that time"),
                panels.stream().map(Panel::title).toList());
        assertEquals(0.5, panels.get(3).curves().get(3).values().get(2048L));
        assertEquals(List.of("rankwire", "rankwire allocated", "openmpi", "openmpi allocated", "mpich allocated"),
                names(panels.get(0)));
        assertEquals(8192 / 7000.0, panels.get(0).curves().get(3).values().get(8192L));
        assertEquals("µs", panels.get(0).unit());
        assertEquals(List.of("rankwire", "mpich"), names(panels.get(1)));
        assertEquals(List.of("rankwire eager", "rankwire rendezvous", "rankwire two-ended", "mpich"),
                names(panels.get(2)));
        // No place for 0 bytes on a log axis.
        assertEquals(Plan.SIZES.length - 1, panels.get(0).curves().get(0).values().size());
        Document document = parse(Panels.plot(panels, "a <machine> & co, 2 cores", WHEN));
        NodeList lines = document.getElementsByTagName("polyline");
        assertEquals(15, lines.getLength());
        assertTrue(document.getDocumentElement().getTextContent().contains("a <machine> & co, 2 cores"));
        assertTrue(document.getDocumentElement().getTextContent().contains("2026-11-15 09:05"));
        assertEquals(Plan.SIZES.length - 1, ((Element) lines.item(0)).getAttribute("points").split(" ").length);
    }

    private static List<String> names(Panel panel) {
        return panel.curves().stream().map(Panel.Curve::name).toList();
    }

    @Test
    void shouldTellCurvesApartWithoutColour() {
        List<Panel> curve = Panels.of(sample(), EnumSet.of(Work.CURVE));
        Document document = parse(Panels.plot(curve, "machine", WHEN));
        Set<String> shapes = new HashSet<>();
        NodeList paths = document.getElementsByTagName("path");
        for (int i = 0; i < paths.getLength(); i++) {
            Element path = (Element) paths.item(i);
            if (path.hasAttribute("transform")) {
                shapes.add(path.getAttribute("d"));
            }
        }
        assertEquals(4, shapes.size());
    }

    @Test
    void shouldStayInsideThePicture() {
        Document document = parse(Panels.plot(Panels.of(sample(), EnumSet.allOf(Work.class)), "machine", WHEN));
        NodeList lines = document.getElementsByTagName("polyline");
        for (int i = 0; i < lines.getLength(); i++) {
            for (String point : ((Element) lines.item(i)).getAttribute("points").split(" ")) {
                double x = Double.parseDouble(point.split(",")[0]);
                double y = Double.parseDouble(point.split(",")[1]);
                assertTrue(x >= 74 && x <= 596 && y >= 40 && y <= 354, point);
            }
        }
    }

    /** The wider of the usual fonts need 0.6 of their size for a letter on average, bold ones 0.69. */
    @Test
    void shouldCutOffNoWords() {
        for (Set<Work> works : List.of(EnumSet.of(Work.LAT), EnumSet.of(Work.CURVE), EnumSet.allOf(Work.class))) {
            List<Panel> panels = Panels.of(sample(), works);
            Document document = parse(Panels.plot(panels, "a machine that needs many words, ".repeat(9), WHEN));
            double width = Double.parseDouble(document.getDocumentElement().getAttribute("width"));
            NodeList texts = document.getElementsByTagName("text");
            for (int i = 0; i < texts.getLength(); i++) {
                Element text = (Element) texts.item(i);
                if (!text.getAttribute("transform").isEmpty()) {
                    continue;
                }
                double size = text.getAttribute("font-size").isEmpty() ? 12
                        : Double.parseDouble(text.getAttribute("font-size"));
                double needs = text.getTextContent().length() * size * (text.hasAttribute("font-weight") ? 0.69 : 0.6);
                String anchor = text.getAttribute("text-anchor");
                double left = shift((Element) text.getParentNode()) + Double.parseDouble(text.getAttribute("x"))
                        - (anchor.equals("end") ? needs : anchor.equals("middle") ? needs / 2 : 0);
                assertTrue(left >= 0 && left + needs <= width, text.getTextContent() + ": " + left + " + " + needs);
            }
        }
    }

    private static double shift(Element group) {
        String transform = group.getAttribute("transform");
        return transform.isEmpty() ? 0
                : Double.parseDouble(transform.substring(transform.indexOf('(') + 1, transform.indexOf(',')));
    }

    @Test
    void shouldDrawOnePointAndNoneToo() {
        Results results = new Results(List.of());
        results.add("ours", 1, new Point("bw", 4096, 0), 5);
        parse(Panels.plot(Panels.of(results, EnumSet.of(Work.BW)), "machine", WHEN));
        parse(Panels.plot(Panels.of(new Results(List.of()), EnumSet.of(Work.BW)), "machine", WHEN));
    }
}
