package io.rankwire.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Repeats a test with {@link OnRanks} on a simulated fabric that loses, delays, repeats and changes frames, as often as
 * there are seeds. Messages arrive nevertheless, but at other times and in another order between different senders:
 * what a test assumes about that shows. The name of each test has the seed, with which the same happens again: {@code
 * @UnderFaults(first = 17, seeds = 1)} repeats that run alone.
 *
 * <p>A world of one rank has no fabric, and is not repeated. At a class the annotation is for those methods that have
 * none of their own.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
public @interface UnderFaults {
    /**
     * The number of seeds.
     *
     * @return at least 1
     */
    int seeds() default 20;

    /**
     * The first seed; the others follow.
     *
     * @return any number
     */
    long first() default 1;
}
