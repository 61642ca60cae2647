import Conversation
import Foundation
import IntentEvents
import IntentModel
import PipelineTestKit
import RecordLog

extension FaultCase {
    /// Invalid records on every topic. A new owner must then read the journal with them.
    static let poison: [FaultCase] = {
        let written = Recorder<(Poison, Delivery)>()
        return [
            FaultCase(name: "poison records on every topic", repeats: (1, 5)) { scene in
                for number in 0..<scene.repeats {
                    try await scene.progress(40)
                    // The newest sessions have open requests.
                    let live = "day-\((scene.person.endedRequests + 10) / 2)"
                    let poison = Poison.all(scene.topics, number: number, live: live)
                    let deliveries = try await scene.write(poison.map(\.record))
                    for pair in zip(poison, deliveries) { written.record(pair) }
                    try await scene.progress(40)
                    scene.fleet.signal("coordinator-1", SIGKILL)
                    try await scene.fleet.allJoined()
                }
                try await scene.progress(20)
                let topics = scene.topics.all.count
                return ["\(written.all.count) records on \(topics) topics, each time the coordinator killed after it"]
            } judge: { scene in
                try await judge(written.all, scene)
            },
            FaultCase(
                name: "oversize and compressed poison records", repeats: (1, 4), takesLargeRecords: true
            ) { scene in
                var count = 0
                for number in 0..<scene.repeats {
                    for (codec, poison) in Poison.large(scene.topics, number: number, isQuick: !FaultRun.isFull) {
                        let properties = ["compression.type": codec, "message.max.bytes": "12000000"]
                        guard let delivery = try await scene.write([poison.record], properties).first else { continue }
                        try await scene.progress(5)
                        // The development broker retains few letters of this size.
                        try await deadLetter(of: place(delivery), scene)
                        count += 1
                    }
                    try await scene.progress(20)
                }
                return [
                    "\(count) records of up to 8 MB, half of them compressed to less than 10 kB; a dead letter of each"
                ]
            },
        ]
    }()

    /// Checks that each record had its effect.
    private static func judge(_ written: [(Poison, Delivery)], _ scene: FaultScene) async throws -> [String] {
        let letters = Set(try await scene.read(scene.topics.deadLetters).compactMap(deadLetterPlace))
        let rejections = Set(
            try await scene.read(scene.topics.results).compactMap { record -> String? in
                guard let result = try? ReceivedResult(record), result.type == .rejected else { return nil }
                return result.data["event"]?.string
            })
        for (poison, delivery) in written {
            let place = place(delivery)
            let id = poison.record.headers.first { $0.name == "ce_id" }?.text ?? place.replacing(" ", with: "-")
            let bytes = poison.record.value.map { "\($0.count) bytes" } ?? "no value"
            switch poison.fate {
            case .deadLetter where !letters.contains(place): throw Broken("no dead letter for \(place): \(bytes)")
            case .rejected where !rejections.contains(id): throw Broken("no rejection of \(id): \(bytes)")
            case .passedOver where letters.contains(place): throw Broken("a dead letter for \(place): \(bytes)")
            case .deadLetter, .rejected, .passedOver: break
            }
        }
        let rejected = written.count { $0.0.fate == .rejected }
        return ["dead letters \(letters.count), rejected \(rejected)"]
    }

    private static func place(_ delivery: Delivery) -> String {
        "\(delivery.topic) \(delivery.partition) \(delivery.offset ?? -1)"
    }

    /// Waits until there is a dead letter of the record at this place.
    private static func deadLetter(of place: String, _ scene: FaultScene) async throws {
        let deadline = ContinuousClock.now.advanced(by: .seconds(60))
        while !(try await scene.read(scene.topics.deadLetters).contains { deadLetterPlace($0) == place }) {
            guard ContinuousClock.now < deadline else { throw Broken("no dead letter for \(place)") }
        }
    }

    private static func deadLetterPlace(_ record: ConsumedRecord) -> String? {
        func text(_ name: String) -> String? { record.headers.last { $0.name == name }?.text }
        guard let topic = text("intents-error-topic"), let partition = text("intents-error-partition"),
            let offset = text("intents-error-offset")
        else { return nil }
        return "\(topic) \(partition) \(offset)"
    }
}

