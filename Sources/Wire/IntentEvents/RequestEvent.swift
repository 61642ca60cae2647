public import Conversation
public import IntentModel
public import RecordLog

/// An event on `intents.requests` or `intents.answers`.
public struct RequestEvent: Sendable {
    public var session: Identifier
    /// The event's id; derived from topic, partition and offset where the sender gave none.
    public var id: Identifier
    public var event: SessionEvent
    public var type: EventType
    /// Who has sent it, as its channel has authenticated them.
    public var principal: Principal?
    /// With a claim: the token of the offer. Sessions never see it.
    public var token: String?
    /// With a claim: the secret of the app, which completing and returning need. Sessions see only its digest, in ``Claimant/proof``.
    public var secret: String?

    /// How many bytes the secret of a claim has.
    public static let secretLength = 16...256

    /// - Throws: ``EventError``, with the session if that could be read.
    public init(_ record: ConsumedRecord) throws(EventError) {
        let session = try SessionKey.read(record)
        try self.init(record, session, try CloudEvent(record))
    }

    /// Reads an event together with the object that it was read from, for programs that show what was said.
    ///
    /// - Throws: ``EventError``, as ``init(_:)``.
    package static func read(_ record: ConsumedRecord) throws(EventError) -> (event: RequestEvent, data: JSON) {
        let session = try SessionKey.read(record)
        let event = try CloudEvent(record)
        return (try RequestEvent(record, session, event), event.data.json)
    }

    private init(_ record: ConsumedRecord, _ session: Identifier, _ event: CloudEvent) throws(EventError) {
        self.session = session
        let id = Identifier(event.id ?? SessionKey.derivedID(record))
        self.id = id
        guard Self.isID(id.text) else {
            throw .invalid("an event id has 1 to \(EventBounds.id.upperBound) bytes, and no control characters", "id")
        }
        guard let type = event.hasType ? event.type : .requested else {
            throw .unknownType(event.typeName, "no event type")
        }
        self.type = type
        principal = event.principal
        var members = RequestMembers()
        // A member that is not known is passed over: it may be of a later version. One that is a typing error away from a
        // member that is missing would be lost without a word.
        var unknown: [String] = []
        let refusesSlips = type == .requested || type == .promptAnswered
        // Some send the prompt's own members back with an answer.
        let passed = type == .promptAnswered ? ["parameter", "options"] : []
        do {
            try event.data.readMembers(
                skipped: { name, isNull in
                    // A member of a request that is null says nothing.
                    guard refusesSlips, !isNull || type == .promptAnswered else { return }
                    let name = name.string
                    if !passed.contains(name) { unknown.append(name) }
                }
            ) { reader throws(OutcomeError) in try members.members(&reader, of: type) }
        } catch { throw .invalid(error.message, error.field) }
        if !unknown.isEmpty { try Self.refuseMisspelt(unknown, in: event.data, Contract.requestMembers(of: type)) }
        (token, secret) = (members.token, members.secret)
        self.event = try members.event(of: type, id: id, event, sent: Instant(milliseconds: record.timestamp))
    }

    /// Whether a text can be the id of an event.
    public static func isID(_ text: String) -> Bool { EventBounds.id ~= text.utf8.count && !text.hasControlCharacters }

    private static func refuseMisspelt(_ unknown: [String], in data: JSONView, _ known: [String]) throws(EventError) {
        let present = Set(data.fields.map(\.name.string))
        // Too many words are a letter away from one of three.
        let missing = known.filter { $0.utf8.count >= 4 && !present.contains($0) }
        for name in unknown where name.utf8.count >= 4 && !known.contains(name) {
            guard let meant = missing.first(where: { name.isSlip(of: $0) }) else { continue }
            throw .invalid("'\(name.prefix(64))' is not known: did you mean '\(meant)'?", String(name.prefix(64)))
        }
    }
}

extension String {
    /// Whether it is the other word with one letter too many, too few or wrong, two letters exchanged, or other capitals.
    fileprivate func isSlip(of word: String) -> Bool {
        guard abs(utf8.count - word.utf8.count) <= 1 else { return false }
        let (a, b) = (Array(lowercased().utf8), Array(word.lowercased().utf8))
        let start = zip(a, b).prefix { $0 == $1 }.count
        let end = zip(a.reversed(), b.reversed()).prefix { $0 == $1 }.count
        let (left, right) = (a.count - min(start + end, a.count), b.count - min(start + end, b.count))
        if left <= 1, right <= 1 { return true }
        return a.count == b.count && left == 2 && a[start] == b[start + 1] && a[start + 1] == b[start]
    }
}
