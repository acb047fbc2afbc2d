package io.rankwire;

import static io.rankwire.Ranks.assertFails;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import org.junit.jupiter.api.Test;

final class GroupTest {
    private final Group world = Group.world(6);
    private final Group odd = Group.of(5, 3, 1);

    @Test
    void shouldCountAndTranslateRanks() {
        assertEquals(6, world.size());
        assertEquals(3, odd.size());
        assertEquals(5, odd.worldRank(0));
        assertEquals(2, odd.rankOf(1));
        assertEquals(-1, odd.rankOf(0));
        assertEquals(-1, odd.rankOf(99));
        assertEquals(-1, world.rankOf(6));
        assertEquals(1, world.translate(3, odd));
        assertEquals(-1, world.translate(2, odd));
        assertEquals(3, odd.translate(1, world));
    }

    @Test
    void shouldCombineGroups() {
        assertEquals(Group.of(4, 0), world.include(4, 0));
        assertEquals(Group.of(1, 5), odd.include(2, 0));
        assertEquals(Group.of(5, 1), odd.exclude(1));
        assertEquals(Group.of(), odd.exclude(0, 1, 2));
        assertEquals(Group.of(5, 3, 1, 0), odd.union(Group.of(0, 3)));
        assertEquals(Group.of(5, 1), odd.intersection(Group.of(1, 2, 5)));
        assertEquals(Group.of(3), odd.difference(Group.of(1, 2, 5)));
        assertEquals(Group.of(0, 2, 4), world.difference(odd));
        assertEquals(world, Group.of(0, 1, 2, 3, 4, 5));
        assertEquals(world.hashCode(), Group.of(0, 1, 2, 3, 4, 5).hashCode());
        assertNotEquals(odd, Group.of(1, 3, 5), "the order counts");
        assertEquals("[5, 3, 1]", odd.toString());
    }

    @Test
    void shouldNameARankItDoesNotHave() {
        assertFails(ErrorClass.RANK, () -> odd.include(3), "3", "group of 3");
        assertFails(ErrorClass.RANK, () -> odd.exclude(-1), "-1");
        assertFails(ErrorClass.RANK, () -> odd.translate(7, world), "7");
        assertFails(ErrorClass.RANK, () -> world.include(2, 2), "2 twice");
        assertFails(ErrorClass.RANK, () -> odd.worldRank(3), "3", "group of 3");
        assertFails(ErrorClass.RANK, () -> world.worldRank(6), "6", "group of 6");
        assertFails(ErrorClass.RANK, () -> world.worldRank(-1), "-1", "group of 6");
    }
}
