/// The faults for the next written records, and for the next reads of committed offsets.
struct FaultPlan: Sendable {
    enum Fault: Sendable {
        /// The record is written, and its delivery has no offset.
        case acknowledgementLost
        /// The record fails.
        case failed(LogError, Extent)
    }

    /// What is in the log although the client is told that a record has failed.
    struct Extent: Sendable {
        /// Whether the failed record itself is.
        var isWritten = false
        /// How many of the client's next records are, if it stops at the failed one: they were under way.
        var underWay = 0
    }

    /// Which records a fault applies to; `nil` means any.
    struct Target: Sendable {
        var topic: String?
        var partition: Int32?
        /// The client's number.
        var client: Int?
        /// How many of these records pass before the first that fails.
        var skipping = 0

        fileprivate func matches(_ place: TopicPartition, _ number: Int) -> Bool {
            (topic ?? place.topic) == place.topic && (partition ?? place.partition) == place.partition && (client ?? number) == number
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
