package program;

/** Code outside the library: threads inside its packages are assumed to wait in one of its calls. */
public final class Nap {
    private Nap() {}

    public static void take(int ms) throws InterruptedException {
        Thread.sleep(ms);
    }
}
