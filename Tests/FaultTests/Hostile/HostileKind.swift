import Foundation
import IntentEvents
import IntentModel
import PipelineTestKit
import RecordLog

/// A valid event of some type, from the golden files that every version must read.
struct HostileSeed: Sendable {
    var name: String
    /// The topics, without their prefix, on which the event is valid.
    var topics: Set<String>
    var headers: [RecordHeader]
    var value: Bytes

    /// `true` if the event requests an intent.
    var isRequest: Bool { name.hasPrefix("intent.requested") || name.hasPrefix("accepted") }

    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(
        path: "../../IntentEventsTests/Golden")

    static func all() throws -> [HostileSeed] {
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        let events = try files.filter { $0.pathExtension == "json" }.sorted { $0.path < $1.path }.map { file in
            // No date has passed, so that workers begin an event that looks like work.
            let text = try String(contentsOf: file, encoding: .utf8).replacing("\"2026-", with: "\"2099-")
            return try HostileSeed(file.deletingPathExtension().lastPathComponent, text)
        }
        return try events + [HostileSeed("a session", journaled)]
    }

    private init(_ name: String, _ text: String) throws {
        self.name = name
        let view = try JSONView(parsing: Bytes(text.utf8), limits: .journal)
        let topic = String((view["topic"]?.string ?? "").dropFirst("intents.".count))
        let pairs: [Set<String>] = [["requests", "answers"], ["handle", "handle-in-app"]]
        topics = pairs.first { $0.contains(topic) } ?? [topic]
        headers = (view["headers"]?.members ?? []).map { RecordHeader($0.name, $0.value.string ?? "") }
        value = view["value"]?.json.bytes ?? Bytes("{}".utf8)
    }

    /// A session in the journal, as an owner before the first one may have written it. A record of a later epoch would
    /// take the partition over, as only a coordinator may. Therefore, only coordinators may write to the journal.
    private static let journaled = """
        {"topic":"intents.sessions",
        "headers":{"intents-journal":"epoch=0 owner=hostile number=1 requests=0 outcomes=0 settled=0 results=0"},
        "value":{"sequence":3,"updated":1793341200250,"remembered":["r1"],"once":{"r2":1793425800250},
        "active":{"stage":"resolving","step":1}}}
        """
}

/// A kind of hostile record: an event, the topic that it is written to, and its flaw.
struct HostileKind: Sendable {
    /// The flaw of a hostile record.
    enum Flaw: Sendable {
        /// Only the topic is wrong.
        case none
        case edit(HostileEdit)
        /// The record is in a partition other than that of its key.
        case partition
        /// The record is about a session with an open request, to which the writer is no party.
        case live(step: Int)
    }

    var seed: HostileSeed
    /// The topic without its prefix.
    var topic: String
    var flaw: Flaw

    var name: String {
        let what =
            switch flaw {
            case .none: "as it is"
            case .edit(let edit): edit.name
            case .partition: "in another partition"
            case .live(let step): "about step \(step) of an open request"
            }
        return "\(topic): \(seed.name): \(what)"
    }

    var isLive: Bool { if case .live = flaw { true } else { false } }

    /// Returns kinds in random order. Each topic and each class of flaws has its share.
    static func selection(_ count: Int, seed: UInt64) throws -> [HostileKind] {
        let seeds = try HostileSeed.all()
        var input = HostileInput(seed: seed)
        let sum = shares.reduce(0) { $0 + $1.value }
        var kinds: [HostileKind] = []
        for (topic, share) in shares {
            for number in 0..<max(1, count * share / sum) {
                kinds.append(random(on: topic, of: seeds, isLive: number % 20 == 0, &input))
            }
        }
        return kinds.shuffled(using: &input)
    }

    /// - Parameter isLive: `true` for a record about an open request, where the topic has such records. Only requests
    ///   are accepted on the topic of requests, so no session changes there.
    private static func random(
        on topic: String, of seeds: [HostileSeed], isLive: Bool, _ input: inout HostileInput
    ) -> HostileKind {
        let known = seeds.filter { $0.topics.contains(topic) }
        if isLive, topic == "outcomes" || topic == "requests" {
            let seed = input.pick(known.filter { topic == "outcomes" || !$0.isRequest })
            let step = topic == "outcomes" ? Int.random(in: 1...12, using: &input) : 0
            return HostileKind(seed: seed, topic: topic, flaw: .live(step: step))
        }
        // An event of another topic is hostile as it is.
        let isStrange = known.isEmpty || input.once(in: 60)
        let seed = input.pick(isStrange ? seeds.filter { !$0.topics.contains(topic) } : known)
        func kind(_ flaw: Flaw) -> HostileKind { HostileKind(seed: seed, topic: topic, flaw: flaw) }
        if isStrange { return kind(.none) }
        if input.once(in: 100) { return kind(.partition) }
        return kind(.edit(input.edit(input.pick(parts), of: Record(topic: topic, key: nil, value: seed.value))))
    }

    /// The parts of records in their proportions, in twentieths.
    private static let parts: [HostileEdit.Part] =
        Array(repeating: .value, count: 10)
        + [.member, .member, .header, .secondHeader, .headers, .whole, .whole, .structured, .key, .time]

    /// The topics, and the share of each in the records. The journal's share is small, because only a program with a
    /// coordinator's stolen credentials can write to the journal.
    private static let shares: KeyValuePairs<String, Int> = [
        "requests": 16, "answers": 16, "outcomes": 16, "resolve": 10, "confirm": 10, "handle": 10, "handle-in-app": 10,
        "results": 6, "dead-letters": 4, "sessions": 2,
    ]
}

extension HostileKind {
    /// The circumstances for which a record is made.
    struct Place {
        var topics: Topics
        var partition: Int32
        var partitions: Int32
        /// The number of the record, which distinguishes it from all other records.
        var number: Int
        /// A session with an open request, and the request.
        var live: (session: Identifier, request: Identifier)?
    }

    /// Returns a record of this kind. The record has a session and an id of its own unless these are flawed.
    func record(_ place: Place) -> Record {
        let home = if case .partition = flaw { (place.partition + 1) % place.partitions } else { place.partition }
        let id = "hostile-\(place.number)"
        var record = Record(
            topic: "\(place.topics.prefix).\(topic)", partition: place.partition,
            key: Bytes(Self.key(id, in: home, of: place.partitions).utf8), value: seed.value,
            headers: seed.headers.map { $0.name == "ce_id" ? RecordHeader("ce_id", id) : $0 })
        if case .edit(let edit) = flaw { edit.apply(&record) }
        if case .live(let step) = flaw, let live = place.live {
            record.key = Bytes(live.session.utf8)
            record.value = about(live.request.text, step: step)
        }
        return record
    }

    /// Returns the event about another request and step.
    private func about(_ request: String, step: Int) -> Bytes {
        guard var event = HostileMembers(seed.value) else { return seed.value }
        // An outcome of an odd step has no ticket. Other outcomes have a ticket of other work.
        event.members.removeAll { $0.name == "ticket" && step % 2 == 1 }
        let others = ["request": JSON.string(request), "step": .number(step), "prompt": .string("\(request).\(step)")]
        for index in event.members.indices {
            event.members[index].value = others[event.members[index].name]?.bytes ?? event.members[index].value
        }
        return event.bytes
    }

    /// Returns a session's id that belongs to this partition.
    static func key(_ text: String, in partition: Int32, of partitions: Int32) -> String {
        var salt = 0
        while Murmur2.partition(of: Bytes("\(text)-\(salt)".utf8), count: partitions) != partition { salt += 1 }
        return "\(text)-\(salt)"
    }
}
