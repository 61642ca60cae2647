import Conversation
import IntentEvents
import IntentModel
import PipelineTestKit
import RecordLog
import Testing

extension TestPipeline {
    /// Writes handle work as a coordinator would.
    func give(_ request: Identifier, session: Identifier, isCancel: Bool = false, deadline: Instant? = nil) throws {
        let address = WorkAddress(request: request, step: 1, intent: "Book", phase: .handle)
        let work: Work =
            isCancel ? .cancel(WorkCancel(address, deadline: deadline)) : .item(WorkItem(address, deadline: deadline))
        try give(work, session: session)
    }

    /// Writes work to partition 0 as a coordinator would.
    func give(_ work: Work, session: Identifier) throws {
        var encoder = EventEncoder(source: "/test")
        try send(encoder.record(work, session: session, topics: topics, partition: 0, at: clock.now))
    }

    /// The position that the group of handlers has committed in partition 0.
    var committed: CommittedOffset? {
        log.committed(group: "\(topics.prefix).handler")[TopicPartition(topics.handle, 0)]
    }

    /// The outcomes that workers have reported, in order.
    func outcomes() throws -> [Outcome] {
        try log.records(in: topics.outcomes).map { record throws(EventError) in try OutcomeEvent(record).outcome }
    }

    /// Writes a record of the log again, unchanged.
    func sendCopy(of record: ConsumedRecord) throws {
        try send(
            Record(
                topic: record.topic, partition: record.partition, key: record.key, value: record.value,
                headers: record.headers,
                timestamp: record.timestamp))
    }
}

extension TestPipeline {
    /// The ticket of the newest handle work.
    func ticket() throws -> String {
        let record = try #require(log.records(in: topics.handle).last)
        return try #require(try WorkEvent(record).work.item?.ticket).description
    }

    /// The id of the newest prompt of a session.
    func prompt(_ session: Identifier) throws -> Identifier {
        try #require(try results(session: session).compactMap(\.prompt).last)
    }
}
