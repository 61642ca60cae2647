import DevBroker
import Foundation
import RDKafkaLog
import RecordLog
import Testing

/// Each test has its own broker, whose requests the test counts.
@Suite("An idle client hardly polls, and waits for no record", .tags(.broker))
struct QuietTests {
    private static let place = TopicPartition("t", 0)

    private func record(_ value: UInt8) -> Record { Record(topic: "t", partition: 0, key: nil, value: [value]) }

    @Test("an idle member sends at most ten fetches a second")
    func idle() async throws {
        let broker = try DevelopmentBroker(topics: ["t": 4])
        let client = try Support.log(on: broker).connect(ClientConfiguration(clientID: "idle", group: ("g", ["t"])))
        try await client.join()
        try await client.poll("the first fetch") { _ in broker.waitingFetches == 1 }
        let (fetches, heartbeats, started) = (
            broker.count(of: .fetch), broker.count(of: .heartbeat), ContinuousClock.now
        )
        try await client.poll("three heartbeats") { _ in broker.count(of: .heartbeat) >= heartbeats + 3 }
        let sent = broker.count(of: .fetch) - fetches
        let most = (ContinuousClock.now - started) / .milliseconds(100) + 1
        #expect(Double(sent) <= most, "\(sent) fetches")
        try client.close(timeout: .seconds(5))
    }

    @Test("a record ends the wait of a fetch")
    func wakes() async throws {
        let broker = try DevelopmentBroker(topics: ["t": 1])
        let patient = ["fetch.wait.max.ms": "120000", "socket.timeout.ms": "300000"]
        let client = try Support.log(patient, on: broker).connect(
            ClientConfiguration(clientID: "patient", group: ("g", ["t"])))
        try await client.join()
        for value in UInt8(0)..<5 {
            try await client.poll("a fetch that waits") { _ in broker.waitingFetches == 1 }
            try client.send(record(value), token: 0)
            // The deadline of this `poll` is a sixth of the fetch's wait.
            try await client.poll("the record") { $0.records.map(\.value) == [[value]] }
        }
        #expect(broker.count(of: .fetch) <= 6)
        try client.close(timeout: .seconds(5))
    }

    @Test("the range of a partition is told while a fetch of the same client waits")
    func range() async throws {
        let broker = try DevelopmentBroker(topics: ["t": 1])
        let patient = ["fetch.wait.max.ms": "120000", "socket.timeout.ms": "300000"]
        let client = try Support.log(patient, on: broker).connect(
            ClientConfiguration(clientID: "patient", group: ("g", ["t"])))
        try await client.join()
        try await client.write([record(0)])
        try await client.poll("a fetch that waits") { _ in broker.waitingFetches == 1 }
        #expect(try client.range(of: Self.place) == 0..<1)
        try client.close(timeout: .seconds(5))
    }

    #if os(Linux)
        @Test(
            "librdkafka's main threads may sleep a millisecond longer, so that they don't spin, and its other threads not"
        )
        func slack() async throws {
            let broker = try DevelopmentBroker(topics: ["t": 1])
            let client = try Support.log(on: broker).connect(
                ClientConfiguration(clientID: "slack", group: ("g", ["t"])))
            try await client.join()
            // Other tests start threads meanwhile.
            try await Support.eventually("the slack of all threads", within: .seconds(20)) {
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

    @Test("a static member that starts again takes its partitions back, and the others notice nothing")
    func staticMember() async throws {
        let broker = try DevelopmentBroker(topics: ["t": 2])
        func connect(_ name: String) throws -> any LogClient {
            try Support.log(["group.instance.id": name], on: broker).connect(
                ClientConfiguration(clientID: name, group: ("g", ["t"])))
        }
        let (first, second) = (try connect("first"), try connect("second"))
        try await Support.eventually("a partition for each", within: .seconds(20)) {
            try [first, second].map { try Self.serve($0) }.allSatisfy { $0 == 1 }
        }
        try second.close(timeout: .seconds(5))
        let again = try connect("second")
        var events: [LogEvent] = []
        try await Support.eventually("its partition", within: .seconds(20)) {
            events += try first.poll(maximum: 100, timeout: .milliseconds(10))
            return try Self.serve(again) == 1
        }
        let heartbeats = broker.count(of: .heartbeat)
        try await Support.eventually("further heartbeats of both", within: .seconds(20)) {
            events += try first.poll(maximum: 100, timeout: .milliseconds(10))
            _ = try again.poll(maximum: 100, timeout: .milliseconds(10))
            return broker.count(of: .heartbeat) >= heartbeats + 4
        }
        #expect(events.revoked.isEmpty && events.assigned.isEmpty)
        for client in [first, again] { try client.close(timeout: .seconds(5)) }
    }

    /// Polls once, and answers the group.
    ///
    /// - Returns: The number of assigned partitions; 0 if there was no assignment.
    private static func serve(_ client: any LogClient) throws -> Int {
        var owned = 0
        for event in try client.poll(maximum: 100, timeout: .milliseconds(10)) {
            if case .assigned(let partitions) = event {
                owned = partitions.count
                try client.assign([:])
            } else if case .revoked = event {
                try client.release()
            }
        }
        return owned
    }
}
