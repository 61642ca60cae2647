import Conversation
import PipelineTestKit
import RecordLog
import Testing

@testable import Pipeline

@Suite("Records on their way out")
struct OutboundTests {
    private let clock = ManualClock()
    private let client: SendingClient

    init() throws {
        let log = InMemoryLog { [clock] in clock.now.milliseconds }
        client = SendingClient(try log.connect(ClientConfiguration(clientID: "sender")), clock)
    }

    /// An ``Outbound`` that sends records at once, up to 1,000 a second.
    private func outbound() -> Outbound { Outbound(client, rate: 1_000) { [clock] in clock.now } }

    /// Sends records one millisecond after the previous call.
    private func send(_ count: Int, _ outbound: inout Outbound) throws {
        clock.advance(by: .milliseconds(1))
        for _ in 0..<count { outbound.send(Record(topic: "t", key: nil, value: [1]), token: 0) }
        try outbound.flush()
    }

    @Test("go out at once while they are few")
    func few() throws {
        var outbound = outbound()
        for number in 1...200 {
            try send(1, &outbound)
            #expect(client.sent == number)
        }
    }

    @Test("go out in batches, at most 5 ms late, while they are many")
    func many() throws {
        var outbound = outbound()
        for _ in 0..<100 { try send(5, &outbound) }
        let times = client.times.suffix(10)
        let gaps = zip(times, times.dropFirst()).map { $1 - $0 }
        #expect(gaps == Array(repeating: 5, count: 9))
    }

    @Test("are sent at once again after many, when a pause has come")
    func pause() throws {
        var outbound = outbound()
        for _ in 0..<100 { try send(5, &outbound) }
        try outbound.flush(isUrgent: true)
        clock.advance(by: .milliseconds(100))
        for _ in 0..<10 {
            let before = client.sent
            try send(1, &outbound)
            #expect(client.sent == before + 1)
        }
    }

    @Test("say how long nothing else may be waited for")
    func delay() throws {
        var outbound = outbound()
        #expect(outbound.delay(at: clock.now) == nil)
        for _ in 0..<100 { try send(5, &outbound) }
        try outbound.flush(isUrgent: true)
        try send(2, &outbound)
        #expect(outbound.backlog == 2)
        #expect(outbound.delay(at: clock.now) == .milliseconds(4))
    }

    @Test("don't wait for a clock that went back")
    func clockGoesBack() throws {
        var outbound = outbound()
        for _ in 0..<100 { try send(5, &outbound) }
        clock.advance(by: .seconds(-3_600))
        let before = client.sent
        try send(5, &outbound)
        #expect(client.sent > before)
        #expect(outbound.backlog == 0)
    }

    @Test("wait in order for room in the client, which is asked again after a millisecond")
    func queueFull() throws {
        var outbound = outbound()
        client.room = 2
        for token in 1...4 as ClosedRange<UInt64> {
            outbound.send(Record(topic: "t", key: nil, value: [1]), token: token)
        }
        let hasSent = try outbound.flush()
        #expect(hasSent)
        #expect(client.tokens == [1, 2])
        #expect(outbound.backlog == 2)
        #expect(outbound.delay(at: clock.now) == .milliseconds(1))
        client.room = 10
        clock.advance(by: .milliseconds(1))
        try outbound.flush()
        #expect(client.tokens == [1, 2, 3, 4])
        #expect(outbound.backlog == 0)
    }

    private func send(_ count: Int, to partition: Int32, _ outbound: inout Outbound) throws {
        for _ in 0..<count {
            outbound.send(Record(topic: "t", partition: partition, key: nil, value: [1]), token: UInt64(partition))
        }
        try outbound.flush(isUrgent: true)
    }

    @Test("of a partition that takes none use up its share of the client, and those of others go on")
    func share() throws {
        var outbound = outbound()
        try send(5_000, to: 0, &outbound)
        #expect(client.sent == 1_024)
        #expect(outbound.delay(at: clock.now) == nil)
        try send(10, to: 1, &outbound)
        #expect(client.sent == 1_034)
        outbound.delivered(Delivery(token: 0, topic: "t", partition: 0, offset: 0))
        try outbound.flush(isUrgent: true)
        #expect(client.sent == 1_035)
        #expect(outbound.count(of: TopicPartition("t", 0)) == 4_999)
    }

    @Test("are dropped by their tokens, but for those that the client has")
    func drop() throws {
        var outbound = outbound()
        try send(2_000, to: 0, &outbound)
        try send(3, to: 1, &outbound)
        outbound.drop { $0 == 0 }
        #expect(outbound.backlog == 0)
        #expect(outbound.count(of: TopicPartition("t", 0)) == 1_024)
        #expect(outbound.bytes == 1_027)
        for _ in 0..<1_024 { outbound.delivered(Delivery(token: 0, topic: "t", partition: 0, offset: 0)) }
        try send(1, to: 0, &outbound)
        #expect(client.sent == 1_028)
    }

    @Test(
        "are known to be stuck after 5 s in which their partition takes none, and those that the client does not have can be taken back"
    )
    func stuck() throws {
        var outbound = outbound()
        let (away, there) = (TopicPartition("t", 0), TopicPartition("t", 1))
        try send(2_000, to: 0, &outbound)
        for second in 0...5 {
            try send(1, to: 1, &outbound)
            #expect(outbound.findStuck(at: clock.now) == (second < 5 ? [] : [away]))
            outbound.delivered(Delivery(token: 0, topic: "t", partition: 1, offset: 0))
            clock.advance(by: .seconds(1))
        }
        #expect(outbound.isStuck(away))
        #expect(!outbound.isStuck(there))
        #expect(outbound.takeBack(away).count == 2_000 - 1_024)
        #expect(outbound.backlog == 0)
        outbound.delivered(Delivery(token: 0, topic: "t", partition: 0, offset: 0))
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
