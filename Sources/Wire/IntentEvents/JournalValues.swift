import Conversation
import IntentModel

// The values of the journal that are no objects of ours.

extension Int: JournalValue {
    func write(to writer: inout JSONWriter) { writer.number(self) }

    init(journal view: JSONView) throws(JournalFault) {
        // Nothing counts that far, and there is room to count on.
        guard let number = view.int, 0...1 << 53 ~= number else {
            throw JournalFault("is no whole number from 0 to 2^53")
        }
        self = number
    }
}

extension Double: JournalValue {
    func write(to writer: inout JSONWriter) { writer.number(self) }

    init(journal view: JSONView) throws(JournalFault) {
        guard let number = view.double else { throw JournalFault("is no number") }
        self = number
    }
}

extension Bool: JournalValue {
    func write(to writer: inout JSONWriter) { writer.bool(self) }

    init(journal view: JSONView) throws(JournalFault) {
        guard let bool = view.bool else { throw JournalFault("is neither true nor false") }
        self = bool
    }
}

extension String: JournalValue {
    func write(to writer: inout JSONWriter) { writer.string(self) }

    init(journal view: JSONView) throws(JournalFault) {
        guard let string = view.string else { throw JournalFault("is no text") }
        self = string
    }
}

extension Identifier: JournalValue {
    func write(to writer: inout JSONWriter) { writer.string(text) }

    init(journal view: JSONView) throws(JournalFault) { self.init(try String(journal: view)) }
}

extension JSON: JournalValue {
    func write(to writer: inout JSONWriter) { writer.value(self) }

    init(journal view: JSONView) { self = view.json }
}

/// In milliseconds.
extension Instant: JournalValue {
    func write(to writer: inout JSONWriter) { writer.number(Int(milliseconds)) }

    init(journal view: JSONView) throws(JournalFault) {
        guard let milliseconds = view.wholeNumber else { throw JournalFault("is no time in milliseconds") }
        self.init(milliseconds: Int64(milliseconds))
    }
}

extension Ticket: JournalValue {
    func write(to writer: inout JSONWriter) { writer.string(description) }

    init(journal view: JSONView) throws(JournalFault) {
        guard let ticket = view.string.flatMap(Ticket.init) else { throw JournalFault("is no ticket") }
        self = ticket
    }
}

extension JournalValue where Self: RawRepresentable, RawValue == String {
    func write(to writer: inout JSONWriter) { writer.string(rawValue) }

    init(journal view: JSONView) throws(JournalFault) {
        let name = try String(journal: view)
        guard let value = Self(rawValue: name) else {
            throw JournalFault("is '\(name.prefix(64))', which is not known here")
        }
        self = value
    }
}

extension StageName: JournalValue {}
extension Phase: JournalValue {}
extension Prompt.Kind: JournalValue {}
extension Handoff.Mode: JournalValue {}
extension IntentRequest.WhenBusy: JournalValue {}
extension Principal.Kind: JournalValue {}
extension CancellationReason: JournalValue {}
extension ParameterState.Origin: JournalValue {}
extension EventType: JournalValue {}
extension ParameterState.Provenance.Source: JournalValue {}
extension ResponseCode: JournalValue {}

extension Array: JournalValue where Element: JournalValue {
    func write(to writer: inout JSONWriter) {
        writer.beginArray()
        for var element in self { element.write(to: &writer) }
        writer.endArray()
    }

    init(journal view: JSONView) throws(JournalFault) {
        guard view.kind == .array else { throw JournalFault("is no list") }
        self = []
        for element in view.elements {
            do { append(try Element(journal: element)) } catch { throw error.within("\(count)") }
        }
    }
}

/// In the order of the names.
extension Dictionary: JournalValue where Key == String, Value: JournalValue {
    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        for (name, var value) in sorted(by: { $0.key < $1.key }) {
            writer.name(named: name)
            value.write(to: &writer)
        }
        writer.endObject()
    }

    init(journal view: JSONView) throws(JournalFault) {
        guard view.kind == .object else { throw JournalFault("is no object") }
        self = [:]
        for (name, value) in view.members {
            do { self[name] = try Value(journal: value) } catch { throw error.within(name) }
        }
    }
}

