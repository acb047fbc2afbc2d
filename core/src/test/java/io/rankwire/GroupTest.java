package io.rankwire;

import static io.rankwire.Worlds.assertFails;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.rankwire.Group.Range;
import io.rankwire.runtime.RankSet;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class GroupTest {
    private final Group world = new Group(RankSet.world(6));
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

    @Test
    void shouldTakeRanges() {
        assertEquals(Group.of(1, 3, 5), world.includeRanges(new Range(1, 5, 2)));
        assertEquals(Group.of(5, 4, 0, 2), world.includeRanges(new Range(5, 4, -1), new Range(0, 3, 2)));
        assertEquals(Group.of(), world.includeRanges(new Range(3, 2, 1), new Range(2, 3, -1)));
        assertEquals(Group.of(0, 5), world.excludeRanges(new Range(4, 1, -1)));
        assertEquals(Group.of(3), odd.includeRanges(new Range(1, 1, -7)));
        assertFails(ErrorClass.ARGUMENT, () -> new Range(0, 1, 0), "step");
        assertFails(ErrorClass.RANK, () -> world.includeRanges(new Range(0, Integer.MAX_VALUE, 1)), "2147483647");
        assertFails(ErrorClass.RANK, () -> world.includeRanges(new Range(-1, 3, 2)), "-1");
        assertFails(ErrorClass.RANK, () -> world.includeRanges(new Range(0, 2, 1), new Range(2, 3, 1)), "2 twice");
    }

    @Test
    void shouldCompareAndTranslateMany() {
        assertEquals(Comparison.IDENTICAL, odd.compare(Group.of(5, 3, 1)));
        assertEquals(Comparison.SIMILAR, odd.compare(Group.of(1, 3, 5)));
        assertEquals(Comparison.UNEQUAL, odd.compare(Group.of(1, 3, 4)));
        assertEquals(Comparison.UNEQUAL, odd.compare(Group.of(1, 3)));
        assertEquals(Comparison.IDENTICAL, Group.of().compare(odd.include()));
        assertArrayEquals(new int[] {0, Communicator.NONE, -1, 2},
                world.translate(new int[] {5, Communicator.NONE, 2, 1}, odd));
        assertFails(ErrorClass.RANK, () -> world.translate(new int[] {1, 6}, odd), "6");
    }

    /** Random groups, compared with ordered lists. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void shouldDoAsListsDo(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int step = 0; step < 2_000; step++) {
            List<Integer> a = list(random);
            List<Integer> b = list(random);
            Group left = group(a);
            Group right = group(b);
            String about = "seed " + seed + ", step " + step + ": " + a + " and " + b;

            Set<Integer> union = new LinkedHashSet<>(a);
            union.addAll(b);
            assertEquals(group(List.copyOf(union)), left.union(right), about);
            assertEquals(group(a.stream().filter(b::contains).toList()), left.intersection(right), about);
            assertEquals(group(a.stream().filter(rank -> !b.contains(rank)).toList()), left.difference(right), about);
            Comparison expected = a.equals(b) ? Comparison.IDENTICAL
                    : Set.copyOf(a).equals(Set.copyOf(b)) ? Comparison.SIMILAR : Comparison.UNEQUAL;
            assertEquals(expected, left.compare(right), about);
            for (int rank = 0; rank < a.size(); rank++) {
                assertEquals(b.indexOf(a.get(rank)), left.translate(rank, right), about);
            }

            List<Integer> places = new ArrayList<>();
            for (int i = 0; i < a.size(); i++) {
                places.add(i);
            }
            Collections.shuffle(places, new Random(random.nextLong()));
            places = places.subList(0, random.nextInt(a.size() + 1));
            int[] chosen = places.stream().mapToInt(i -> i).toArray();
            assertEquals(group(places.stream().map(a::get).toList()), left.include(chosen), about);
            List<Integer> rest = new ArrayList<>(a);
            rest.removeAll(places.stream().map(a::get).toList());
            assertEquals(group(rest), left.exclude(chosen), about);
        }
    }

    private static List<Integer> list(SplittableRandom random) {
        List<Integer> all = new ArrayList<>(List.of(0, 1, 2, 3, 4, 5, 6));
        Collections.shuffle(all, new Random(random.nextLong()));
        return List.copyOf(all.subList(0, random.nextInt(random.nextBoolean() ? 3 : 8)));
    }

    private static Group group(List<Integer> worldRanks) {
        return Group.of(worldRanks.stream().mapToInt(i -> i).toArray());
    }
}
