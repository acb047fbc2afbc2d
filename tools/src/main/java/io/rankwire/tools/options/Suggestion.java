package io.rankwire.tools.options;

import java.util.List;

/** Finds the word that a misspelt one was probably meant to be. */
public final class Suggestion {
    private Suggestion() {}

    /** {@code "; did you mean X?"} with the most similar of the known words; empty when none is similar. */
    public static String of(String word, List<String> known) {
        String best = null;
        int least = Integer.MAX_VALUE;
        for (String each : known) {
            int distance = distance(word, each);
            // A third of the letters may be wrong.
            if (distance < least && 3 * distance <= Math.max(word.length(), each.length())) {
                least = distance;
                best = each;
            }
        }
        return best == null ? "" : "; did you mean " + best + "?";
    }

    /** The number of letters to insert, delete, replace or swap with their neighbour. */
    static int distance(String a, String b) {
        int[][] steps = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                if (i == 0 || j == 0) {
                    steps[i][j] = i + j;
                    continue;
                }
                int replaced = steps[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                steps[i][j] = Math.min(replaced, 1 + Math.min(steps[i - 1][j], steps[i][j - 1]));
                if (i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1)) {
                    steps[i][j] = Math.min(steps[i][j], steps[i - 2][j - 2] + 1);
                }
            }
        }
        return steps[a.length()][b.length()];
    }
}
