package import Conversation
import DequeModule
import IntentEvents
package import IntentModel

/// The sessions that a viewer asks a gateway for, and the page of them.
package struct SessionQuery: Sendable {
    /// A text that the session must contain, in upper or lower case; at most 200 bytes.
    package var search = ""
    package var state: FollowedSession.State?
    /// How one of the session's requests must have ended: one of ``outcomes``.
    package var outcome: String?
    /// The intent of one of the session's requests: of the one with the ``outcome``, if both are given.
    package var intent: Identifier?
    /// The id of the principal that owns the session. Only viewers of all sessions may ask for a principal.
    package var principal: Identifier?
    /// The beginning and the end of the time in which the session, or its request of this ``intent``, must have been
    /// active, or its ``outcome`` must have come.
    package var from: Instant?
    package var until: Instant?
    /// The shortest time for which the session must have waited, in seconds.
    package var waits: Int?
    /// The cursor of the previous page.
    package var after: UInt64?
    /// The maximum number of sessions of the page; 1 to 200.
    package var limit = 50

    package init() {}

    /// The statuses of completions, and `rejected`.
    package static let outcomes = Completion.Status.allCases.map(\.rawValue) + ["rejected"]
    package static let names = [
        "search", "state", "outcome", "intent", "principal", "from", "until", "waits", "after", "limit",
    ]

    /// Reads the query of a URL.
    ///
    /// - Throws: ``GatewayProblem`` that names the first value that can't be read, or the name that is none.
    package init(_ members: [(name: String, value: String)]) throws(GatewayProblem) {
        for (name, value) in members {
            guard Self.names.contains(name) else {
                throw GatewayProblem(
                    .invalid, "'\(name.prefix(64))' is none of \(Self.names.joined(separator: ", "))",
                    field: String(name.prefix(64)))
            }
            guard value.utf8.count <= (name == "search" ? 200 : 256) else {
                throw GatewayProblem(.invalid, "'\(name)' is too long", field: name)
            }
            try read(name, value)
        }
    }

    private mutating func read(_ name: String, _ value: String) throws(GatewayProblem) {
        func fits<Value>(_ read: Value?, _ rule: String) throws(GatewayProblem) -> Value {
            guard let read else { throw GatewayProblem(.invalid, "'\(name)' is \(rule)", field: name) }
            return read
        }
        switch name {
        case "search": search = value
        case "state":
            let states = FollowedSession.State.allCases.map(\.rawValue).joined(separator: ", ")
            state = try fits(FollowedSession.State(rawValue: value), "one of \(states)")
        case "outcome":
            outcome = try fits(
                Self.outcomes.contains(value) ? value : nil, "one of \(Self.outcomes.joined(separator: ", "))")
        case "intent": intent = Identifier(value)
        case "principal": principal = Identifier(value)
        case "from": from = try fits(Instant(rfc3339: value), "a time in RFC 3339")
        case "until": until = try fits(Instant(rfc3339: value), "a time in RFC 3339")
        case "waits":
            waits = try fits(
                Int(value).flatMap { 1...31_536_000 ~= $0 ? $0 : nil }, "a number of seconds from 1 to 31536000")
        case "after": after = try fits(UInt64(value), "what 'next' of the page before has said")
        default: limit = try fits(Int(value).flatMap { 1...200 ~= $0 ? $0 : nil }, "a number from 1 to 200")
        }
    }

    /// `true` if the session fits everything but the ``search``.
    func fits(_ session: FollowedSession, at now: Instant) -> Bool {
        guard state == nil || session.state == state, principal == nil || session.person?.id == principal else {
            return false
        }
        if let waits {
            guard let since = session.waitsSince, now.milliseconds(since: since) >= Int64(waits) * 1_000 else {
                return false
            }
        }
        guard outcome != nil || intent != nil else { return isWithin(session.started, session.updated) }
        return session.requests.contains { request in
            let end = request.ended ?? session.updated
            return (intent == nil || request.intent == intent) && (outcome == nil || request.status == outcome)
                && isWithin(outcome == nil ? request.started : end, end)
        }
    }

    private func isWithin(_ start: Instant, _ end: Instant) -> Bool {
        (from.map { end >= $0 } ?? true) && (until.map { start <= $0 } ?? true)
    }
}

/// A search for a text in what a viewer may see of sessions.
struct SessionSearch {
    private let viewer: Viewer
    private let titles: [Identifier: String]
    /// The ways to write each character: in lower and in upper case, whose lengths may differ, and as it was entered.
    private let characters: [[[UInt8]]]
    /// `true` for each byte that the first character can begin with.
    private let beginnings: [Bool]
    private var left: Int

    init(_ text: String, for viewer: Viewer, titles: [Identifier: String], maximumBytes: Int = .max) {
        (self.viewer, self.titles, left) = (viewer, titles, maximumBytes)
        characters = text.map { character in
            Array(Set([character.lowercased(), character.uppercased(), String(character)])).map { Array($0.utf8) }
        }
        var beginnings = [Bool](repeating: false, count: 256)
        for bytes in characters.first ?? [] { beginnings[Int(bytes[0])] = true }
        self.beginnings = beginnings
    }

    /// `true` if no more sessions can be searched.
    var isOver: Bool { left <= 0 }

    /// `true` if the id, an owner, an intent, a title or the values of an event contain the text. A masked viewer finds
    /// no owners and no values.
    mutating func search(_ session: FollowedSession) -> Bool {
        if characters.isEmpty { return true }
        let intents = session.requests.compactMap(\.intent)
        let names = [session.id.text] + intents.map(\.text) + intents.compactMap { titles[$0] }
        if names.contains(where: isIn) { return true }
        if viewer.isMasked { return false }
        if viewer.scope == .all, let person = session.person, isIn(person.id.text) { return true }
        for event in session.events {
            left -= event.bytes
            guard let shown = viewer.view(event) else { continue }
            if isIn(shown.id.text) || isIn(shown.data) { return true }
        }
        return false
    }

    /// `true` if one of the values contains the text. Names of members are none of the session's words.
    private func isIn(_ data: JSON) -> Bool {
        let (mayBeThere, hasEscapes) = data.bytes.withUnsafeBufferPointer {
            (isIn($0), $0.contains(UInt8(ascii: "\\")))
        }
        return (mayBeThere || hasEscapes) && isIn(data.view)
    }

    private func isIn(_ value: JSONView) -> Bool {
        switch value.kind {
        case .string: isIn(value.string ?? "")
        case .number: value.json.bytes.withUnsafeBufferPointer(isIn)
        case .array: value.elements.contains(where: isIn)
        case .object: value.members.contains { isIn($0.value) }
        case .bool, .null: false
        }
    }

    private func isIn(_ text: String) -> Bool {
        var text = text
        return text.withUTF8(isIn)
    }

    private func isIn(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        beginnings.withUnsafeBufferPointer { beginnings in
            text.indices.contains { beginnings[Int(text[$0])] && isIn(text, at: $0) }
        }
    }

    private func isIn(_ text: UnsafeBufferPointer<UInt8>, at start: Int) -> Bool {
        var rest = text[start...]
        for ways in characters {
            guard let way = ways.first(where: rest.starts(with:)) else { return false }
            rest = rest.dropFirst(way.count)
        }
        return true
    }
}
