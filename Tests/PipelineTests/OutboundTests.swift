import Conversation
import IntentModel
import PipelineTestKit
import RecordLog
import Testing

@testable import Pipeline

@Suite("Records on their way out") struct OutboundTests {
    private let clock = ManualClock()
    private let client: SendingClient
    /// Sends records at once, up to 1,000 a second.
    private var outbound: Outbound

    init() throws {
        let log = InMemoryLog { [clock] in clock.now.milliseconds }
        client = SendingClient(try log.connect(ClientConfiguration(clientID: "sender")), clock)
        outbound = Outbound(client, rate: 1_000) { [clock] in clock.now }
    }

    /// Sends records one millisecond after the previous call.
    private mutating func send(_ count: Int) throws {
        clock.advance(by: .milliseconds(1))
        for _ in 0..<count { outbound.send(Record(topic: "t", key: nil, value: [1]), token: 0) }
        try outbound.flush()
    }

    /// Sends so many records that they go out in batches.
    private mutating func sendMany() throws { for _ in 0..<100 { try send(5) } }

    private mutating func send(_ count: Int, to partition: Int32) throws {
        for _ in 0..<count {
            outbound.send(Record(topic: "t", partition: partition, key: nil, value: [1]), token: UInt64(partition))
        }
        try outbound.flush(isUrgent: true)
    }

    private mutating func acknowledge(_ partition: Int32) {
        outbound.delivered(Delivery(token: 0, topic: "t", partition: partition, offset: 0))
    }

    @Test mutating func `go out at once while they are few`() throws {
        for number in 1...200 {
            try send(1)
            #expect(client.sent == number)
        }
    }

    @Test mutating func `go out in batches, at most 5 ms late, while they are many`() throws {
        try sendMany()
        let times = client.times.suffix(10)
        #expect(zip(times, times.dropFirst()).map { $1 - $0 } == Array(repeating: 5, count: 9))
    }

    @Test mutating func `are sent at once again after many, when a pause has come`() throws {
        try sendMany()
        try outbound.flush(isUrgent: true)
        clock.advance(by: .milliseconds(100))
        for _ in 0..<10 {
            let before = client.sent
            try send(1)
            #expect(client.sent == before + 1)
        }
    }

    @Test mutating func `say how long nothing else may be waited for`() throws {
        #expect(outbound.delay(at: clock.now) == nil)
        try sendMany()
        try outbound.flush(isUrgent: true)
        try send(2)
        #expect(outbound.backlog == 2 && outbound.delay(at: clock.now) == .milliseconds(4))
    }

    @Test mutating func `don't wait for a clock that went back`() throws {
        try sendMany()
        clock.advance(by: .seconds(-3_600))
        let before = client.sent
        try send(5)
        #expect(client.sent > before && outbound.backlog == 0)
    }

    @Test mutating func `wait in order for room in the client, which is asked again after a millisecond`() throws {
        client.room = 2
        for token in 1...4 as ClosedRange<UInt64> {
            outbound.send(Record(topic: "t", key: nil, value: [1]), token: token)
        }
        let hasSent = try outbound.flush()
        #expect(hasSent && client.tokens == [1, 2])
        #expect(outbound.backlog == 2 && outbound.delay(at: clock.now) == .milliseconds(1))
        client.room = 10
        clock.advance(by: .milliseconds(1))
        try outbound.flush()
        #expect(client.tokens == [1, 2, 3, 4] && outbound.backlog == 0)
    }

    @Test mutating func `of a stuck partition fill only its share of the client, and other records go out`() throws {
        try send(5_000, to: 0)
        #expect(client.sent == 1_024 && outbound.delay(at: clock.now) == nil)
        try send(10, to: 1)
        #expect(client.sent == 1_034)
        acknowledge(0)
        try outbound.flush(isUrgent: true)
        #expect(client.sent == 1_035 && outbound.count(of: TopicPartition("t", 0)) == 4_999)
    }

    @Test mutating func `are dropped by their tokens, except those that the client has`() throws {
        try send(2_000, to: 0)
        try send(3, to: 1)
        outbound.drop { $0 == 0 }
        #expect(outbound.backlog == 0 && outbound.bytes == 1_027 && outbound.count(of: TopicPartition("t", 0)) == 1_024)
        for _ in 0..<1_024 { acknowledge(0) }
        try send(1, to: 0)
        #expect(client.sent == 1_028)
    }

    @Test mutating func `are stuck after 5 s without acknowledgement; unsent ones can be taken back`() throws {
        let (away, there) = (TopicPartition("t", 0), TopicPartition("t", 1))
        try send(2_000, to: 0)
        for second in 0...5 {
            try send(1, to: 1)
            let stuck = outbound.findStuck(at: clock.now)
            #expect(stuck == (second < 5 ? [] : [away]))
            acknowledge(1)
            clock.advance(by: .seconds(1))
        }
        #expect(outbound.isStuck(away) && !outbound.isStuck(there))
        let returned = outbound.takeBack(away)
        #expect(returned.count == 2_000 - 1_024 && outbound.backlog == 0)
        acknowledge(0)
        #expect(!outbound.isStuck(away))
    }
}

