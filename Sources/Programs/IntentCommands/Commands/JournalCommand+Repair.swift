import ArgumentParser
import Conversation
import Foundation
import IntentEvents
import IntentModel
import Pipeline
import PipelineService
import RecordLog

extension JournalCommand {
    struct Repair: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract:
                "Repair a partition of the journal that coordinators have stopped. Without a change, say what can be done.",
            discussion: """
                Takes the partition over as a coordinator does, with a fence of the next epoch, writes one record, and checks that no coordinator came \
                in between. A coordinator that has stopped the partition holds nothing of it, so this may be done while coordinators run. One that \
                serves the partition is fenced off: it sends nothing more of it, and takes it over again within about a minute.

                After it, restart one coordinator. Any coordinator that joins or leaves makes the group assign all partitions again, and the next owner \
                takes the partition over.
                """)

        @OptionGroup var kafka: KafkaOptions

        @Option(help: "The partition.")
        var partition: Int32

        @Option(help: ArgumentHelp("Write that this session is forgotten.", valueName: "session"))
        var forget: Identifier?

        @Option(
            help: ArgumentHelp("Continue this session with its newest record that can be read.", valueName: "session"))
        var restore: Identifier?

        @OptionGroup var places: InputPlaces

        @Option(
            help: ArgumentHelp(
                "Where the journal has lost records: 'skip' continues after what was decided on, 'repeat' decides on it again.",
                valueName: "skip|repeat"))
        var lost: LostJournal?

        @Flag(help: "Say what would be written, and write nothing.")
        var dryRun = false

        @Flag(help: "Do it although a coordinator seems to be at work there, or the session can be read.")
        var force = false

        func validate() throws {
            guard [forget != nil, restore != nil, lost != nil, !places.isEmpty].count(where: { $0 }) <= 1 else {
                throw ValidationError(
                    "Give only one of --forget, --restore, --lost, and --requests-at, --answers-at or --outcomes-at.")
            }
        }

        func run() async throws {
            let client = try OperatorClient(kafka, defaults: PipelineDefaults.journalTool)
            defer { client.close() }
            let count = try await client.partitions()
            try check(partition, of: count)
            let found = try await client.inspect(partition, of: count)
            guard let change = try change(client, found) else { return try advise(found) }
            if found.findings.contains(where: { if case .otherPartitions = $0 { true } else { false } }) {
                return try advise(found)
            }
            var repair = JournalRepair(change, found.check, owner: "repair-\(UUID().uuidString.lowercased().prefix(8))")
            if let objection = repair.objection(found.findings, at: .now) {
                complain(force ? objection.printable : "\(objection.printable). --force does it nevertheless.")
                if !force { throw ExitCode.failed }
            }
            for consequence in repair.consequences { complain(consequence.printable) }
            do {
                let offset = try write(&repair, client)
                print(summary(offset, repair))
            } catch let problem as JournalProblem {
                complain(problem.description.printable)
                throw ExitCode.failed
            }
            if dryRun { return complain("Nothing was written.") }
            complain(
                """
                Restart one coordinator: the next owner of the partition continues with this. A coordinator that served the partition until now sends \
                nothing more of it, and takes it over again within about a minute.
                """)
        }

        private func advise(_ found: JournalText) throws {
            if found.findings.isEmpty { return complain("Partition \(partition) has no problem.") }
            print(found.remedies)
            throw ExitCode.failed
        }

        private func change(_ client: OperatorClient, _ found: JournalText) throws -> JournalRepair.Change? {
            if let forget { return .forget(forget) }
            if let restore {
                let start = found.check.resultsStart(of: restore)
                return .restore(restore, told: try client.lastResult(of: restore, partition, from: start))
            }
            if let lost {
                guard let loss = found.findings.first(where: \.isLoss) else {
                    complain("Partition \(partition) has lost no records of the journal that anything shows.")
                    throw ExitCode.failed
                }
                return lost == .repeat ? .repeatLost : try client.skip(loss, found)
            }
            return places.isEmpty ? nil : try places.change(client, found)
        }

        /// Takes the partition over, and writes the change.
        ///
        /// - Returns: The offset of the record that makes the change; `nil` in a dry run.
        private func write(_ repair: inout JournalRepair, _ client: OperatorClient) throws -> Int64? {
            let journal = TopicPartition(client.topics.sessions, partition)
            let start = repair.check.replay.next
            let fence = try repair.begin()
            if dryRun { return nil }
            try client.append(fence, to: journal)
            var (next, result) = (start, Result<JournalRepair.Step, any Error>.success(.readOn))
            while true {
                let isThere = try client.follow(journal, from: next, within: .seconds(30)) { record in
                    next = record.offset + 1
                    result = Result { try repair.read(record) }
                    if case .success(.readOn) = result { return false }
                    return true
                }
                guard isThere else {
                    throw LogError(.timedOut, "what was written to \(journal) was not read again: is Kafka running?")
                }
                switch try result.get() {
                case .readOn: break
                case .append(let entry): try client.append(entry, to: journal)
                case .done(let offset): return offset
                }
            }
        }

        private func summary(_ offset: Int64?, _ repair: JournalRepair) -> JSON {
            .make { writer in
                writer.beginObject()
                writer.member("partition", Int(partition))
                switch repair.change {
                case .forget(let session): writer.member("forget", session)
                case .restore(let session, _): writer.member("restore", session)
                case .repeatLost: writer.member("lost", "repeat")
                case .inputs(let positions):
                    for input in JournalInput.allCases {
                        if let position = positions[input] {
                            writer.member(named: input.rawValue, .number(Double(position.next)))
                        }
                    }
                }
                if let offset { writer.member("offset", Int(offset)) } else { writer.member("dryRun", true) }
                writer.endObject()
            }
        }
    }
}

/// The two continuations after a journal has lost records.
enum LostJournal: String, ExpressibleByArgument {
    case skip, `repeat`
}

extension OperatorClient {
    /// Returns the change that continues after the group's committed positions, or after all existing records if only a
    /// result shows the loss.
    fileprivate func skip(_ loss: JournalFinding, _ found: JournalText) throws -> JournalRepair.Change {
        var committed: [JournalInput: Int64]?
        if case .behindGroup(_, let beyond) = loss { committed = beyond }
        var positions: [JournalInput: InputPosition] = [:]
        for log in found.inputs {
            let wanted =
                committed.map { $0[log.input] ?? found.check.replay.position(of: log.input).next }
                ?? log.range.upperBound
            let next = min(max(wanted, log.range.lowerBound), log.range.upperBound)
            let before = try input(log.input, found.check.partition, before: next).before
            positions[log.input] = InputPosition(next: next, last: before.map(\.timestampMark))
        }
        return .inputs(positions)
    }

    fileprivate func append(_ entry: JournalRepair.Entry, to journal: TopicPartition) throws {
        try send(entry.outline.record(value: entry.value, topic: journal.topic, partition: journal.partition, at: .now))
        try flush()
    }
}
