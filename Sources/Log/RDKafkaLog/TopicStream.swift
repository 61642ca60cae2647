import RecordLog

/// A topic whose records are fetched, with the state of each of its partitions.
final class TopicStream {
    /// The state of a partition.
    struct Partition {
        /// `true` if records are wanted. Records of a partition that is not open were fetched earlier, and are dropped.
        var isOpen = false
        /// The position at which reading starts; `nil` for the committed offset, which the broker knows.
        var start: StartOffset?
        /// The lowest offset of the next record; -1 while it is unknown.
        var position: Int64 = -1
        var isPaused = false
        /// `true` while the end of an unreadable batch is searched. Fetched records are dropped, because the partition
        /// is fetched again after the search.
        var isSearched = false
        /// The end that was last reported together with the record before it; -1 if there is none.
        var reportedEnd: Int64 = -1
        /// The missing position that was reported; -1 if there is none. librdkafka may report a position twice before
        /// the partition starts again.
        var reportedMissing: Int64 = -1

        mutating func open(from start: StartOffset?) {
            self = Partition(isOpen: true, start: start, position: -1, isPaused: false)
            if case .offset(let offset) = start { position = offset }
        }

        /// The position at which fetching has to start to continue from here.
        var resumption: StartOffset? { position >= 0 ? .offset(position) : start }
    }

    let topic: RDKafkaTopic
    let name: String
    let pointer: OpaquePointer
    /// `true` if the partitions were opened with ``LogClient/read(_:from:)`` and not assigned by the group.
    let isReader: Bool
    private(set) var partitions: ContiguousArray<Partition> = []

    init(_ topic: RDKafkaTopic, isReader: Bool) {
        self.topic = topic
        name = topic.name
        pointer = topic.pointer
        self.isReader = isReader
    }

    subscript(partition: Int32) -> Partition {
        get { Int(partition) < partitions.count ? partitions[Int(partition)] : Partition() }
        set {
            while partitions.count <= Int(partition) { partitions.append(Partition()) }
            partitions[Int(partition)] = newValue
        }
    }

    var openPartitions: [(Int32, Partition)] {
        partitions.enumerated().filter { $0.element.isOpen }.map { (Int32($0.offset), $0.element) }
    }

    func closeAll() {
        partitions.removeAll()
    }

    /// Moves the position past a wanted record.
    ///
    /// - Returns: `true` if the record is wanted.
    @inline(__always)
    func acceptRecord(_ partition: Int32, _ offset: Int64) -> Bool {
        let index = Int(partition)
        guard index < partitions.count, partitions[index].isOpen, !partitions[index].isPaused,
            !partitions[index].isSearched,
            offset >= partitions[index].position
        else { return false }
        partitions[index].position = offset + 1
        return true
    }
}
