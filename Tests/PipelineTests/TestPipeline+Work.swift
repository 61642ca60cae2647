import Conversation
import IntentEvents
import IntentModel
import PipelineTestKit
import RecordLog

extension TestPipeline {
    /// Writes handle work as a coordinator would.
    func give(_ request: String, session: String, isCancel: Bool = false, deadline: Instant? = nil) throws {
        var encoder = EventEncoder(source: "/test")
        let address = WorkAddress(request: request, step: 1, intent: "Book", phase: .handle)
        let work: Work = isCancel ? .cancel(WorkCancel(address, deadline: deadline)) : .item(WorkItem(address, deadline: deadline))
        try send(encoder.record(work, session: session, topics: topics, partition: 0, at: clock.now))
    }

    /// Writes a record of the log again, unchanged.
    func sendCopy(of record: ConsumedRecord) throws {
        try send(
            Record(
                topic: record.topic, partition: record.partition, key: record.key, value: record.value, headers: record.headers,
                timestamp: record.timestamp))
    }
}
