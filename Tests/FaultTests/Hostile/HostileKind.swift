import Foundation
import IntentEvents
import IntentModel
import PipelineTestKit
import RecordLog

/// A kind of hostile record: an event, the topic that it is written to, and its flaw.
struct HostileKind: Sendable {
    /// The flaw of a hostile record.
    enum Flaw: Sendable {
        /// Only the topic is wrong.
        case none
        case value(place: [Int], Int)
        case member(place: [Int], Int)
        case header(Int, Int)
        case secondHeader(Int, Int)
        case headers(Int)
        case whole(Int)
        case structured(Int)
        case key(Int)
        case time(Int)
        /// The record is in a partition other than that of its key.
        case partition
        /// The record is about a session with an open request, to which the writer is no party.
        case live(step: Int)

        /// The number of kinds of this class among a hundred kinds of a topic.
        var weight: Int {
            switch self {
            case .live: 5
            case .header, .secondHeader: 12
            case .none, .headers, .whole, .structured, .key, .time, .partition: 25
            case .value, .member: 58
            }
        }
    }

    var seed: HostileSeed
    /// The topic without its prefix.
    var topic: String
    var flaw: Flaw

    var name: String {
        let what: String =
            switch flaw {
            case .none: "as it is"
            case .value(let place, let edit): "\(seed.tree.name(of: place)) = \(HostileEdits.values[edit].name)"
            case .member(let place, let edit): "\(seed.tree.name(of: place)) \(HostileEdits.members[edit].name)"
            case .header(let header, let edit):
                "header \(HostileEdits.headerNames[header]) = \(HostileEdits.headers[edit].name)"
            case .secondHeader(let header, let edit):
                "second header \(HostileEdits.headerNames[header]) = \(HostileEdits.headers[edit].name)"
            case .headers(let edit): HostileEdits.floods[edit].name
            case .whole(let edit): "value \(HostileEdits.wholes[edit].name)"
            case .structured(let edit): "structured, value \(HostileEdits.wholes[edit].name)"
            case .key(let edit): "key \(HostileEdits.keys[edit].name)"
            case .time(let edit): "timestamp \(HostileEdits.times[edit])"
            case .partition: "in another partition"
            case .live(let step): "about step \(step) of an open request"
            }
        return "\(topic): \(seed.name): \(what)"
    }

    /// Returns all kinds that one event makes on a topic.
    static func all(_ seed: HostileSeed, on topic: String) -> [HostileKind] {
        // An event of another topic is hostile as it is.
        if !seed.topics.contains(topic) { return [HostileKind(seed: seed, topic: topic, flaw: .none)] }
        var flaws: [Flaw] = [.partition]
        for place in seed.tree.places {
            flaws +=
                HostileEdits.values.indices.map { .value(place: place, $0) }
                + HostileEdits.members.indices.map { .member(place: place, $0) }
        }
        for header in HostileEdits.headerNames.indices {
            flaws += HostileEdits.headers.indices.flatMap {
                [.header(header, $0), .secondHeader(header, $0)] as [Flaw]
            }
        }
        flaws +=
            HostileEdits.floods.indices.map { .headers($0) }
            + HostileEdits.wholes.indices.flatMap { [.whole($0), .structured($0)] as [Flaw] }
        flaws += HostileEdits.keys.indices.map { .key($0) } + HostileEdits.times.indices.map { .time($0) }
        if topic == "outcomes" { flaws += (1...12).map { .live(step: $0) } }
        // Only requests are accepted on this topic, so no session changes.
        if topic == "requests", !seed.isRequest { flaws.append(.live(step: 0)) }
        return flaws.map { HostileKind(seed: seed, topic: topic, flaw: $0) }
    }

