package io.rankwire.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.TestTemplate;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test that all ranks of a world run, once for each number of ranks. Parameters of type
 * {@link io.rankwire.Communicator} and {@link io.rankwire.World} are those of the rank. It stands in the place of
 * {@code @Test}.
 *
 * <pre>{@code
 * @OnRanks({1, 2, 3, 7})
 * void shouldAddTheRanks(Communicator all) {
 *     int[] sum = new int[1];
 *     all.allreduce(new int[] {all.rank()}, sum, Op.SUM);
 *     assertEquals(all.size() * (all.size() - 1) / 2, sum[0]);
 * }
 * }</pre>
 *
 * <p>The test fails if it fails on any rank; the message names the first one. An assumption that is not met on a rank
 * skips the test. At a class the annotation is for those methods of the class whose own one has no numbers.
 *
 * <p>As threads and in a simulation, all ranks run the method of one object, which JUnit has made and prepared. As
 * processes, each rank makes an object of its own by the constructor without parameters and calls its
 * {@code @BeforeEach} and {@code @AfterEach} methods, which must have no parameters; JUnit does the same in its own
 * process. Methods with {@code @BeforeAll} run in the process of JUnit only.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
@Repeatable(OnRanks.Several.class)
@TestTemplate
@ExtendWith(RanksExtension.class)
public @interface OnRanks {
    /** What ranks are. */
    enum Kind {
        /** Threads of the process of JUnit. */
        THREADS,
        /** Processes of this host. */
        PROCESSES,
        /** Ranks on a simulated machine, in virtual time; thousands of them are no problem. */
        SIMULATED
    }

    /**
     * The numbers of ranks.
     *
     * @return one test for each of them; none for those of the class
     */
    int[] value() default {};

    /**
     * What the ranks are.
     *
     * @return one test for each of them, with each number of ranks
     */
    Kind[] as() default Kind.THREADS;

    /**
     * The network of simulated ranks, also of those under faults.
     *
     * @return as in {@code torus:8x8x8}, {@code fattree:16}, {@code crossbar}
     */
    String topology() default "crossbar";

    /**
     * The time after which a test fails.
     *
     * @return in seconds, above 0
     */
    double timeout() default 120;

    /**
     * The time without progress of any rank after which a test fails, most likely because of a deadlock.
     *
     * @return in seconds, above 0
     */
    double stall() default 10;

    /**
     * Options of the JVMs of ranks that are processes.
     *
     * @return as on the command line of {@code java}
     */
    String[] jvmOptions() default {};

    /** Several annotations of the same test, such as one for threads and one for a larger simulation. */
    @Documented
    @Inherited
    @Retention(RetentionPolicy.RUNTIME)
    @Target({ElementType.METHOD, ElementType.TYPE})
    @TestTemplate
    @ExtendWith(RanksExtension.class)
    @interface Several {
        /**
         * The annotations.
         *
         * @return at least two
         */
        OnRanks[] value();
    }
}
