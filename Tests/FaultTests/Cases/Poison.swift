import Conversation
import IntentEvents
import IntentModel
import RecordLog

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
            (topics.confirm, "intent.confirm.v1"),
            (topics.handle, "intent.handle.v1"), (topics.outcomes, "intent.handled.v1"),
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
        let keys = (0..<1_100).map { "\"k\($0)\":0" }.joined(separator: ",")
        return [
            make(topic, .deadLetter, "not JSON"), make(topic, .deadLetter, bytes: [0x7B, 0xFF, 0xFE, 0x7D]),
            make(topic, .deadLetter, nil),
            make(topic, .deadLetter, ""), make(topic, .deadLetter, "[1]"),
            make(topic, .deadLetter, "{\"intent\":\"X\",\"deep\":\(deep)}"),
            make(topic, .deadLetter, "{\(keys)}"),
            make(topic, .deadLetter, "{\"intent\":\"\(String(repeating: "x", count: 70_000))\"}"),
            make(topic, .deadLetter, #"{"intent":"X"}"#, key: .absent),
            make(topic, .deadLetter, #"{"intent":"X"}"#, key: .text("$fence/9/x")),
            make(topic, .deadLetter, #"{"intent":"X"}"#, key: .bytes([0xC3, 0x28])),
            make(topic, .deadLetter, #"{"intent":"X"}"#, key: .bytes(Bytes(repeating: 0x61, count: 129))),
            make(topic, .deadLetter, #"{"type":"nonsense"}"#),
            make(topic, .deadLetter, "{}", type: "intent.requested.v2"),
            make(topic, .deadLetter, "{}", type: "intent.resolve.v1"),
            make(topic, .rejected, #"{"intent":5}"#), make(topic, .rejected, #"{"intent":"X","parameters":7}"#),
            make(topic, .rejected, #"{"intent":"X","whenBusy":"never"}"#),
            make(topic, .rejected, #"{"intent":"X","deadline":"soon"}"#),
            make(topic, .rejected, #"{"intent":"X","phases":["handle"]}"#),
            make(topic, .rejected, #"{"prompt":"none.1","action":"accept"}"#, type: "prompt.answered.v1"),
            make(topic, .rejected, #"{"prompt":"none.1","action":"explode"}"#, type: "prompt.answered.v1"),
            make(topic, .rejected, #"{"parameter":"ride","value":1}"#, type: "parameter.corrected.v1"),
            make(topic, .rejected, #"{"handoff":"none","claimant":"me"}"#, type: "handoff.claimed.v1"),
        ]
    }

    private static func work(_ topics: Topics, _ make: Maker) -> [Poison] {
        let phases = [
            (topics.resolve, "intent.resolve.v1"), (topics.confirm, "intent.confirm.v1"),
            (topics.handle, "intent.handle.v1"),
            (topics.handleInApp, "intent.handle.v1"),
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