    /// Returns a selection of all kinds, in random order. Each topic and each class of flaws has its share.
    static func selection(_ count: Int, seed: UInt64) throws -> (kinds: [HostileKind], of: Int) {
        let seeds = try HostileSeed.all()
        var random = SeededRandom(seed: seed)
        var selected: [HostileKind] = []
        var all = 0
        for (topic, share) in shares {
            let kinds = seeds.flatMap { HostileKind.all($0, on: topic) }
            all += kinds.count
            let most = max(1, count * share / shares.reduce(0) { $0 + $1.share })
            let classes = Dictionary(grouping: kinds.shuffled(using: &random), by: \.flaw.weight).sorted {
                $0.key < $1.key
            }
            let small = classes.flatMap { weight, kinds in kinds.prefix(most * weight / 100) }
            // If a class has too few kinds, the topic's class with the largest weight fills the share.
            let rest =
                classes.last.map { weight, kinds in kinds.dropFirst(most * weight / 100).prefix(most - small.count) }
                ?? []
            selected += small + rest
        }
        return (selected.shuffled(using: &random), all)
    }

    /// The topics, and the share of each in the records. The journal's share is small, because only a program with a
    /// coordinator's stolen credentials can write to the journal.
    private static let shares: [(topic: String, share: Int)] = [
        ("requests", 16), ("answers", 16), ("outcomes", 16), ("resolve", 10), ("confirm", 10), ("handle", 10),
        ("handle-in-app", 10),
        ("results", 6), ("dead-letters", 4), ("sessions", 2),
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
            key: Bytes(Self.key(id, in: home, of: place.partitions).utf8),
            value: seed.isTombstone ? nil : seed.tree.bytes,
            headers: seed.headers.map { RecordHeader($0.name, $0.name == "ce_id" ? id : $0.value) })
        func set(_ name: String, _ value: Bytes?) {
            record.headers.removeAll { $0.name == name }
            record.headers.append(RecordHeader(name, value))
        }
        switch flaw {
        case .none, .partition: break
        case .value(let place, let edit):
            record.value = seed.tree.editing(place) { $0[$1].value = .raw(HostileEdits.values[edit].value) }.bytes
        case .member(let place, let edit):
            record.value = seed.tree.editing(place, HostileEdits.members[edit].value).bytes
        case .header(let header, let edit): set(HostileEdits.headerNames[header], HostileEdits.headers[edit].value)
        case .secondHeader(let header, let edit):
            record.headers.insert(
                RecordHeader(HostileEdits.headerNames[header], HostileEdits.headers[edit].value), at: 0)
        case .headers(let edit): record.headers = HostileEdits.floods[edit].value(record.headers)
        case .whole(let edit): record.value = HostileEdits.wholes[edit].value(seed.tree.bytes)
        case .structured(let edit):
            record.value = HostileEdits.wholes[edit].value(seed.tree.bytes)
            set("content-type", Bytes("application/cloudevents+json".utf8))
        case .key(let edit): record.key = HostileEdits.keys[edit].value
        case .time(let edit): record.timestamp = HostileEdits.times[edit]
        case .live(let step):
            guard let live = place.live else { break }
            record.key = Bytes(live.session.utf8)
            record.value = seed.tree.about(live.request.text, step: step).bytes
        }
        return record
    }

    /// Returns a session's id that belongs to this partition.
    static func key(_ text: String, in partition: Int32, of partitions: Int32) -> String {
        var salt = 0
        while Murmur2.partition(of: Bytes("\(text)-\(salt)".utf8), count: partitions) != partition { salt += 1 }
        return "\(text)-\(salt)"
    }
}

extension HostileTree {
    /// Returns the event about another request and step.
    fileprivate func about(_ request: String, step: Int) -> HostileTree {
        guard case .object(let members) = self else { return self }
        // An outcome of an odd step has no ticket. Other outcomes have a ticket of other work.
        return .object(
            members.filter { $0.name != "ticket" || step % 2 == 0 }.map { member in
                switch member.name {
                case "request": Member(name: "request", value: .raw(JSON.string(request).bytes))
                case "step": Member(name: "step", value: .raw(Bytes("\(step)".utf8)))
                case "prompt": Member(name: "prompt", value: .raw(JSON.string("\(request).\(step)").bytes))
                default: member
                }
            })
    }
}
