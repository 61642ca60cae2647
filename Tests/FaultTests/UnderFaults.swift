import Foundation
import Synchronization
import Testing

/// Real processes under real faults, on a development broker of each fault's own, or on the Kafka of `KAFKA_BOOTSTRAP_SERVERS`.
///
/// `FAULTS=full` in the environment takes all faults, and repeats them; `FAULTS_TABLE` names a file for the table; `FAULTS_ONLY` takes those whose
/// name contains it; `FAULTS_PROGRAMS` names a directory with other builds of the programs.
@Suite("Under faults", .serialized, .faultTable)
struct UnderFaults {
    @Test("nothing is lost, nothing happens twice, nothing is out of order", arguments: FaultRun.cases)
    func holds(_ fault: FaultCase) async throws {
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

/// What is run, and its table.
enum FaultRun {
    private static let environment = ProcessInfo.processInfo.environment
    static let isFull = environment["FAULTS"] == "full"
    static let table = Mutex(FaultTable())

    static let cases: [FaultCase] = FaultCase.all.filter { fault in
        let isMeant = environment["FAULTS_ONLY"].map { $0.isEmpty || fault.isMeasure || fault.name.contains($0) } ?? true
        return isMeant && (isFull ? fault.repeats.full : fault.repeats.quick) > 0
    }

    /// Says how it went, for whoever waits for the table.
    static func add(_ row: FaultRow) {
        table.withLock { $0.rows.append(row) }
        print("fault: \(row.fault): \(row.skipped.map { "not tried, \($0)" } ?? (row.isGood ? "held" : "DID NOT HOLD"))")
        fflush(nil)
    }

    static func printTable() {
        let table = table.withLock { $0 }
        guard !table.rows.isEmpty else { return }
        let broker = FaultBroker.kafkaServers.map { "Kafka at \($0)" } ?? "the development broker"
        let text = "Faults, on \(broker):\n\n\(table.text)\n"
        print("\n\(text)")
        if let path = environment["FAULTS_TABLE"] { try? Data(text.utf8).write(to: URL(fileURLWithPath: path)) }
    }
}

/// Prints the table when the suite is through.
struct FaultTableTrait: SuiteTrait, TestScoping {
    func provideScope(for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void) async throws
    {
        defer { FaultRun.printTable() }
        try await function()
    }
}

extension Trait where Self == FaultTableTrait {
    static var faultTable: Self { Self() }
}
