/// A segment of a partition: consecutive batches in one block of memory.
final class LogSegment {
    private struct Batch {
        var offset: Int64
        var position: Int
        var timestamp: Int64
    }

    private let storage: UnsafeMutableRawPointer
    private let capacity: Int
    private var batches: [Batch] = []
    /// The size of all batches in bytes.
    private(set) var count = 0

    init(capacity: Int) {
        self.capacity = capacity
        storage = .allocate(byteCount: capacity, alignment: 16)
    }

    deinit {
        storage.deallocate()
    }

    var room: Int { capacity - count }
    var firstOffset: Int64 { batches.first?.offset ?? 0 }

    /// Appends a batch with this base offset. The segment must have room for the batch.
    ///
    /// - Parameter isStamped: `true` gives the batch's records this timestamp.
    func append(_ batch: UnsafeRawBufferPointer, offset: Int64, timestamp: Int64, isStamped: Bool = false) {
        guard let address = batch.baseAddress else { return }
        batches.append(Batch(offset: offset, position: count, timestamp: timestamp))
        (storage + count).copyMemory(from: address, byteCount: batch.count)
        storage.storeBytes(of: offset.bigEndian, toByteOffset: count, as: Int64.self)
        if isStamped {
            AppendTime.stamp(UnsafeMutableRawBufferPointer(start: storage + count, count: batch.count), timestamp)
        }
        count += batch.count
    }

    /// Returns the index of the last batch that begins at or before `offset`; 0 if there is none.
    private func index(of offset: Int64) -> Int {
        // Finds the first batch that begins after the offset. The result is the batch before.
        var (low, high) = (0, batches.count)
        while low < high {
            let middle = (low + high) / 2
            if batches[middle].offset > offset { high = middle } else { low = middle + 1 }
        }
        return max(0, low - 1)
    }

    private func position(_ index: Int) -> Int { index < batches.count ? batches[index].position : count }

    /// Returns the number of bytes from the batch with `offset` on.
    func count(from offset: Int64) -> Int { count - position(index(of: offset)) }

    /// Returns whole batches, from the batch with `offset` on.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of bytes.
    ///   - orOne: `true` returns the first batch even if the batch is larger than `limit`.
    func batches(from offset: Int64, limit: Int, orOne: Bool) -> UnsafeRawBufferPointer {
        let first = index(of: offset)
        let begin = position(first)
        var (low, high) = (first, batches.count)
        // Finds the last index up to which all batches fit.
        while low < high {
            let middle = (low + high + 1) / 2
            if position(middle) - begin <= limit { low = middle } else { high = middle - 1 }
        }
        if low == first, orOne { low = min(first + 1, batches.count) }
        return UnsafeRawBufferPointer(start: storage + begin, count: position(low) - begin)
    }

    /// Returns the base offset and the timestamp of the first batch with this timestamp or a later one.
    func offset(ofTime time: Int64) -> (offset: Int64, timestamp: Int64)? {
        batches.first { $0.timestamp >= time }.map { ($0.offset, $0.timestamp) }
    }
}