extension RequestIDs: JournalValue {
    func write(to writer: inout JSONWriter) { writer.value(json) }

    init(journal view: JSONView) throws(JournalFault) {
        guard view.kind == .array else { throw JournalFault("is no list") }
        guard let ids = RequestIDs(view) else {
            throw JournalFault("is no text").within("\(view.elements.firstIndex { $0.kind != .string } ?? 0)")
        }
        self = ids
    }
}

/// In its own order: the oldest goes first.
extension SessionMemory: JournalValue {
    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        for entry in entries { writer.member(named: entry.key, entry.value) }
        writer.endObject()
    }

    init(journal view: JSONView) throws(JournalFault) {
        guard view.kind == .object else { throw JournalFault("is no object") }
        self.init(view.members.map { Entry(key: $0.name, value: $0.value.json) })
    }
}

/// Parameters by their names, in their own order.
struct JournalParameters: JournalValue {
    var states: [ParameterState]

    mutating func write(to writer: inout JSONWriter) {
        writer.beginObject()
        for index in states.indices {
            writer.name(named: states[index].name)
            states[index].write(to: &writer)
        }
        writer.endObject()
    }

    init(_ states: [ParameterState]) { self.states = states }

    init(journal view: JSONView) throws(JournalFault) {
        guard view.kind == .object else { throw JournalFault("is no object") }
        states = []
        for (name, value) in view.members {
            do {
                var state = try ParameterState(journal: value)
                state.name = name
                states.append(state)
            } catch {
                throw error.within(name)
            }
        }
    }
}

extension JournalCoder where Self: ~Copyable {
    mutating func parameters(_ states: inout [ParameterState]) throws(Failure) {
        // They are moved there and back: writing a copy would copy each of them.
        var parameters = JournalParameters([])
        swap(&parameters.states, &states)
        try field("parameters", &parameters)
        swap(&parameters.states, &states)
    }

    /// Two fields of the object that it belongs to.
    mutating func trace(_ trace: inout TraceContext?) throws(Failure) {
        if trace == nil, !Self.isReading { return }
        var (parent, state) = (trace?.parent, trace?.state)
        try field("traceparent", &parent)
        try field("tracestate", &state)
        if Self.isReading { trace = parent.map { TraceContext(parent: $0, state: state) } }
    }
}

// MARK: Values that the wire has as well, in the same form

/// A value that the journal holds in the form of events.
protocol JournalMemberObject: JournalValue, MemberObject {}

extension JournalMemberObject {
    mutating func write(to writer: inout JSONWriter) { encode(to: &writer) }

    init(journal view: JSONView) throws(JournalFault) {
        guard let value = Self(view) else { throw JournalFault("lacks a member, or breaks a rule") }
        self = value
    }
}

extension UserActivity: JournalMemberObject {}
extension IntentPolicy: JournalMemberObject {}
extension ConfirmationAction: JournalMemberObject {}
extension SignIn: JournalMemberObject {}
extension Snippet: JournalMemberObject {}

extension ParameterState.Provenance: JournalMemberObject {
    // What this version does not know of it is passed over.
    init(journal view: JSONView) { self = Self(view) ?? Self() }
}

/// What a handler reported before the person was asked something about it.
extension IntentResponse: JournalValue {
    mutating func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("code", code.rawValue)
        members(&writer)
        writer.endObject()
    }

    init(journal view: JSONView) throws(JournalFault) {
        self.init(.unspecified)
        let hasCode: Bool
        do {
            hasCode = try view.readMembers { reader throws(OutcomeError) in
                try reader.required("code", &code, "")
                try members(&reader)
            }
        } catch { throw JournalFault(error.message, in: error.field) }
        if !hasCode { throw JournalFault("is missing", in: "code") }
    }
}
