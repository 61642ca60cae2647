package import Conversation

/// The clock of agents' calls: the time, and a way to wait. The process provides both.
package struct AgentClock: Sendable {
    package var now: @Sendable () -> Instant
    package var sleep: @Sendable (Duration) async throws -> Void

    package init(now: @escaping @Sendable () -> Instant, sleep: @escaping @Sendable (Duration) async throws -> Void) {
        self.now = now
        self.sleep = sleep
    }
}
