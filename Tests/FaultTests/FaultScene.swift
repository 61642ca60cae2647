import Conversation
import Foundation
import IntentEvents
import IntentModel
import RecordLog

@testable import IntentCommands
@testable import RDKafkaLog

/// A pipeline of real processes on a broker, with the people who use it and the tools that a fault needs.
final class FaultScene: Sendable {
    static let partitions: Int32 = 4

    let fault: FaultCase
    let broker: FaultBroker
    let topics: Topics
    let fleet: Fleet
    let person: Person
    /// A proxy between the processes and the broker, if the fault needs one.
    let proxy: TCPProxy?
    /// The clock of the processes, if the fault needs a clock other than the machine's.
    let clock: FakeClock?
    /// The number of times that the fault is repeated.
    let repeats: Int

    init(_ fault: FaultCase, repeats: Int) async throws {
        self.fault = fault
        self.repeats = repeats
        broker = try FaultBroker.make()
        topics = Topics(prefix: "faults-\(UUID().uuidString.prefix(8).lowercased())")
        try await broker.createTopics(topics, partitions: Self.partitions, takeLargeRecords: fault.takesLargeRecords)
        proxy = fault.needs.contains(.proxy) ? TCPProxy(to: broker.servers) : nil
        clock = fault.needs.contains(.fakeClock) ? try await FakeClock() : nil
        let properties = broker.properties.merging(fault.properties(broker)) { $1 }
        let shared =
            [
                "--bootstrap-servers", fault.proxied == nil ? proxy?.address ?? broker.servers : broker.servers,
                "--topic-prefix", topics.prefix, "--log-level", "warning",
            ] + properties.sorted { $0.key < $1.key }.flatMap { ["-X", "\($0.key)=\($0.value)"] }
        var special: [String: [String]] = [:]
        if let name = fault.proxied, let proxy { special[name] = ["--bootstrap-servers", proxy.address] }
        fleet = try Fleet(shared: shared, special: special, environment: clock?.environment ?? [:])
        person = try Person(
            broker.log(), topics: topics, partitions: Self.partitions,
            channel: fault.coordinator.contains("separate") ? topics.answers : nil)
    }

    /// Time limits so long that a request counts as lost, not as timed out.
    static let patient = ["--phase-timeout", "900", "--answer-timeout", "900"]

    /// Injects the fault, and counts its effects.
    static func run(_ fault: FaultCase, repeats: Int) async -> FaultRow {
        var row = FaultRow(fault: fault.name)
        if let reason = fault.needs.lazy.compactMap(\.reasonToSkip).first {
            row.skipped = reason
            return row
        }
        do {
            let scene = try await FaultScene(fault, repeats: repeats)
            await scene.play(&row)
        } catch {
            row.failures.append("\(error)")
        }
        return row
    }

