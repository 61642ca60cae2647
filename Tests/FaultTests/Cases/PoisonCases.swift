import Conversation
import Foundation
import IntentEvents
import IntentModel
import RecordLog

extension FaultCase {
    /// Invalid records on every topic. A new owner must then read the journal with them.
    static let poison: [FaultCase] = [
        FaultCase(name: "poison records on every topic", repeats: (1, 5)) { scene in
            let reader = try HostileReader(scene)
            defer { reader.end() }
            var written: [HostileWriter.Written] = []
            for number in 0..<scene.repeats {
                try await scene.progress(40)
                // The newest sessions have open requests.
                let live = "day-\((scene.person.endedRequests + 10) / 2)"
                let poison = Poison.all(scene.topics, number: number, live: live)
                let deliveries = try await scene.write(poison.map(\.record))
                written += zip(poison, deliveries).map { $0.written($1) }
                try await scene.progress(40)
                scene.fleet.signal("coordinator-1", SIGKILL)
                try await scene.fleet.allJoined()
            }
            try await scene.progress(20)
            let topics = scene.topics.all.count
            let done = "\(written.count) records on \(topics) topics, each time the coordinator killed after it"
            return [done] + (try await reader.judge(written))
        },
        FaultCase(name: "oversize and compressed poison records", repeats: (1, 4), takesLargeRecords: true) { scene in
            let reader = try HostileReader(scene)
            defer { reader.end() }
            var written: [HostileWriter.Written] = []
            for number in 0..<scene.repeats {
                for (codec, poison) in Poison.large(scene.topics, number: number, isQuick: !FaultRun.isFull) {
                    let properties = ["compression.type": codec, "message.max.bytes": "12000000"]
                    guard let delivery = try await scene.write([poison.record], properties).first else { continue }
                    written.append(poison.written(delivery))
                    try await scene.progress(5)
                }
                try await scene.progress(20)
            }
            let done = "\(written.count) records of up to 8 MB, half of them compressed to less than 10 kB"
            return [done] + (try await reader.judge(written))
        },
    ]
}

/// An invalid record, and its expected effect.
struct Poison: Sendable {
    /// The key of records that get a session of their own.
    private static let ownKey = Bytes("own".utf8)

    private(set) var record: Record
    private var fate: HostileFate

    private init(
        _ topic: String, _ fate: HostileFate, _ value: String?, type: String? = nil, key: Bytes? = Poison.ownKey,
        headers: [RecordHeader] = []
    ) {
        let types = type.map { [RecordHeader("ce_type", $0)] } ?? []
        record = Record(topic: topic, key: key, value: value.map { Bytes($0.utf8) }, headers: headers + types)
        self.fate = fate
    }

    /// Returns the record as it is in the log.
    func written(_ delivery: Delivery) -> HostileWriter.Written {
        let place = "\(delivery.topic) \(delivery.partition) \(delivery.offset ?? -1)"
        var fate = fate
        if case .rejected = fate {
            let session = Identifier(String(decoding: record.key ?? [], as: UTF8.self))
            let id = record.headers.first { $0.name == "ce_id" }?.text ?? place.replacing(" ", with: "-")
            fate = .rejected(HostileFate.key(session, Identifier(id)))
        }
        return HostileWriter.Written(kind: "\(record.value?.count ?? 0) bytes", fate: fate, place: place)
    }

    /// Returns the records with unique sessions and ids.
    private static func numbered(_ all: [Poison], _ number: Int) -> [Poison] {
        all.enumerated().map { index, poison in
            let id = "poison-\(number)-\(index)"
            var poison = poison
            if poison.record.key == ownKey { poison.record.key = Bytes(id.utf8) }
            let hasType = poison.record.headers.contains { $0.name == "ce_type" }
            if hasType { poison.record.headers.append(RecordHeader("ce_id", id)) }
            return poison
        }
    }

