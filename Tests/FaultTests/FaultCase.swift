import Foundation
import Testing

/// A fault, its injection, and its own requirements. The requirements of all faults are: nothing is lost, duplicated or
/// out of order, and every request ends as it does without a fault.
struct FaultCase: Sendable, CustomTestStringConvertible {
    typealias Deed = @Sendable (FaultScene) async throws -> [String]

    var name: String
    /// The number of repeats: in the quick selection that the tests run (0 leaves the fault out), and in the full
    /// table.
    var repeats: (quick: Int, full: Int)
    var size = Fleet.Size()
    var pace = Person.Pace(window: 40, rate: 80)
    /// `true` to play the day's requests. Otherwise, the fault plays its own requests.
    var hasTravellers = true
    /// The maximum number of the day's requests. The requests are repeated in other sessions up to this number.
    var requestCount = 20_000
    /// `true` if processes may end with an error. By default, they may end only with code 0, or by the signals 9 and
    /// 15.
    var mayEndProcesses = false
    /// The requirements of the fault. Without one of them, the fault is skipped.
    var needs: [FaultNeed] = []
    /// The only process that reaches the broker through the proxy; `nil` for all processes.
    var proxied: String?
    /// `true` if all topics except the journal and the dead letters accept records of 10 MB.
    var takesLargeRecords = false
    /// `true` if the endings of this fault's requests are the reference for other faults.
    var isMeasure = false
    /// The librdkafka properties of the processes.
    var properties: @Sendable (FaultBroker) -> [String: String] = { _ in [:] }
    /// The time limits of the coordinators, as arguments.
    var coordinator = FaultScene.patient
    /// The directory of the first programs of the processes; defaults to ``Fleet/programs``.
    var firstPrograms: URL?
    /// The program that runs instead of the sample handler.
    var handler: (program: String, arguments: [String])?
    /// Injects the fault while requests are open, and returns a description of the injection. Requests are sent until
    /// the function returns.
    var disturb: Deed
    /// Checks the topics after all requests have ended.
    var judge: Deed = { _ in [] }

    var testDescription: String { name }

    static let all: [FaultCase] =
        [FaultCase.none] + kills + pauses + groups + connections + loads + poison + floods + hostile + refusals
        + topicFaults + clocks + upgrades + brokerErrors
}

/// A requirement of a fault that not every broker or machine meets.
enum FaultNeed: Sendable {
    case developmentBroker
    /// A Kafka with topics that can be changed and deleted.
    case kafka
    /// A proxy between the processes and the broker.
    case proxy
    /// Commands that stop and start a Kafka.
    case brokerCommands
    /// Commands that fill the disk of a Kafka and make room again.
    case diskCommands
    /// A wall clock of the processes that jumps.
    case fakeClock

    /// The reason why the fault is skipped; `nil` if the requirement is met.
    var reasonToSkip: String? {
        let servers = FaultBroker.kafkaServers
        return switch self {
        case .developmentBroker: servers == nil ? nil : "only the development broker can inject it"
        case .kafka: servers == nil ? "needs a Kafka: the development broker can't change or delete topics" : nil
        case .proxy:
            servers.map { TCPProxy(to: $0)?.end() != nil } ?? true ? nil : "the broker has to be on this machine"
        case .brokerCommands: Shell.broker == nil ? "needs commands that stop and start a Kafka" : nil
        case .diskCommands:
            Shell.disk == nil ? "needs commands that fill a Kafka's disk and make room again" : nil
        case .fakeClock: FakeClock.isPossible ? nil : "needs Linux and a C compiler (cc)"
        }
    }
}

extension FaultCase {
    static let none = FaultCase(name: "none", repeats: (1, 2), isMeasure: true) { scene in
        try await scene.progress(scene.repeats * Script.dayCount)
        return ["request to completion p99 \(milliseconds(scene.latencies("").percentile(0.99)))"]
    }
}

/// A duration in whole milliseconds, as in the table.
func milliseconds(_ duration: Duration) -> String { "\(Int((duration / .milliseconds(1)).rounded())) ms" }
