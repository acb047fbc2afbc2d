package mpi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class StructTest {
    /** A struct with fields of several kinds, one of them another struct. */
    static final class Particle extends Struct {
        private final int id = addLong();
        private final int place = addDouble(3);
        private final int kind = addChar();
        private final int best = addStruct(MPI.doubleInt);

        @Override
        protected Data newData() {
            return new Data();
        }

        final class Data extends Struct.Data {
            void put(long number, double x, char letter) {
                putLong(id, number);
                putDouble(place, 2, x);
                putChar(kind, letter);
                DoubleInt.Data pair = getData(MPI.doubleInt, best);
                pair.putValue(2 * x);
                pair.putIndex((int) number);
            }

            String told() {
                DoubleInt.Data pair = getData(MPI.doubleInt, best);
                return getLong(id) + " " + getDouble(place, 2) + " " + getChar(kind) + " " + pair.getValue() + " "
                        + pair.getIndex();
            }
        }
    }

    /** Structs as messages. */
    public static final class Sending implements Runnable {
        @Override
        public void run() {
            Particle particle = new Particle();
            ByteBuffer two = MPI.newByteBuffer(2 * particle.getExtent());
            if (MPI.COMM_WORLD.getRank() == 0) {
                for (int i = 0; i < 2; i++) {
                    Particle.Data data = particle.getData(two, i);
                    data.put(i + 1, 1.5, (char) ('a' + i));
                }
                MPI.COMM_WORLD.send(two, 2, particle.getType(), 1, 0);
            } else {
                Status status = MPI.COMM_WORLD.recv(two, 2, particle.getType(), 0, 0);
                assertEquals(2, status.getCount(particle.getType()));
                Particle.Data data = particle.getData(two, 1);
                assertEquals("2 1.5 b 3.0 2", data.told());
                byte[] array = new byte[two.capacity()];
                two.get(0, array);
                Particle.Data same = particle.getData(array, 1);
                assertEquals("2 1.5 b 3.0 2", same.told());
                assertEquals(particle.getExtent(), data.getBuffer().capacity());
            }
            Jobs.assertFails(MPI.ERR_TYPE, particle::addInt);
        }
    }

    @Test
    void shouldCarryFieldsInMessages() {
        Jobs.run(2, Sending.class);
    }

    @Test
    void shouldLieAsACompilerWouldPutThem() {
        assertEquals(8, MPI.shortInt.getExtent());
        assertEquals(16, MPI.DOUBLE_INT.getExtent());
        assertEquals(12, MPI.LONG_INT.getSize());
        assertSame(MPI.INT2, MPI.int2.getType());
        ByteBuffer buffer = MPI.newByteBuffer(32);
        LongInt.Data pair = MPI.longInt.getData(buffer, 1);
        pair.putValue(1L << 40);
        pair.putIndex(-3);
        assertEquals(1L << 40, buffer.getLong(16));
        assertEquals(-3, buffer.getInt(24));
        assertEquals(-3, pair.getIndex());
    }

    @Test
    void shouldReadAndWriteComplexNumbers() {
        double[] numbers = new double[4];
        DoubleComplex second = DoubleComplex.get(numbers, 1);
        second.putReal(1);
        second.putImag(-1);
        assertEquals(-1, numbers[3]);
        assertEquals(1, second.getBuffer().get(0));
        FloatComplex first = FloatComplex.get(MPI.newByteBuffer(8));
        first.putImag(0.5f);
        assertEquals(0.5f, first.getImag());
        assertTrue(first.getReal() == 0);
    }
}
