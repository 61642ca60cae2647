import Testing

@testable import RDKafkaLog

@Suite("The search for the end of a batch that can't be read") struct UnreadableSearchTests {
    /// A partition, as the offsets of its batches in order and whether each batch is readable.
    private struct Partition {
        var batches: [(offsets: Range<Int64>, isReadable: Bool)]
        var end: Int64 { batches.last?.offsets.upperBound ?? 0 }

        /// The outcome of a fetch, as librdkafka reports it: the first offset of the unreadable batch; `nil` if the
        /// fetch succeeds.
        func fetch(at offset: Int64) -> Int64? {
            let batch = batches.first { $0.offsets.upperBound > offset }
            return batch?.isReadable == false ? batch?.offsets.lowerBound : nil
        }
    }

    /// Runs a search to its end.
    private func search(_ partition: Partition, from start: Int64?, knowsEnd: Bool = true) -> (
        found: [Range<Int64>], probes: Int
    ) {
        var search = UnreadableSearch(from: start)
        var found: [Range<Int64>] = []
        for probes in 1... {
            let end = knowsEnd ? partition.end : nil
            let base = partition.fetch(at: search.probe ?? 0)
            switch base.map({ search.failed(at: $0, cause: "test", end: end) }) ?? search.succeeded(end: end) {
            case .probe(let offset): #expect(!knowsEnd || offset <= partition.end)
            case .found(let range, _, let next):
                found.append(range)
                if next == nil { return (found, probes) }
            case .nothing: return (found, probes)
            }
            if probes > 10_000 { break }
        }
        Issue.record("the search does not end")
        return (found, 0)
    }

    @Test(arguments: [true, false])
    func `the end is exact for every size of batch, and every position in it`(knowsEnd: Bool) {
        for size in Int64(1)...40 {
            for start in [nil, 3] + (10..<10 + size).map(Optional.some) {
                let first = start == nil ? Int64(0) : 10
                for after in [0, 1, 500] as [Int64] {
                    var batches = [(offsets: first..<first + size, isReadable: false)]
                    if after > 0 { batches.append((first + size..<first + size + after, true)) }
                    let result = search(Partition(batches: batches), from: start, knowsEnd: knowsEnd)
                    #expect(result.found == [first..<first + size], "size \(size), from \(start ?? -1), after \(after)")
                }
            }
        }
    }

    @Test func `a batch of 100,000 records takes fewer than 40 fetches, and one of a single record takes one`() {
        let one = search(Partition(batches: [(0..<7, true), (7..<100_007, false), (100_007..<100_020, true)]), from: 7)
        #expect(one.found == [7..<100_007] && one.probes < 40)
        let chain = (0..<1_000).map { Int64($0)..<Int64($0) + 1 }
        let single = search(Partition(batches: chain.map { ($0, false) } + [(1_000..<1_010, true)]), from: 0)
        #expect(single.found == chain && single.probes < 1_010)
    }

    @Test func `a position that can be read ends the search without a finding`() {
        #expect(search(Partition(batches: [(0..<5, true), (5..<9, false)]), from: 2).found == [])
        #expect(search(Partition(batches: [(0..<5, true)]), from: 5).found == [])
    }

    @Test func `a readable batch between two that can't be read is never skipped`() {
        for size in Int64(1)...20 {
            let (second, third) = (size, size + 1)
            let mixed = Partition(batches: [(0..<second, false), (second..<third, true), (third..<third + 30, false)])
            #expect(search(mixed, from: 0).found.first == 0..<second, "size \(size)")
        }
    }

    @Test func `offsets that compaction has removed are passed over`() {
        let partition = Partition(batches: [(10..<14, false), (50..<60, true)])
        // No batch has the offsets in between, so the batch may seem to end anywhere before the next batch.
        let found = search(partition, from: 3).found
        #expect(found == [10..<14])
    }

    @Test func `the largest offset does not overflow`() {
        var search = UnreadableSearch(from: .max - 1)
        var step = search.failed(at: .max - 1, cause: "test", end: nil)
        for _ in 0..<100 {
            guard case .probe = step else { return }
            step = search.failed(at: .max - 1, cause: "test", end: nil)
        }
        Issue.record("the search does not end")
    }
}
