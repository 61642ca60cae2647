/// Something that had to come did not.
struct TimedOut: Error, CustomStringConvertible {
    var description: String
}

/// Waits for a condition, which is looked at now and then.
func eventually(_ what: String, within limit: Duration = .seconds(90), _ condition: () throws -> Bool) async throws {
    let deadline = ContinuousClock.now.advanced(by: limit)
    while try !condition() {
        guard ContinuousClock.now < deadline else { throw TimedOut(description: "not within \(limit): \(what)") }
        try await ContinuousClock().sleep(for: .milliseconds(10))
    }
}

/// Keeps a fault up for so long. What must hold is never decided by it.
func hold(_ duration: Duration) async throws { try await ContinuousClock().sleep(for: duration) }
