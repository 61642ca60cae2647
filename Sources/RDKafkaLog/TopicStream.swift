import RecordLog

/// A topic that records come from, and what is expected next from each of its partitions.
final class TopicStream {
    /// Where a partition stands.
    struct Partition {
        /// Whether records are wanted. Those that come anyway were fetched for an earlier order, and are dropped.
        var isOpen = false
        /// The offset from which on records are wanted, or `nil` where the broker decides: the committed one.
        var start: StartOffset?
        /// The lowest offset that may come next; -1 as long as it isn't known.
        var position: Int64 = -1
        var isPaused = false

        mutating func open(from start: StartOffset?) {
            self = Partition(isOpen: true, start: start, position: -1, isPaused: false)
            if case .offset(let offset) = start { position = offset }
        }

        /// Where fetching would have to begin to go on from here.
        var resumption: StartOffset? { position >= 0 ? .offset(position) : start }
    }

    let topic: RDKafkaTopic
    let name: String
    let pointer: OpaquePointer
    /// Whether records come from ``LogClient/read(_:from:)`` and not from the group.
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

    /// Whether a record is wanted; if so, the next one must stand behind it.
    @inline(__always)
    func accepts(_ partition: Int32, _ offset: Int64) -> Bool {
        let index = Int(partition)
        guard index < partitions.count, partitions[index].isOpen, !partitions[index].isPaused, offset >= partitions[index].position
        else { return false }
        partitions[index].position = offset + 1
        return true
    }
}