    private func play(_ row: inout FaultRow) async {
        do {
            if let programs = fault.firstPrograms { fleet.use(programs) }
            try await fleet.start(fault.size, coordinator: fault.coordinator, handler: fault.handler)
            if fault.hasTravellers {
                person.play("day", Script.day(named: "day", count: fault.requestCount), fault.pace)
            }
            row.notes += try await fault.disturb(self)
        } catch {
            row.failures.append("\(error)")
        }
        person.stop()
        try? await eventually("all requests end", within: .seconds(120)) { person.openRequests == 0 }
        // A second completion would follow right after the first.
        try? await hold(.milliseconds(300))
        if row.failures.isEmpty {
            do { row.notes += try await fault.judge(self) } catch { row.failures.append("\(error)") }
        }
        person.end()
        var ledger = person.ledger
        ledger.hear(at: .now)
        row.ledger = ledger
        // With separate trust, nothing of a request is remembered before the person agrees, so the next request of its
        // session may end in another way.
        if !fault.coordinator.contains("separate") {
            row.endedOtherwise = await Endings.shared.compare(ledger, isMeasure: fault.isMeasure)
        }
        if let failure = person.failure { row.failures.append("the person's side ended: \(failure)") }
        if !fleet.deaths.isEmpty { row.notes.append("ended by themselves: \(fleet.deaths.joined(separator: ", "))") }
        await fleet.end()
        let endings = fleet.endings.filter { !Fleet.expectedEndings.contains($0.key) }.map {
            "\($0.value) with \($0.key)"
        }.sorted()
        if !endings.isEmpty, !fault.mayEndProcesses {
            row.failures.append("processes ended \(endings.joined(separator: ", "))")
        }
        if !row.isGood {
            let lost = ledger.requests.filter { $0.value.ended == nil }.keys.sorted().prefix(5)
            let log = fleet.log
            // Thousands of warnings may follow the line with the reason why a process has ended.
            let errors = log.split(separator: "\n").filter {
                $0.contains(#""level":"error""#) || $0.contains(#""level":"critical""#) || $0.contains("Fatal")
            }
            let open = lost.map(\.text).joined(separator: ", ")
            print("\(fault.name): open: \(open); topics \(topics.prefix)\n\(log.suffix(6_000))")
            print("errors, \(errors.count):\n\(errors.prefix(40).joined(separator: "\n"))")
        }
        fleet.removeFiles()
        proxy?.end()
        clock?.remove()
        broker.close()
    }

    // MARK: For faults

    /// Begins to send ride requests that lead to no prompt except their confirmation.
    @discardableResult
    func play(_ name: String, _ count: Int, _ pace: Person.Pace, session: (Int) -> String) -> [RequestFile.Line] {
        let lines = Script.plain(named: name, count: count, session: session)
        person.play(name, lines, pace)
        return lines
    }

    /// Returns the sorted durations of the requests whose ids begin with a text, from the request to its end.
    func latencies(_ prefix: String) -> [Duration] { person.ledger.latencies(prefix) }

    /// Repeats a disturbance, each time after 20 more requests, and then waits for 20 more.
    func repeatedly(_ disturb: (Int) async throws -> Void) async throws {
        for number in 0..<repeats {
            try await progress(20)
            try await disturb(number)
        }
        try await progress(20)
    }

    /// Waits until this many more requests have ended.
    func progress(_ count: Int) async throws {
        let goal = person.endedRequests + count
        try await eventually("\(count) more requests end") { person.endedRequests >= goal || person.failure != nil }
    }

    /// Waits until no request is open. No request may be sent meanwhile.
    func quiet() async throws {
        try await eventually("all requests end") { person.openRequests == 0 || person.failure != nil }
    }

    /// Writes records, and waits until they are acknowledged.
    ///
    /// - Parameter properties: The librdkafka properties of the writer.
    @discardableResult
    func write(_ records: [Record], _ properties: [String: String] = [:]) async throws -> [Delivery] {
        let client = try broker.log(properties).connect(ClientConfiguration(clientID: "writer"))
        defer { try? client.close(timeout: .seconds(5)) }
        var deliveries: [Delivery] = []
        for (token, record) in records.enumerated() { try client.send(record, token: UInt64(token)) }
        try await eventually("\(records.count) records are written") {
            for case .delivered(let delivery) in try client.poll(maximum: 1_000, timeout: .milliseconds(5)) {
                deliveries.append(delivery)
            }
            return deliveries.count >= records.count
        }
        return deliveries.sorted { $0.token < $1.token }
    }

    /// Reads all records of a topic.
    func read(_ topic: String) async throws -> [ConsumedRecord] {
        let client = try broker.log().connect(ClientConfiguration(clientID: "reader"))
        defer { try? client.close(timeout: .seconds(5)) }
        for partition in 0..<Self.partitions { try client.read(TopicPartition(topic, partition), from: .beginning) }
        var records: [ConsumedRecord] = []
        var ended: Set<Int32> = []
        try await eventually("\(topic) is read") {
            for event in try client.poll(maximum: 1_000, timeout: .milliseconds(5)) {
                switch event {
                case .read(let record): records.append(record)
                case .readEnd(let partition, _): ended.insert(partition.partition)
                default: break
                }
            }
            return ended.count == Int(Self.partitions)
        }
        return records
    }
}

extension FaultScene {
    var configuration: KafkaConfiguration {
        KafkaConfiguration(bootstrapServers: broker.servers, properties: [:]) { _, _, _ in }
    }

    /// Limits the records of a topic of a Kafka while a function runs.
    func limitRecords(of topic: String, toBytes limit: String, while body: () async throws -> Void) async throws {
        let topics = topics.specifications(partitions: Self.partitions)
        let before = topics.first { $0.name == topic }?.configuration ?? [:]
        func configure(_ settings: [String: String]) async throws {
            try await KafkaAdmin.run(configuration) { admin throws(LogError) in try admin.configure(topic, settings) }
        }
        try await configure(before.merging(["max.message.bytes": limit]) { $1 })
        try await body()
        try await configure(before)
    }

    /// Runs the tool `intents` on this scene's topics, which must end with this code.
    func tool(_ arguments: [String], endsWith code: Int32 = 0) async throws {
        let name = "intents \(arguments.joined(separator: " "))"
        let output = FileManager.default.temporaryDirectory.appendingPathComponent(
            "intents-faults-tool-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: output) }
        let program = Fleet.ownPrograms.appendingPathComponent("intents").path
        let words = [program] + arguments + ["--bootstrap-servers", broker.servers, "--topic-prefix", topics.prefix]
        let command = words.map { "'\($0)'" }.joined(separator: " ")
        let status = try await Shell.status(of: "\(command) </dev/null >'\(output.path)' 2>&1", named: name)
        // The status of a wait has the exit code in its second byte.
        if status != code << 8 {
            let text = (try? String(contentsOf: output, encoding: .utf8)) ?? ""
            throw Broken("\(name) ended with wait status \(status): \(text.suffix(500))")
        }
    }
}

/// The endings of the script's requests without a fault.
actor Endings {
    static let shared = Endings()
    private var known: [Int: String] = [:]

    /// - Parameter isMeasure: `true` if these endings are the reference for other faults.
    /// - Returns: The number of requests that ended differently.
    func compare(_ ledger: Ledger, isMeasure: Bool) -> Int {
        var others = 0
        for (id, request) in ledger.requests {
            // The ids of ``Script/day(named:count:)`` end with the number of the line.
            guard id.hasPrefix("day-"), let line = id.text.split(separator: "-").last.flatMap({ Int($0) }),
                let ending = request.ending
            else { continue }
            if let known = known[line] { others += known == ending ? 0 : 1 } else if isMeasure { known[line] = ending }
        }
        return others
    }
}
