package program;

/** A program's own code: threads in the library's packages are taken for waiting in one of its calls. */
public final class Nap {
    private Nap() {}

    public static void take(int ms) throws InterruptedException {
        Thread.sleep(ms);
    }
}
