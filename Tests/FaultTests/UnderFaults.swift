import Foundation
import RDKafkaLog
import Synchronization
import Testing

/// Real processes under real faults, on a new development broker for each fault, or on the Kafka of
/// `KAFKA_BOOTSTRAP_SERVERS`.
///
/// `FAULTS=full` in the environment selects all faults, with repeats. `FAULTS_TABLE` names the table's file.
/// `FAULTS_ONLY` selects the faults whose names contain its value. `FAULTS_PROGRAMS` names a directory with other
/// builds of the programs. With `FAULTS_SOAK`, a number of minutes, only ``FaultCase/soak`` runs.
@Suite("Under faults", .tags(.processes, .slow), .serialized, .faultTable) struct UnderFaults {
    @Test(arguments: FaultRun.cases)
    func `nothing is lost, duplicated or out of order`(_ fault: FaultCase) async throws {
        let row = await FaultScene.run(fault, repeats: FaultRun.isFull ? fault.repeats.full : fault.repeats.quick)
        FaultRun.add(row)
        #expect(row.lost == 0)
        #expect(row.duplicated == 0)
        #expect(row.outOfOrder == 0)
        #expect(row.endedOtherwise == 0)
        #expect(row.failures.isEmpty, "\(row.failures.joined(separator: "\n"))")
        #expect(row.requests > 0 || row.skipped != nil)
    }
}

/// The selected faults, and their table.
enum FaultRun {
    private static let environment = ProcessInfo.processInfo.environment
    static let isFull = environment["FAULTS"] == "full"
    /// `true` if the processes are from other builds than the tests.
    static let hasOtherPrograms = environment["FAULTS_PROGRAMS"] != nil
    static let table = Mutex(FaultTable())

    static let cases: [FaultCase] =
        FaultCase.soak.map { [FaultCase.none, $0] }
        ?? FaultCase.all.filter { fault in
            let isMeant =
                environment["FAULTS_ONLY"].map { $0.isEmpty || fault.isMeasure || fault.name.contains($0) } ?? true
            return isMeant && (isFull ? fault.repeats.full : fault.repeats.quick) > 0
        }

    /// Adds a row, and prints its result at once, because the table comes last.
    static func add(_ row: FaultRow) {
        table.withLock { $0.rows.append(row) }
        print("fault: \(row.fault): \(row.skipped.map { "skipped, \($0)" } ?? (row.isGood ? "passed" : "FAILED"))")
        fflush(nil)
    }

    static func printTable() {
        let table = table.withLock { $0 }
        guard !table.rows.isEmpty else { return }
        let broker = FaultBroker.kafkaServers.map { "Kafka at \($0)" } ?? "the development broker"
        let text = "Faults, on \(broker), with librdkafka \(RDKafkaVersion.current):\n\n\(table.text)\n"
        print("\n\(text)")
        if let path = environment["FAULTS_TABLE"] { try? Data(text.utf8).write(to: URL(fileURLWithPath: path)) }
    }
}

/// Prints the table when the suite has ended.
struct FaultTableTrait: SuiteTrait, TestScoping {
    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        defer { FaultRun.printTable() }
        try await function()
    }
}

extension Trait where Self == FaultTableTrait {
    static var faultTable: Self { Self() }
}

extension Tag {
    /// A test that starts programs.
    @Tag static var processes: Self
    /// A test that takes more than ten seconds.
    @Tag static var slow: Self
}
