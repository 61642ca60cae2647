/// Injected faults of the next writes, of the next reads of committed offsets, and of the next commits.
struct FaultPlan: Sendable {
    enum Fault: Sendable {
        /// The record is written, but its delivery has no offset.
        case acknowledgementLost
        /// The record fails.
        case failed(LogError, Extent)
    }

    /// The records that are in the log although the client receives a failed delivery.
    struct Extent: Sendable {
        /// `true` if the failed record itself is in the log.
        var isWritten = false
        /// The number of the client's next records that are in the log, if the client stops at the failed record: they
        /// were in flight.
        var inFlight = 0
    }

    /// The records that a fault applies to; `nil` matches any.
    struct Target: Sendable {
        var topic: String?
        var partition: Int32?
        /// The client's number.
        var client: Int?
        /// The number of matching records that pass before the first failure.
        var skipping = 0

        fileprivate func matches(_ place: TopicPartition, _ number: Int) -> Bool {
            (topic ?? place.topic) == place.topic && (partition ?? place.partition) == place.partition
                && (client ?? number) == number
        }
    }

    private struct Entry: Sendable {
        var fault: Fault
        var target: Target
        var left: Int
    }

    private var entries: [Entry] = []
    /// The errors of the next reads of committed offsets.
    var committed: [LogError] = []
    /// The errors of the next commits.
    var commits: [LogError] = []

    mutating func add(_ fault: Fault, times: Int, _ target: Target) {
        entries.append(Entry(fault: fault, target: target, left: times))
    }

    /// The fault for the next record of this client and partition, if there is one.
    mutating func next(for place: TopicPartition, by number: Int) -> Fault? {
        for index in entries.indices where entries[index].left > 0 && entries[index].target.matches(place, number) {
            guard entries[index].target.skipping == 0 else {
                entries[index].target.skipping -= 1
                continue
            }
            entries[index].left -= 1
            let fault = entries[index].fault
            entries.removeAll { $0.left <= 0 }
            return fault
        }
        return nil
    }
}