/// An invalid record, and its expected effect.
struct Poison: Sendable {
    enum Fate: Sendable {
        /// The record is copied to the dead letters, with its topic, partition and offset.
        case deadLetter
        /// The sender gets a rejection with the reason.
        case rejected
        /// The record has no effect.
        case passedOver
    }

    var record: Record
    var fate: Fate

    /// Returns one record of each kind on every topic.
    ///
    /// - Parameters:
    ///   - number: The number of the set, which distinguishes its sessions from those of another set.
    ///   - live: A session with an open request.
    static func all(_ topics: Topics, number: Int, live: String) -> [Poison] {
        let make = Maker(number: number)
        return requests(topics, make) + work(topics, make) + outcomes(topics, make, live) + journal(topics, make, live)
            + [topics.results, topics.deadLetters].flatMap { topic in
                [
                    make(topic, .passedOver, "\u{0}garbage"), make(topic, .passedOver, nil),
                    make(topic, .passedOver, "{}", key: .absent),
                    make(topic, .passedOver, #"{"session":"nobody"}"#, type: "intent.completed.v1"),
                ]
            }
    }

    /// Returns records that are larger than a process or a dead letter may hold, each with the codec of its writer.
    static func large(_ topics: Topics, number: Int, isQuick: Bool) -> [(codec: String, poison: Poison)] {
        let make = Maker(number: 1_000 + number)
        let inputs = [
            (topics.requests, "intent.requested.v1"), (topics.resolve, "intent.resolve.v1"),
            (topics.confirm, "intent.confirm.v1"), (topics.handle, "intent.handle.v1"),
            (topics.outcomes, "intent.handled.v1"),
        ]
        // A dead letter holds 2,000,000 bytes, and a worker sends 1,000,000 by default.
        let sizes = [("none", 900_000), ("none", 2_200_000), ("gzip", 1_500_000), ("gzip", 8_000_000)]
        return inputs.flatMap { topic, type in
            sizes.filter { !isQuick || $1 > 2_000_000 }.map { codec, size in
                (codec, make(topic, .deadLetter, "{\(String(repeating: " ", count: size))", type: type))
            }
        }
    }

    private static func requests(_ topics: Topics, _ make: Maker) -> [Poison] {
        let topic = topics.requests
        let deep = String(repeating: "[", count: 40) + String(repeating: "]", count: 40)
        let members = (0..<1_100).map { "\"k\($0)\":0" }.joined(separator: ",")
        let values: [String?] = [
            "not JSON", nil, "", "[1]", "{\"intent\":\"X\",\"deep\":\(deep)}", "{\(members)}",
            "{\"intent\":\"\(String(repeating: "x", count: 70_000))\"}", #"{"type":"nonsense"}"#,
        ]
        let keys: [Maker.Key] = [
            .absent, .text("$fence/9/x"), .bytes([0xC3, 0x28]), .bytes(Bytes(repeating: 0x61, count: 129)),
        ]
        let rejected: [(String, String?)] = [
            (#"{"intent":5}"#, nil), (#"{"intent":"X","parameters":7}"#, nil),
            (#"{"intent":"X","whenBusy":"never"}"#, nil), (#"{"intent":"X","deadline":"soon"}"#, nil),
            (#"{"intent":"X","phases":["handle"]}"#, nil),
            (#"{"prompt":"none.1","action":"accept"}"#, "prompt.answered.v1"),
            (#"{"prompt":"none.1","action":"explode"}"#, "prompt.answered.v1"),
            (#"{"parameter":"ride","value":1}"#, "parameter.corrected.v1"),
            (#"{"handoff":"none","claimant":"me"}"#, "handoff.claimed.v1"),
        ]
        var all = values.map { make(topic, .deadLetter, $0) }
        all += keys.map { make(topic, .deadLetter, #"{"intent":"X"}"#, key: $0) }
        all += ["intent.requested.v2", "intent.resolve.v1"].map { make(topic, .deadLetter, "{}", type: $0) }
        all.append(make(topic, .deadLetter, bytes: [0x7B, 0xFF, 0xFE, 0x7D]))
        return all + rejected.map { make(topic, .rejected, $0.0, type: $0.1) }
    }

    private static func work(_ topics: Topics, _ make: Maker) -> [Poison] {
        let phases = [
            (topics.resolve, "intent.resolve.v1"), (topics.confirm, "intent.confirm.v1"),
            (topics.handle, "intent.handle.v1"), (topics.handleInApp, "intent.handle.v1"),
        ]
        let unasked =
            #"{"request":"nobody","step":1,"intent":"RequestRide","attempt":1,"parameters":{},"idempotencyKey":"k"}"#
        return phases.flatMap { topic, type in
            [
                make(topic, .deadLetter, "not JSON", type: type), make(topic, .deadLetter, nil, type: type),
                make(topic, .deadLetter, "{}", type: type), make(topic, .deadLetter, unasked, type: type, key: .absent),
                make(topic, .deadLetter, unasked, type: "nonsense"),
                make(topic, .deadLetter, unasked, type: "intent.completed.v1"),
                // Valid work that no coordinator dispatched: the worker does it, and the outcome has no effect.
                make(topic, .passedOver, unasked, type: type),
            ]
        }
    }

    private static func outcomes(_ topics: Topics, _ make: Maker, _ live: String) -> [Poison] {
        let topic = topics.outcomes
        let stale = #"{"request":"nobody","step":1,"code":"success"}"#
        return [
            make(topic, .deadLetter, "not JSON", type: "intent.handled.v1"),
            make(topic, .deadLetter, nil, type: "intent.handled.v1"),
            make(topic, .deadLetter, stale, type: "nonsense"),
            make(topic, .deadLetter, stale, type: "intent.handled.v1", key: .absent),
            make(topic, .deadLetter, #"{"request":"r","step":1}"#, type: "intent.handled.v1"),
            make(topic, .deadLetter, #"{"request":"r","step":1,"resolutions":7}"#, type: "intent.resolved.v1"),
            make(topic, .passedOver, stale, type: "intent.handled.v1"),
            make(topic, .passedOver, stale, type: "intent.handled.v1", key: .text(live)),
        ]
    }

    /// Returns invalid records of the journal. Only the owner writes to the journal: records of other writers, or of a
    /// former owner, are void, and the owner appends the covered records again.
    private static func journal(_ topics: Topics, _ make: Maker, _ live: String) -> [Poison] {
        let topic = topics.sessions
        let stamp = JournalStamp(
            epoch: 0, owner: "poison", number: 1, requests: 1 << 40, outcomes: 1 << 40, settled: 1 << 40,
            results: 1 << 40)
        let stamped = [RecordHeader("intents-journal", stamp.description)]
        return [
            make(topic, .passedOver, "not JSON"), make(topic, .passedOver, nil, key: .text(live)),
            make(topic, .passedOver, "{}", key: .absent),
            make(topic, .passedOver, "{}", headers: [RecordHeader("intents-journal", "epoch=x")]),
            make(topic, .passedOver, "not JSON", headers: stamped),
            make(topic, .passedOver, nil, key: .text(live), headers: stamped),
            make(topic, .passedOver, "{}", key: .text("$positions"), headers: stamped),
            make(topic, .passedOver, "{}", key: .text("$fence/0/poison"), headers: stamped),
        ]
    }
}

/// Makes invalid records with unique keys and ids.
private final class Maker {
    private let number: Int
    private var count = 0

    enum Key {
        /// A unique session.
        case own
        case absent
        case bytes(Bytes)

        static func text(_ text: String) -> Key { .bytes(Bytes(text.utf8)) }
    }

    init(number: Int) { self.number = number }

    func callAsFunction(
        _ topic: String, _ fate: Poison.Fate, _ value: String?, type: String? = nil, key: Key = .own,
        headers: [RecordHeader] = []
    ) -> Poison {
        self(topic, fate, bytes: value.map { Bytes($0.utf8) }, type: type, key: key, headers: headers)
    }

    func callAsFunction(
        _ topic: String, _ fate: Poison.Fate, bytes: Bytes?, type: String? = nil, key: Key = .own,
        headers: [RecordHeader] = []
    ) -> Poison {
        count += 1
        var headers = headers
        if let type { headers += [RecordHeader("ce_type", type), RecordHeader("ce_id", "poison-\(number)-\(count)")] }
        let bytesOfKey: Bytes? =
            switch key {
            case .own: Bytes("poison-\(number)-\(count)".utf8)
            case .absent: nil
            case .bytes(let bytes): bytes
            }
        return Poison(record: Record(topic: topic, key: bytesOfKey, value: bytes, headers: headers), fate: fate)
    }
}
