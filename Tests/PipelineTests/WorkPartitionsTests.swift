import RecordLog
import Testing

@testable import Pipeline

@Suite("The partitions of a worker") struct WorkPartitionsTests {
    private var partitions = WorkPartitions()

    private mutating func assign(_ numbers: Int32..., inFlight: [(partition: Int32, offset: Int64)] = []) {
        partitions.assign(numbers.map { TopicPartition("work", $0) }, [:], inFlight: inFlight)
    }

    @Test mutating func `a record of a partition that is not assigned is not taken`() {
        assign(0)
        #expect(partitions.take(1, 5) == nil && partitions.take(0, 5) == true)
    }

    @Test mutating func `a record in flight is recognised once when its partition comes back`() {
        assign(0, 1)
        #expect(partitions.take(0, 5) == true)
        assign(0, inFlight: [(0, 5), (1, 7)])
        #expect(partitions.take(0, 5) == true)
        let recognized = (0..<2).map { _ in partitions.recognizes(0, 5) }
        #expect(recognized == [true, false] && !partitions.recognizes(1, 7))
    }

    @Test mutating func `a record finished while its partition is away is not taken again`() {
        assign(0)
        #expect(partitions.take(0, 5) == true)
        partitions.release()
        partitions.finish(0, 5)
        assign(0)
        #expect(partitions.take(0, 5) == false)
        #expect(partitions.take(0, 6) == true)
        #expect(partitions.commit(of: "work")[TopicPartition("work", 0)]?.offset == 6)
    }

    @Test mutating func `a refused commit is repeated with all positions`() {
        assign(0)
        #expect(partitions.take(0, 5) == true)
        partitions.finish(0, 5)
        let first = partitions.commit(of: "work")
        #expect(first[TopicPartition("work", 0)]?.offset == 6 && partitions.commit(of: "work").isEmpty)
        partitions.commitFailed()
        #expect(partitions.commit(of: "work") == first)
    }

    @Test mutating func `a partition stays held back until the next assignment`() {
        assign(0, 1)
        partitions.heldBack = [1]
        #expect(Array(partitions.readable) == [0])
        assign(1)
        #expect(Array(partitions.readable) == [1])
    }

    @Test mutating func `acknowledgements count down what was sent`() {
        for _ in 0..<2 { partitions.sent(3) }
        partitions.acknowledged(3)
        #expect(partitions.unacknowledged == [3: 1])
        for _ in 0..<2 { partitions.acknowledged(3) }
        #expect(partitions.unacknowledged.isEmpty)
    }
}
