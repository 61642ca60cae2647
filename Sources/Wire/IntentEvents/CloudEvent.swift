import Conversation
import IntentModel
import RecordLog

/// A record read as a CloudEvent 1.0 (Kafka binding, binary or structured), or as bare JSON. Its data has been checked and bounded.
struct CloudEvent: Sendable {
    /// `nil` where neither a header nor a member says it, and if it is no type of ours.
    private(set) var type: EventType?
    /// The name of a type that is not ours.
    private(set) var otherType: String?
    private var idHeader: RecordHeader?
    private var idMember: String?
    var trace: TraceContext?
    /// `nil` if the sender is not authenticated, or in bare JSON without headers.
    var principal: Principal?
    /// The claims of the principal: a JSON object.
    private var claims: String?
    /// Whether its sender has marked it as an agent's.
    private(set) var isFromAgent = false
    var data: JSONView

    /// The header that marks what an agent says.
    static let speaker = "intents-speaker"
    static let agent = Bytes("agent".utf8)

    /// How many headers a record may have, and how many bytes their names and values.
    static let maximumHeaders = 64
    static let maximumHeaderBytes = 16_384

    /// - Throws: ``EventError`` if the value is absent, too large, too deep, or not a JSON object in UTF-8, or if there are too many headers.
    init(_ record: ConsumedRecord, limits: JSONLimits = .event) throws(EventError) {
        guard let value = record.value else {
            throw EventError(
                .unparseable, "a tombstone is no event: send a JSON object as the value", isDeadLetter: true)
        }
        let headerBytes = record.headers.reduce(0) { $0 + $1.name.utf8.count + ($1.value?.count ?? 0) }
        guard record.headers.count <= Self.maximumHeaders, headerBytes <= Self.maximumHeaderBytes else {
            throw EventError(
                .complex,
                "the record has \(record.headers.count) headers with \(headerBytes) bytes; \(Self.maximumHeaders) headers and \(Self.maximumHeaderBytes) bytes are allowed",
                field: "headers", isDeadLetter: true)
        }
        let view: JSONView
        do { view = try JSONView(parsing: value, limits: limits) } catch {
            throw EncryptedValue.problem(record) ?? EventError(error)
        }
        guard view.kind == .object else {
            throw EventError(.unparseable, "the value must be a JSON object", isDeadLetter: true)
        }
        var contentType: Bytes?
        var parent: String?
        var state: String?
        var (authType, authID): (String?, String?)
        for header in record.headers {
            // The lengths tell most names apart at once.
            switch (header.name.utf8.count, header.name) {
            case (5, "ce_id"): idHeader = header
            case (7, "ce_type"):
                type = header.value.flatMap { EventType(utf8: $0) }
                otherType = type == nil ? header.text : nil
            case (12, "content-type"): contentType = header.value
            case (11, "ce_authtype"): authType = header.text ?? ""
            case (9, "ce_authid"): authID = header.text ?? ""
            case (13, "ce_authclaims"): claims = header.text ?? ""
            case (11, "traceparent"): parent = header.text
            case (10, "tracestate"): state = header.text
            case (Self.speaker.utf8.count, Self.speaker): isFromAgent = header.value == Self.agent
            default: break
            }
        }
        trace = TraceContext(read: parent, state)
        if authType != nil || authID != nil { principal = try Principal(authType, authID) }
        if let contentType, Self.isStructured(contentType) {
            data = view
            try readStructured(view)
        } else {
            data = view
            if !hasType { if Self.isStructured(view) { try readStructured(view) } else { readBare(view) } }
        }
    }

    private mutating func readStructured(_ view: JSONView) throws(EventError) {
        var content: JSONView?
        var parent: String?
        var state: String?
        var (authType, authID): (String?, String?)
        for (name, value) in view.fields {
            switch name {
            case "id": idMember = value.string
            case "type": setType(value.string)
            case "traceparent": parent = value.string
            case "tracestate": state = value.string
            case "data": content = value
            case "authtype": authType = value.string ?? ""
            case "authid": authID = value.string ?? ""
            case "authclaims": claims = value.string ?? ""
            default: break
            }
        }
        guard hasType, let content, content.kind == .object else {
            throw EventError(
                .unparseable, "a structured CloudEvent needs 'type' and a 'data' object", field: "data",
                isDeadLetter: true)
        }
        data = content
        if authType != nil || authID != nil { principal = try Principal(authType, authID) }
        if parent != nil { trace = TraceContext(read: parent, state) }
    }

