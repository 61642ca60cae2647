import Synchronization

/// Counts the outcomes of the cases, and prints one line after the last case.
final class ConformanceReport: Sendable {
    enum Outcome { case passed, failed, skipped }

    private struct Counts {
        var passed = 0
        var failed: [String] = []
        var skipped: [String] = []
        var total: Int { passed + failed.count + skipped.count }
    }

    private let counts = Mutex(Counts())

    func add(_ outcome: Outcome, _ requirement: String, on log: LogUnderTest) {
        let summary: String? = counts.withLock { counts in
            switch outcome {
            case .passed: counts.passed += 1
            case .failed: counts.failed.append(requirement)
            case .skipped: counts.skipped.append(requirement)
            }
            return counts.total == ConformanceCase.all.count ? Self.summary(counts, log.name) : nil
        }
        if outcome == .skipped { print("conformance: skipped on \(log.name): \(requirement)") }
        if let summary { print(summary) }
    }

    private static func summary(_ counts: Counts, _ name: String) -> String {
        var text =
            "conformance: \(counts.passed) passed, \(counts.failed.count) failed, \(counts.skipped.count) skipped on \(name)"
        if !counts.failed.isEmpty { text += "; failed: " + counts.failed.joined(separator: ", ") }
        if !counts.skipped.isEmpty { text += "; skipped: " + counts.skipped.joined(separator: ", ") }
        return text
    }
}
