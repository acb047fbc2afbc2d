package io.rankwire.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EndingTest {
    @TempDir
    Path place;

    @Test
    void shouldPointToStandardErrorWhenThereWasNoRoomForTheStory() throws IOException {
        JobDirectory directory = JobDirectory.at(place);
        Ending ending = new Ending(2, 1, false, "");
        for (int i = 0; i < 2; i++) {
            assertEquals("rank 2 of 4 failed: it threw an exception, see above\n",
                    ending.story("rank 2 of 4", directory));
            assertEquals("rank 2 threw an exception, see above", ending.cause(directory));
            Files.write(directory.failure(2), new byte[0]);
        }
    }
}
