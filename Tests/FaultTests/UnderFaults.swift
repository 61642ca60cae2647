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
@Suite("Under faults", .tags(.processes, .slow), .serialized) struct UnderFaults {
    @Test(arguments: FaultRun.cases)
    func `nothing is lost, duplicated or out of order`(_ fault: FaultCase) async throws {
        let row = await FaultScene.run(fault, repeats: FaultRun.isFull ? fault.repeats.full : fault.repeats.quick)
        FaultRun.add(row)
        #expect(row.ledger.isGood && row.endedOtherwise == 0)
        #expect(row.failures.isEmpty, "\(row.failures.joined(separator: "\n"))")
        #expect(!row.ledger.requests.isEmpty || row.skipped != nil)
    }
}

/// The selected faults, and their table.
enum FaultRun {
    private static let environment = ProcessInfo.processInfo.environment
    static let isFull = environment["FAULTS"] == "full"
    /// The seed whose choices are repeated.
    static let seed: UInt64? = environment["FAULTS_SEED"].flatMap(UInt64.init)
    /// `true` if the processes are from other builds than the tests.
    static let hasOtherPrograms = environment["FAULTS_PROGRAMS"] != nil
    static let table = Mutex(FaultTable())

    static let cases: [FaultCase] =
        FaultCase.soak.map { [FaultCase.none, $0] }
        ?? FaultCase.all.filter { fault in
            let only = environment["FAULTS_ONLY"] ?? ""
            let isMeant = only.isEmpty || fault.isMeasure || fault.name.contains(only)
            return isMeant && (isFull ? fault.repeats.full : fault.repeats.quick) > 0
        }

    /// Adds a row, and prints its result. The last row prints the table.
    static func add(_ row: FaultRow) {
        let table = table.withLock { table in
            table.rows.append(row)
            return table
        }
        print("fault: \(row.fault): \(row.skipped.map { "skipped, \($0)" } ?? (row.isGood ? "passed" : "FAILED"))")
        fflush(nil)
        guard table.rows.count == cases.count else { return }
        let broker = FaultBroker.kafkaServers.map { "Kafka at \($0)" } ?? "the development broker"
        let text = "Faults, on \(broker), with librdkafka \(RDKafkaVersion.current):\n\n\(table.text)\n"
        print("\n\(text)")
        if let path = environment["FAULTS_TABLE"] { try? Data(text.utf8).write(to: URL(fileURLWithPath: path)) }
    }
}

extension Tag {
    /// A test that starts programs.
    @Tag static var processes: Self
    /// A test that takes more than ten seconds.
    @Tag static var slow: Self
}
