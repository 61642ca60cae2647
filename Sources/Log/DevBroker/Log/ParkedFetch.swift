/// A fetch of one or more partitions, which may wait for records.
final class ParkedFetch {
    struct Topic {
        var name: String
        var partitions: [Position]
    }

    struct Position {
        var number: Int32
        /// The partition; `nil` if it does not exist.
        var log: PartitionLog?
        var offset: Int64
        var limit: Int

        /// The error of the partition; `nil` if it can be read.
        var fault: DevelopmentBroker.Fault? {
            guard let log else { return .unknownTopicOrPartition }
            if log.isLeaderAway { return .notLeader }
            return offset < log.start || offset > log.end ? .offsetOutOfRange : nil
        }
    }

    let reply: Reply
    let topics: [Topic]
    /// The maximum size of all partitions together, in bytes.
    let limit: Int
    /// The time at which the fetch is answered without records.
    let end: ContinuousClock.Instant
    /// `true` if a record was appended to one of the partitions.
    var mayHaveMore = false

    init(_ reply: Reply, _ topics: [Topic], limit: Int, end: ContinuousClock.Instant) {
        self.reply = reply
        self.topics = topics
        self.limit = limit
        self.end = end
    }

    /// `true` if the fetch can be answered immediately, with records or an error.
    var isReady: Bool {
        topics.contains { topic in topic.partitions.contains { $0.fault != nil || $0.offset < $0.log?.end ?? 0 } }
    }

    /// Registers the fetch with its partitions.
    func park() {
        for topic in topics { for position in topic.partitions { position.log?.waiting.append(self) } }
    }

    /// Removes the fetch from its partitions.
    func unpark() {
        for topic in topics { for position in topic.partitions { position.log?.waiting.removeAll { $0 === self } } }
    }

    /// Answers the fetch with the available records.
    ///
    /// - Parameter fault: The injected error of each partition.
    func answer(_ fault: DevelopmentBroker.Fault?) {
        var rest = limit
        reply.send { response in
            response.write(Int32(0))
            if reply.version >= 7 {
                response.write(nil as DevelopmentBroker.Fault?)
                // No session: each fetch names all of its partitions.
                response.write(Int32(0))
            }
            response.write(topics) { response, topic in
                response.write(topic.name)
                response.write(topic.partitions) { response, position in
                    write(position, fault ?? position.fault, &rest, &response)
                }
            }
        }
    }

    private func write(
        _ position: Position, _ fault: DevelopmentBroker.Fault?, _ rest: inout Int, _ response: inout ResponseBuffer
    ) {
        response.write(position.number)
        response.write(fault)
        // The high watermark and the last stable offset are equal, because there are no transactions.
        let end = fault == nil ? position.log?.end ?? -1 : -1
        for _ in 0..<2 { response.write(end) }
        if reply.version >= 5 { response.write(fault == nil ? position.log?.start ?? -1 : -1) }
        // There are no aborted transactions.
        response.write(Int32(-1))
        if reply.version >= 11 { response.write(Int32(-1)) }
        let isFirst = rest == limit
        response.writeSized { response in
            guard fault == nil, isFirst || rest > 0, let log = position.log else { return }
            rest -= log.read(
                from: position.offset, limit: min(position.limit, max(0, rest)), orOne: isFirst, into: &response)
        }
    }
}
