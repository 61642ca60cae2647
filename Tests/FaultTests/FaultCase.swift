import Foundation
import Testing

/// A fault, how it is injected, and its own requirements, beyond the common ones: nothing lost, nothing duplicated, nothing out of order, and every
/// request ends as it does without a fault.
struct FaultCase: Sendable, CustomTestStringConvertible {
    typealias Deed = @Sendable (FaultScene) async throws -> [String]

    var name: String
    /// How often the fault is repeated: in the quick selection that the tests run (0: not at all), and in the full table.
    var repeats: (quick: Int, full: Int)
    var size = Fleet.Size()
    var pace = Person.Pace(window: 40, rate: 80)
    /// Whether the day's requests are played; otherwise the fault brings its own.
    var hasTravellers = true
    /// The maximum number of the day's requests; they are repeated in other sessions until there are so many.
    var requestCount = 20_000
    /// Whether processes may end with an error: by default only with code 0, or by the signals 9 and 15.
    var mayEndProcesses = false
    /// Without one of these the fault is skipped.
    var needs: [FaultNeed] = []
    /// The only process that reaches the broker through the proxy; defaults to all of them.
    var proxied: String?
    /// Whether all topics but the journal and the dead letters take records of 10 MB.
    var takesLargeRecords = false
    /// Whether its endings are the ones that the others are compared with.
    var isMeasure = false
    /// The librdkafka properties of the processes.
    var properties: @Sendable (FaultBroker) -> [String: String] = { _ in [:] }
    /// The time limits of the coordinators, as arguments.
    var coordinator = FaultScene.patient
    /// The directory of the programs that the processes begin with; defaults to ``Fleet/programs``.
    var firstPrograms: URL?
    /// The program that runs instead of the sample handler.
    var handler: (program: String, arguments: [String])?
    /// Injects the fault while requests are open; requests are sent until it returns. Returns a description of what was done.
    var disturb: Deed
    /// Checks the topics when all requests have ended.
    var judge: Deed = { _ in [] }

    var testDescription: String { name }

    static let all: [FaultCase] =
        [FaultCase.none] + kills + pauses + groups + connections + loads + poison + floods + hostile + refusals + topicFaults + clocks
        + upgrades
        + brokerErrors
}

extension FaultCase {
    static let none = FaultCase(name: "none", repeats: (1, 2), isMeasure: true) { scene in
        try await scene.progress(scene.repeats * Script.dayCount)
        let latencies = scene.person.ledger.latencies { _, _ in true }
        return ["request to completion p99 \(milliseconds(latencies.percentile(0.99)))"]
    }
}

/// A duration in whole milliseconds, as in the table.
func milliseconds(_ duration: Duration) -> String { "\(Int((duration / .milliseconds(1)).rounded())) ms" }
