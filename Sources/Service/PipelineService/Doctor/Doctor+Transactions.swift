import IntentEvents
package import RecordLog

// Checks for open transactions of other producers, which withhold records from all readers.
extension Doctor {
    /// The time for which a last stable offset must not move.
    private static let standstill = Duration.seconds(5)

    func examineTransactions(_ partitions: Int32?, _ report: (Diagnosis) -> Void) {
        let check = "transactions"
        guard let partitions else { return report(Diagnosis(check, .skipped, "the topics have to be right first")) }
        if access.reads.isEmpty { return report(Diagnosis(check, .skipped, "the \(role.rawValue) reads nothing")) }
        let places = access.reads.flatMap { topic in (0..<partitions).map { TopicPartition(topic, $0) } }
        do {
            let reader = try PartitionReader(log, nil, patience: patience)
            defer { reader.close() }
            report(Self.transactions(try reader.withheld(in: places, for: min(patience, Self.standstill))))
        } catch { report(problem(check, error)) }
    }

    /// Reports the partitions with an open transaction.
    ///
    /// - Parameter withheld: The offsets that no reader gets, for partitions whose last stable offset does not move.
    package static func transactions(_ withheld: [TopicPartition: Range<Int64>]) -> Diagnosis {
        if withheld.isEmpty { return Diagnosis("transactions", .ok, "no open transaction withholds records") }
        let places = withheld.sorted { $0.key < $1.key }
        let text = places.map { "\($0.key) from offset \($0.value.lowerBound) on (\($0.value.count) offsets)" }.joined(
            separator: ", ")
        let first = places[0].key
        return Diagnosis(
            "transactions", .failed,
            "a producer has an open transaction, and no reader gets the records behind its beginning, whoever wrote them: \(text)",
            advice:
                "'kafka-transactions.sh describe-producers --topic \(first.topic) --partition \(first.partition)' names the producer, and "
                + "'kafka-transactions.sh abort' with the start offset ends the transaction; then take Write on its transactional id from that producer: "
                + "no role of '\(PipelineProgram.tool) acl print' has one")
    }
}
