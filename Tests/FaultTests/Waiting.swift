/// The error that an expected condition did not become true in time.
struct TimedOut: Error, CustomStringConvertible {
    var description: String
}

/// Waits for a condition, which is checked periodically.
func eventually(_ what: String, within limit: Duration = .seconds(90), _ condition: () throws -> Bool) async throws {
    let deadline = ContinuousClock.now.advanced(by: limit)
    while try !condition() {
        guard ContinuousClock.now < deadline else { throw TimedOut(description: "not within \(limit): \(what)") }
        try await ContinuousClock().sleep(for: .milliseconds(10))
    }
}

/// Maintains a fault for this long. No requirement depends on this wait.
func hold(_ duration: Duration) async throws { try await ContinuousClock().sleep(for: duration) }

/// The error that a requirement is not met.
struct Broken: Error, CustomStringConvertible {
    var description: String
    init(_ description: String) { self.description = description }
}
