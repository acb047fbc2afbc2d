package io.rankwire;

import io.rankwire.launch.StallRule;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Ends embedded worlds of a test that make no progress. A deadlock cannot be proven there, because the test runner has
 * threads that could act.
 */
public final class EndStalls implements BeforeEachCallback, AfterEachCallback {
    @Override
    public void beforeEach(ExtensionContext context) {
        System.setProperty(StallRule.LIMIT_PROPERTY, "2");
        System.setProperty(StallRule.ACTION_PROPERTY, "end");
    }

    @Override
    public void afterEach(ExtensionContext context) {
        System.clearProperty(StallRule.LIMIT_PROPERTY);
        System.clearProperty(StallRule.ACTION_PROPERTY);
    }
}
