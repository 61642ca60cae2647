package import Conversation

/// The time, and waiting for it to pass, as the shell gives them.
package struct AgentClock: Sendable {
    package var now: @Sendable () -> Instant
    package var sleep: @Sendable (Duration) async throws -> Void

    package init(now: @escaping @Sendable () -> Instant, sleep: @escaping @Sendable (Duration) async throws -> Void) {
        self.now = now
        self.sleep = sleep
    }
}
