package io.rankwire.tools;

final class Doctor {
    static final String HELP = "";

    private Doctor() {}

    static int run(String[] args) {
        return 0;
    }
}
