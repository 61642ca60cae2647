import ArgumentParser
import Conversation
import IntentEvents
import IntentModel
import Pipeline
import PipelineService
import RecordLog

struct JournalCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "journal", abstract: "Check the journal, and repair a partition that coordinators have stopped.",
        subcommands: [Check.self, Repair.self])

    struct Check: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract:
                "Read the journal as a new owner would, and list what it has and why a coordinator would stop a partition.",
            usage: "\(PipelineProgram.tool) journal check [<options>]",
            discussion: """
                Changes nothing, and may run at any time. For each partition: records, open sessions, epoch and owner, formats, records that do not \
                count (of writers that did not own the partition, or after a missing record), records that no coordinator wrote, fences, partitions \
                when it was written and now, and the positions in the three inputs with what these have. Then the problems. Fails if a partition has one. \
                Values of sessions are not shown.
                """)

        @OptionGroup var kafka: KafkaOptions

        @Option(help: "Only this partition. Defaults to all.")
        var partition: Int32?

        @OptionGroup var output: OutputOptions

        func run() async throws {
            let client = try OperatorClient(kafka)
            defer { client.close() }
            let count = try await client.partitions()
            if let partition { try check(partition, of: count) }
            var isGood = true
            // Partitions are read one after the other, so that only one is in memory.
            for partition in partition.map({ $0..<$0 + 1 }) ?? 0..<count {
                let text = try await client.inspect(partition, of: count)
                if !text.findings.isEmpty { isGood = false }
                print(output.isJSON ? text.json.description : text.text)
            }
            guard isGood else {
                complain(
                    "A coordinator stops such a partition. '\(PipelineProgram.tool) journal repair --partition N' says what can be done."
                )
                throw ExitCode.failed
            }
        }
    }
}

/// Checks that a partition exists.
///
/// - Throws: ``ArgumentParser/ExitCode/failed`` if the partition does not exist.
func check(_ partition: Int32, of count: Int32) throws {
    guard !(0..<count ~= partition) else { return }
    complain("\(partition): there are \(count) partitions, numbered from 0.")
    throw ExitCode.failed
}

extension OperatorClient {
    /// Checks a partition of the journal.
    func inspect(_ partition: Int32, of count: Int32) async throws -> JournalText {
        // The group's commits and the end of the results are read before the journal, because coordinators may be
        // writing: the journal then covers all commits and results that are compared with it.
        let group = try await committed(partition)
        let resultsEnd = try range(of: TopicPartition(topics.results, partition)).upperBound
        var check = try check(partition)
        check.group = group
        try readResults(&check, before: resultsEnd)
        let inputs = try inputs(check)
        return JournalText(
            check: check, findings: check.findings(partitions: count, inputs: inputs, at: .now), inputs: inputs,
            partitions: count,
            harmless: check.harmless(at: .now))
    }
}
