import DevBroker
import Foundation
import RDKafkaLog
import RecordLog
import Testing

/// Each test has its own broker, whose requests the test counts.
@Suite("An idle client hardly polls, and waits for no record", .tags(.broker)) struct QuietTests {
    private static let patient = ["fetch.wait.max.ms": "120000", "socket.timeout.ms": "300000"]
    private let kafka: KafkaScene
    private var broker: DevelopmentBroker { kafka.broker }

    init() throws { kafka = try KafkaScene(topics: ["t": 1, "two": 2, "four": 4]) }

    private func fetchWaits(_ client: any LogClient) async throws {
        try await client.poll("a fetch that waits") { _ in broker.waitingFetches == 1 }
    }

    @Test func `an idle member sends at most ten fetches a second`() async throws {
        let client = try await kafka.join("four")
        try await fetchWaits(client)
        let (fetches, heartbeats) = (broker.count(of: .fetch), broker.count(of: .heartbeat))
        let started = ContinuousClock.now
        try await client.poll("three heartbeats") { _ in broker.count(of: .heartbeat) >= heartbeats + 3 }
        let sent = broker.count(of: .fetch) - fetches
        let most = (ContinuousClock.now - started) / .milliseconds(100) + 1
        #expect(Double(sent) <= most, "\(sent) fetches")
    }

    @Test func `a record ends the wait of a fetch`() async throws {
        let client = try await kafka.join("t", Self.patient)
        for value in 0..<5 {
            try await fetchWaits(client)
            try client.send(record(value), token: 0)
            // The deadline of this `poll` is a sixth of the fetch's wait.
            try await client.poll("the record") { $0.records.map(\.value) == [[UInt8(value)]] }
        }
        #expect(broker.count(of: .fetch) <= 6)
    }

    @Test func `the range of a partition is known while a fetch of its client waits`() async throws {
        let client = try await kafka.join("t", Self.patient)
        try await client.write([record()])
        try await fetchWaits(client)
        #expect(try client.range(of: t0) == 0..<1)
    }

    #if os(Linux)
        @Test func `librdkafka's main threads, and no others, may sleep a millisecond longer`() async throws {
            let client = try await kafka.join()
            // Other tests start threads meanwhile.
            try await eventually("the slack of all threads") {
                let slack = try Self.slack()
                return slack.main == [1_100_000] && slack.broker == [50_000]
            }
            try client.close(timeout: .seconds(5))
        }

        /// The timer slack of librdkafka's threads in this process, in nanoseconds. A thread may end meanwhile.
        private static func slack() throws -> (main: Set<Int>, broker: Set<Int>) {
            var (main, broker): (Set<Int>, Set<Int>) = ([], [])
            for thread in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task") {
                guard let name = try? String(contentsOfFile: "/proc/self/task/\(thread)/comm", encoding: .utf8),
                    let text = try? String(contentsOfFile: "/proc/\(thread)/timerslack_ns", encoding: .utf8),
                    let value = Int(text.trimmingCharacters(in: .whitespacesAndNewlines))
                else { continue }
                if name.hasPrefix("rdk:main") { main.insert(value) }
                if name.hasPrefix("rdk:broker") { broker.insert(value) }
            }
            return (main, broker)
        }
    #endif

    @Test func `a static member that starts again gets its partitions, and the others notice nothing`() async throws {
        func connect(_ name: String) throws -> any LogClient {
            try kafka.connect(name, ["group.instance.id": name], subscribing: "two")
        }
        let (first, second) = (try connect("first"), try connect("second"))
        try await shareAll([first, second])
        try second.close(timeout: .seconds(5))
        let again = try connect("second")
        var events: [LogEvent] = []
        try await eventually("its partition") {
            events += try first.poll(maximum: 100, timeout: .milliseconds(10))
            return try again.serve() == 1
        }
        let heartbeats = broker.count(of: .heartbeat)
        try await eventually("further heartbeats of both") {
            events += try first.poll(maximum: 100, timeout: .milliseconds(10))
            _ = try again.poll(maximum: 100, timeout: .milliseconds(10))
            return broker.count(of: .heartbeat) >= heartbeats + 4
        }
        #expect(events.revoked.isEmpty && events.assigned.isEmpty)
    }
}
