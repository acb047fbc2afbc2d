package mpi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What cannot be done yet says so. */
@Timeout(300)
class NotYetTest {
    @Test
    void shouldSayThatProcessesAreNotSupported() throws ReflectiveOperationException {
        List<String> names = List.of("publishName", "unpublishName", "lookupName", "spawn", "spawnMultiple");
        int calls = 0;
        for (Method method : Intracomm.class.getDeclaredMethods()) {
            if (names.contains(method.getName())) {
                Object on = Modifier.isStatic(method.getModifiers()) ? null : MPI.COMM_SELF;
                assertUnsupported(method, on);
                calls++;
            }
        }
        assertEquals(8, calls);
        assertTrue(Intercomm.getParent().isNull());
    }

    @Test
    void shouldSayThatFilesAreNotSupported() {
        Jobs.assertFails(MPI.ERR_UNSUPPORTED_OPERATION,
                () -> new File(MPI.COMM_SELF, "data", MPI.MODE_RDONLY), "not supported yet");
        Jobs.assertFails(MPI.ERR_UNSUPPORTED_OPERATION, () -> File.delete("data"), "delete: not supported yet");
        FileView view = new FileView(8, MPI.INT, MPI.INT, "native");
        assertEquals("native", view.getDataRep());
        assertEquals(8, view.getDisp());
    }

    private static void assertUnsupported(Method method, Object on) throws IllegalAccessException {
        Object[] arguments = new Object[method.getParameterCount()];
        for (int i = 0; i < arguments.length; i++) {
            arguments[i] = method.getParameterTypes()[i] == int.class ? 0 : null;
        }
        try {
            method.invoke(on, arguments);
        } catch (InvocationTargetException e) {
            MPIException told = (MPIException) e.getCause();
            assertEquals(MPI.ERR_UNSUPPORTED_OPERATION, told.getErrorClass());
            assertTrue(told.getMessage().contains(method.getName() + ": not supported yet"), told.getMessage());
            return;
        }
        throw new AssertionError(method + " was done");
    }
}