    private mutating func readBare(_ view: JSONView) {
        for (name, value) in view.fields {
            switch name {
            case "id": idMember = idHeader?.text ?? idMember ?? value.string
            case "type": setType(value.string)
            default: break
            }
        }
    }

    /// `nil` in bare JSON without an `id`.
    var id: String? { idMember ?? idHeader?.text }

    /// The longest claims, in bytes.
    static let maximumClaimBytes = 12_288

    /// The roles of the principal, as a list of names or as words in a text. Other claims, and names that can't be those of
    /// roles, are passed over.
    ///
    /// - Throws: ``EventError`` if the claims can't be read, or if there are too many roles: an approver must not count as
    ///   a stranger.
    func roles() throws(EventError) -> [Identifier] {
        guard let claims, principal != nil else { return [] }
        guard claims.utf8.count <= Self.maximumClaimBytes, let view = try? JSONView(parsing: Array(claims.utf8)),
            view.kind == .object
        else {
            throw .invalid(
                "'authclaims' is a JSON object of at most \(Self.maximumClaimBytes) bytes", "authclaims")
        }
        guard let roles = view["roles"] else { return [] }
        let words = roles.string.map { $0.split(separator: " ").map { Identifier(String($0)) } }
        let names = (words ?? roles.elements.compactMap(\.identifier)).filter(Approver.isRole)
        guard names.count <= Approver.maximumRoles else {
            throw .invalid("'roles' in 'authclaims' has more than \(Approver.maximumRoles) names", "authclaims")
        }
        return names
    }

    /// Whether a header or a member says the type.
    var hasType: Bool { type != nil || otherType != nil }

    /// As it was said; empty if it was not.
    var typeName: String { type?.rawValue ?? otherType ?? "" }

    private mutating func setType(_ name: String?) {
        type = name.flatMap(EventType.init)
        otherType = type == nil ? name : nil
    }

    /// Whether bare JSON is a structured CloudEvent whose sender has left out the content type.
    private static func isStructured(_ view: JSONView) -> Bool {
        view["specversion"] != nil && view["data"]?.kind == .object
    }

    private static func isStructured(_ contentType: Bytes) -> Bool {
        let prefix = "application/cloudevents".utf8
        guard contentType.count >= prefix.count else { return false }
        return zip(contentType, prefix).allSatisfy { ($0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0) == $1 }
    }
}

extension TraceContext {
    /// The trace context of an event, which travels with all that follows from it. As the W3C recommendation has it, a parent that can't be one is passed over, and so is
    /// a state that is too long: 512 characters have to be passed on.
    init?(read parent: String?, _ state: String?) {
        func isText(_ text: String, _ most: Int) -> Bool {
            text.utf8.count <= most && text.utf8.allSatisfy { 0x20..<0x7F ~= $0 }
        }
        guard let parent, isText(parent, 128) else { return nil }
        self.init(parent: parent, state: state.flatMap { isText($0, 512) ? $0 : nil })
    }
}

extension Principal {
    /// Reads CloudEvents' auth context. Half of one is refused, so that it does not pass for none.
    ///
    /// - Returns: `nil` for a sender who is not authenticated.
    fileprivate init?(_ type: String?, _ id: String?) throws(EventError) {
        if type == "unauthenticated" || type == "unknown" { return nil }
        guard let kind = type.flatMap(Kind.init) else {
            let kinds = (Kind.allCases.map(\.rawValue) + ["unauthenticated", "unknown"]).joined(separator: ", ")
            throw .invalid("'authtype' is one of \(kinds)", "authtype")
        }
        self.init(kind, Identifier(id ?? ""))
        if !isValid {
            throw .invalid(
                "'authid' says who the \(kind.rawValue) is, in 1 to 256 bytes without control characters", "authid")
        }
    }
}