/// A client that accepts ``room`` records.
private final class SendingClient: ForwardingClient, @unchecked Sendable {
    private let clock: ManualClock
    var room = Int.max
    private(set) var tokens: [UInt64] = []
    /// The distinct times at which the client got records, in milliseconds.
    private(set) var times: [Int64] = []
    var sent: Int { tokens.count }

    init(_ inner: any LogClient, _ clock: ManualClock) {
        self.clock = clock
        super.init(inner)
    }

    override func send(_ record: Record, token: UInt64) throws(LogError) {
        if tokens.count >= room { throw LogError(.queueFull, "there is no room") }
        tokens.append(token)
        if times.last != clock.now.milliseconds { times.append(clock.now.milliseconds) }
    }
}

@Suite("The offset tracker") struct OffsetTrackerTests {
    /// Registers new records.
    private func register(_ offsets: Range<Int64>, _ tracker: inout OffsetTracker) {
        for offset in offsets {
            let isNew = tracker.take(offset)
            #expect(isNew)
        }
    }

    private func finish(_ offsets: some Sequence<Int64>, _ tracker: inout OffsetTracker) {
        for offset in offsets { tracker.finish(offset) }
    }

    private func expect(_ committed: CommittedOffset?, _ expected: CommittedOffset?) { #expect(committed == expected) }

    @Test func `commits the oldest unfinished record, with the finished ones above it as a note`() {
        var tracker = OffsetTracker(nil)
        register(0..<10, &tracker)
        finish([3, 5, 4, 8], &tracker)
        expect(tracker.commit(), CommittedOffset(offset: 0, metadata: "done=3-5,8"))
        finish([0], &tracker)
        expect(tracker.commit(), CommittedOffset(offset: 1, metadata: "done=2-4,7"))
        expect(tracker.commit(), nil)
        finish([1, 2, 6, 7, 9], &tracker)
        expect(tracker.commit(), CommittedOffset(offset: 10))
    }

    @Test func `its successor repeats nothing that was finished`() {
        var tracker = OffsetTracker(CommittedOffset(offset: 100, metadata: "done=2-4,7"))
        let taken = (100..<110 as Range<Int64>).filter { tracker.take($0) }
        #expect(taken == [100, 101, 105, 106, 108, 109])
        finish(taken, &tracker)
        expect(tracker.commit(), CommittedOffset(offset: 110))
    }

    @Test(arguments: ["", "x", "done=", "done=a-b", "done=5-2", "done=-1,,", "done=9223372036854775807", "done=-5--1"])
    func `a note in another format is ignored`(_ note: String) {
        var tracker = OffsetTracker(CommittedOffset(offset: 100, metadata: note))
        register(100..<110, &tracker)
    }

    @Test func `20,000 random notes cause no crash, and an offset that is listed twice is processed once`() {
        let pieces = [
            "done=", "1", "-", ",", "9223372036854775807", "-9223372036854775808", "0", "18446744073709551616", "7-3",
            "3-7", " ", "x", "é", "=", "\u{0}", "1-9223372036854775807",
        ]
        var random = SeededRandom(seed: 2_026)
        for _ in 1...20_000 {
            let note = "done=" + (0..<random.pick(0..<8)).map { _ in random.pick(pieces) }.joined()
            let base = random.pick([0, 1, 100, Int64.max - 5])
            var tracker = OffsetTracker(CommittedOffset(offset: base, metadata: note))
            for offset in base..<base + 4 { if tracker.take(offset) { tracker.finish(offset) } }
            #expect(tracker.position >= base, "\(note)")
            _ = tracker.commit()
        }
    }

    @Test func `a record that is finished before it is taken again is not worked on again`() {
        var tracker = OffsetTracker(CommittedOffset(offset: 100, metadata: "done=2-4"))
        finish([107, 101, 103, 107, 105], &tracker)
        let taken = (100..<110 as Range<Int64>).filter { tracker.take($0) }
        #expect(taken == [100, 106, 108, 109])
        expect(tracker.commit(), CommittedOffset(offset: 100, metadata: "done=1-5,7"))
    }

    @Test func `its size is that of the work in flight, however many records finish while one does not`() {
        var tracker = OffsetTracker(nil)
        register(0..<1, &tracker)
        for offset in 1...100_000 as ClosedRange<Int64> {
            _ = tracker.take(offset)
            tracker.finish(offset)
        }
        #expect(tracker.inFlight == 1)
        expect(tracker.commit(), CommittedOffset(offset: 0, metadata: "done=1-100000"))
    }

    @Test func `gaps in the log block nothing`() {
        var tracker = OffsetTracker(nil)
        for offset in [0, 5, 9] as [Int64] {
            _ = tracker.take(offset)
            tracker.finish(offset)
        }
        expect(tracker.commit(), CommittedOffset(offset: 10))
    }

    @Test func `the note never exceeds the broker's limit, and truncating it only repeats work`() {
        var tracker = OffsetTracker(nil)
        register(0..<20_000, &tracker)
        finish(stride(from: 3, to: 20_000, by: 2), &tracker)
        finish([0], &tracker)
        let committed = tracker.commit()
        #expect((committed?.metadata.utf8.count ?? 0) < 3_100)
        var next = OffsetTracker(committed)
        let repeated = (1..<20_000 as Range<Int64>).filter { next.take($0) }
        #expect(repeated.count < 20_000 && repeated.contains(2) && !repeated.contains(3))
    }

    @Test func `finished work that a cut note leaves out does not count as committed`() {
        var tracker = OffsetTracker(nil)
        let finished = stride(from: 1, to: 4_000, by: 2) as StrideTo<Int64>
        register(0..<4_000, &tracker)
        finish(finished, &tracker)
        var next = OffsetTracker(tracker.commit())
        for offset in finished {
            let isGivenAgain = next.take(offset)
            #expect(tracker.hasCommitted(offset) != isGivenAgain)
        }
        #expect(tracker.hasCommitted(1) && !tracker.hasCommitted(3_999))
    }

    @Test func `a position whose commit was refused is committed again`() {
        var tracker = OffsetTracker(nil)
        register(0..<5, &tracker)
        finish([0, 1, 2], &tracker)
        let commit = tracker.commit()
        let again = tracker.commit()
        #expect(commit != nil && again == nil)
        tracker.commitFailed()
        expect(tracker.commit(), commit)
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `in any order of finishing, the committed offset reaches the end`(_ seed: UInt64) {
        var generator = SeededRandom(seed: seed)
        var tracker = OffsetTracker(nil)
        register(0..<500, &tracker)
        finish((0..<500 as Range<Int64>).shuffled(using: &generator), &tracker)
        expect(tracker.commit(), CommittedOffset(offset: 500))
    }
}

@Suite("Cancels that are read ahead") struct LookAheadTests {
    private func item(_ request: Identifier, _ step: Int = 4) -> WorkItem {
        WorkItem(WorkAddress(request: request, step: step, intent: "Book", phase: .handle))
    }

    private func cancel(_ request: Identifier, _ step: Int = 4) -> WorkCancel {
        WorkCancel(item(request, step).address)
    }

    @Test func `are remembered for work of the same and earlier steps, until the group's reading reaches them`() {
        var ahead = LookAhead()
        ahead.remember(cancel("r"), session: "s", partition: 0, offset: 90)
        for (step, isCancelled) in [(3, true), (4, true), (5, false)] {
            #expect((ahead.cancel(of: item("r", step), session: "s") != nil) == isCancelled)
        }
        #expect(ahead.cancel(of: item("r"), session: "t") == nil)
        let wasKnown = ahead.reached(cancel("r"), session: "s", offset: 90)
        #expect(wasKnown && ahead.isEmpty)
        let isKnown = ahead.reached(cancel("r"), session: "s", offset: 91)
        #expect(!isKnown)
    }

    @Test func `of a session or a request that only looks equal are not known`() {
        var ahead = LookAhead()
        ahead.remember(cancel("\u{E9}"), session: "K", partition: 0, offset: 90)
        #expect(ahead.cancel(of: item("e\u{301}"), session: "K") == nil)
        #expect(ahead.cancel(of: item("\u{E9}"), session: "\u{212A}") == nil)
        #expect(ahead.cancel(of: item("\u{E9}"), session: "K") != nil)
    }

    @Test func `are not read again in the next pause`() {
        var ahead = LookAhead()
        ahead.begin()
        for offset in 10..<20 as Range<Int64> { ahead.passed(0, offset) }
        ahead.end()
        #expect([ahead.start(0, next: 15), ahead.start(0, next: 25), ahead.start(1, next: 3)] == [20, 25, 3])
    }

    @Test func `beyond the bound are not remembered, and the next pause reads them again`() {
        var ahead = LookAhead()
        ahead.begin()
        for offset in 0...Int64(LookAhead.maximumCancels) {
            ahead.passed(0, offset)
            ahead.remember(cancel("r\(offset)", 1), session: "s", partition: 0, offset: offset)
        }
        ahead.passed(0, 5_000)
        #expect(ahead.start(0, next: 7) == 7)
        #expect(ahead.cancel(of: item("r\(LookAhead.maximumCancels)", 1), session: "s") == nil)
        ahead.end()
        ahead.begin()
        ahead.passed(0, 6_000)
        #expect(ahead.start(0, next: 7) == 6_001)
    }
}
