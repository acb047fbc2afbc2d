package io.rankwire.device.onesided;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.device.Code;
import io.rankwire.memory.Rand;
import io.rankwire.type.ElementType;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RegionTableTest {
    private static final int INT = ElementType.INT.code();
    private static final int RAW = ElementType.RAW.code();
    private static final int BOTH = RegionTable.READ | RegionTable.WRITE;

    @Test
    void shouldCheckEveryAccess() {
        RegionTable table = new RegionTable();
        int key = table.add(new int[100], 40, 200, INT, BOTH);
        assertEquals(Code.OK, table.check(key, 0, 200, INT, BOTH));
        assertEquals(Code.OK, table.check(key, 200, 0, INT, RegionTable.READ));
        assertEquals(Code.OK, table.check(key, 196, 4, RAW, RegionTable.WRITE));
        assertEquals(Code.OUT_OF_BOUNDS, table.check(key, 196, 8, INT, BOTH));
        assertEquals(Code.OUT_OF_BOUNDS, table.check(key, -4, 4, INT, BOTH));
        assertEquals(Code.OUT_OF_BOUNDS, table.check(key, 4, -4, INT, BOTH));
        assertEquals(Code.OUT_OF_BOUNDS, table.check(key, Long.MAX_VALUE, 4, INT, BOTH));
        assertEquals(Code.OUT_OF_BOUNDS, table.check(key, 4, Long.MAX_VALUE, INT, BOTH));
        assertEquals(Code.BROKEN_ELEMENT, table.check(key, 2, 4, INT, BOTH));
        assertEquals(Code.BROKEN_ELEMENT, table.check(key, 0, 6, RAW, BOTH));
        assertEquals(Code.TYPE_MISMATCH, table.check(key, 0, 8, ElementType.DOUBLE.code(), BOTH));
        assertEquals(Code.TYPE_MISMATCH, table.check(key, 0, 8, 99, BOTH));
        assertEquals(Code.UNKNOWN_REGION, table.check(key + 1, 0, 4, INT, BOTH));
        assertEquals(Code.UNKNOWN_REGION, table.check(-1, 0, 4, INT, BOTH));
        int only = table.add(new byte[10], 0, 10, RAW, RegionTable.READ);
        assertEquals(Code.OK, table.check(only, 3, 7, RAW, RegionTable.READ));
        assertEquals(Code.BROKEN_ELEMENT, table.check(only, 0, 7, INT, RegionTable.READ));
        assertEquals(Code.NO_RIGHT, table.check(only, 0, 8, INT, RegionTable.WRITE));
        assertEquals(Code.NO_RIGHT, table.check(only, 0, 8, INT, BOTH));
    }

    @Test
    void shouldNotFindARegionByAnOldKey() {
        RegionTable table = new RegionTable();
        Rand rand = new Rand(3);
        Map<Integer, Object> live = new HashMap<>();
        Map<Integer, Object> dead = new HashMap<>();
        for (int round = 0; round < 5_000; round++) {
            if (live.isEmpty() || rand.chance(1, 2) && live.size() < 50) {
                byte[] base = new byte[1];
                int key = table.add(base, 0, 1, RAW, BOTH);
                assertTrue(key >= 0);
                dead.remove(key);
                assertNull(live.put(key, base), "a key given twice");
            } else {
                int key = live.keySet().iterator().next();
                dead.put(key, live.remove(key));
                assertTrue(table.remove(key));
                assertFalse(table.remove(key));
            }
            assertEquals(live.size(), table.count());
        }
        live.forEach((key, base) -> assertEquals(base, table.get(key).base()));
        dead.forEach((key, base) -> assertNull(table.get(key)));
        assertTrue(dead.size() > 1_000);
    }
}