    /// Returns one record of each kind on every topic.
    ///
    /// - Parameters:
    ///   - number: The number of the set, which distinguishes its sessions from those of another set.
    ///   - live: A session with an open request.
    static func all(_ topics: Topics, number: Int, live: String) -> [Poison] {
        let live = Bytes(live.utf8)
        let others = [topics.results, topics.deadLetters].flatMap { topic in
            [
                Poison(topic, .passedOver, "\u{0}garbage"), Poison(topic, .passedOver, nil),
                Poison(topic, .passedOver, "{}", key: nil),
                Poison(topic, .passedOver, #"{"session":"nobody"}"#, type: "intent.completed.v1"),
            ]
        }
        let inputs = requests(topics.requests) + work(topics) + outcomes(topics.outcomes, live)
        return numbered(inputs + journal(topics.sessions, live) + others, number)
    }

    /// Returns records that are larger than a process or a dead letter may hold, each with the codec of its writer.
    static func large(_ topics: Topics, number: Int, isQuick: Bool) -> [(String, Poison)] {
        let inputs = [
            (topics.requests, "intent.requested.v1"), (topics.resolve, "intent.resolve.v1"),
            (topics.confirm, "intent.confirm.v1"), (topics.handle, "intent.handle.v1"),
            (topics.outcomes, "intent.handled.v1"),
        ]
        // A dead letter holds 2,000,000 bytes, and a worker sends 1,000,000 by default.
        let sizes = [("none", 900_000), ("none", 2_200_000), ("gzip", 1_500_000), ("gzip", 8_000_000)]
            .filter { !isQuick || $1 > 2_000_000 }
        let records = inputs.flatMap { topic, type in
            sizes.map { Poison(topic, .deadLetter, "{\(String(repeating: " ", count: $1))", type: type) }
        }
        let codecs = inputs.flatMap { _ in sizes.map(\.0) }
        return Array(zip(codecs, numbered(records, 1_000 + number)))
    }

    private static func requests(_ topic: String) -> [Poison] {
        let deep = String(repeating: "[", count: 40) + String(repeating: "]", count: 40)
        let members = (0..<1_100).map { "\"k\($0)\":0" }.joined(separator: ",")
        let values: [String?] = [
            "not JSON", nil, "", "[1]", "{\"intent\":\"X\",\"deep\":\(deep)}", "{\(members)}",
            "{\"intent\":\"\(String(repeating: "x", count: 70_000))\"}", #"{"type":"nonsense"}"#,
        ]
        let keys: [Bytes?] = [nil, Bytes("$fence/9/x".utf8), [0xC3, 0x28], Bytes(repeating: 0x61, count: 129)]
        let rejected: [(String, String?)] = [
            (#"{"intent":5}"#, nil), (#"{"intent":"X","parameters":7}"#, nil),
            (#"{"intent":"X","whenBusy":"never"}"#, nil), (#"{"intent":"X","deadline":"soon"}"#, nil),
            (#"{"intent":"X","phases":["handle"]}"#, nil),
            (#"{"prompt":"none.1","action":"accept"}"#, "prompt.answered.v1"),
            (#"{"prompt":"none.1","action":"explode"}"#, "prompt.answered.v1"),
            (#"{"parameter":"ride","value":1}"#, "parameter.corrected.v1"),
            (#"{"handoff":"none","claimant":"me"}"#, "handoff.claimed.v1"),
        ]
        var all = values.map { Poison(topic, .deadLetter, $0) }
        all += keys.map { Poison(topic, .deadLetter, #"{"intent":"X"}"#, key: $0) }
        all += ["intent.requested.v2", "intent.resolve.v1"].map { Poison(topic, .deadLetter, "{}", type: $0) }
        var invalid = Poison(topic, .deadLetter, "")
        invalid.record.value = [0x7B, 0xFF, 0xFE, 0x7D]
        return all + [invalid] + rejected.map { Poison(topic, .rejected(""), $0.0, type: $0.1) }
    }

    private static func work(_ topics: Topics) -> [Poison] {
        let phases = [
            (topics.resolve, "intent.resolve.v1"), (topics.confirm, "intent.confirm.v1"),
            (topics.handle, "intent.handle.v1"), (topics.handleInApp, "intent.handle.v1"),
        ]
        let unasked =
            #"{"request":"nobody","step":1,"intent":"RequestRide","attempt":1,"parameters":{},"idempotencyKey":"k"}"#
        return phases.flatMap { topic, type in
            [
                Poison(topic, .deadLetter, "not JSON", type: type), Poison(topic, .deadLetter, nil, type: type),
                Poison(topic, .deadLetter, "{}", type: type), Poison(topic, .deadLetter, unasked, type: type, key: nil),
                Poison(topic, .deadLetter, unasked, type: "nonsense"),
                Poison(topic, .deadLetter, unasked, type: "intent.completed.v1"),
                // Valid work that no coordinator dispatched: the worker does it, and the outcome has no effect.
                Poison(topic, .passedOver, unasked, type: type),
            ]
        }
    }

    private static func outcomes(_ topic: String, _ live: Bytes) -> [Poison] {
        let stale = #"{"request":"nobody","step":1,"code":"success"}"#
        return [
            Poison(topic, .deadLetter, "not JSON", type: "intent.handled.v1"),
            Poison(topic, .deadLetter, nil, type: "intent.handled.v1"),
            Poison(topic, .deadLetter, stale, type: "nonsense"),
            Poison(topic, .deadLetter, stale, type: "intent.handled.v1", key: nil),
            Poison(topic, .deadLetter, #"{"request":"r","step":1}"#, type: "intent.handled.v1"),
            Poison(topic, .deadLetter, #"{"request":"r","step":1,"resolutions":7}"#, type: "intent.resolved.v1"),
            Poison(topic, .passedOver, stale, type: "intent.handled.v1"),
            Poison(topic, .passedOver, stale, type: "intent.handled.v1", key: live),
        ]
    }

    /// Returns invalid records of the journal. Only the owner writes to the journal: records of other writers, or of a
    /// former owner, are void, and the owner appends the covered records again.
    private static func journal(_ topic: String, _ live: Bytes) -> [Poison] {
        let stamp = JournalStamp(
            epoch: 0, owner: "poison", number: 1, requests: 1 << 40, outcomes: 1 << 40, settled: 1 << 40,
            results: 1 << 40)
        let stamped = [RecordHeader("intents-journal", stamp.description)]
        return [
            Poison(topic, .passedOver, "not JSON"), Poison(topic, .passedOver, nil, key: live),
            Poison(topic, .passedOver, "{}", key: nil),
            Poison(topic, .passedOver, "{}", headers: [RecordHeader("intents-journal", "epoch=x")]),
            Poison(topic, .passedOver, "not JSON", headers: stamped),
            Poison(topic, .passedOver, nil, key: live, headers: stamped),
            Poison(topic, .passedOver, "{}", key: Bytes("$positions".utf8), headers: stamped),
            Poison(topic, .passedOver, "{}", key: Bytes("$fence/0/poison".utf8), headers: stamped),
        ]
    }
}
