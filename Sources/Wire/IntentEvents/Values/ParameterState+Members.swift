import Conversation
package import IntentModel

extension ParameterState: MemberObject {
    package static var blank: ParameterState { ParameterState(name: "", value: nil) }
    package static var shape: ContractShape? { .parameterState }

    /// The members of a parameter in work, whose name is that of the object.
    package mutating func members<Coder: MemberCoder & ~Copyable>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.optional("value", &value, "Its value.")
        try coder.required(
            "state", &origin,
            "How the value came about. given: not resolved yet. chosen: among options. confirmed: accepted by the person."
        )
        try coder.optional("elements", &elements, "For a list: the state of each element.")
        try coder.flag("secret", &isSecret, "Only workers may see the value.")
        // Workers need to know what is doubtful. The rest is for audit, and is in completions.
        var doubt = hasProvenance && (Coder.isReading || provenance?.confidence != nil) ? provenance : nil
        try coder.optional("provenance", &doubt, "What the value was made of, if it is doubtful.")
        if Coder.isReading, hasProvenance || doubt != nil { provenance = doubt }
    }
}

/// Parameters by their names, in their own order.
package struct ParameterStates: MemberValue {
    package var states: [ParameterState]

    package static var schema: ContractSchema { .map(of: ParameterState.schema) }

    package func encode(to writer: inout JSONWriter) {
        writer.beginObject()
        for var state in states {
            writer.name(named: state.name)
            state.encode(to: &writer)
        }
        writer.endObject()
    }

    package static func read(_ cursor: inout JSONCursor) throws(OutcomeError) -> ParameterStates? {
        guard cursor.kind == .object else { return nil }
        var states: [ParameterState] = []
        states.reserveCapacity(8)
        try cursor.object { name, value throws(OutcomeError) in
            states.append(ParameterState(name: name.string, value: nil))
            _ = try states[states.count - 1].readMembers(&value)
        }
        return ParameterStates(states: states)
    }
}

extension MemberCoder where Self: ~Copyable {
    /// Parameters by their names.
    package mutating func states(
        _ name: StaticString, _ states: inout [ParameterState], _ about: @autoclosure () -> String
    ) throws(Failure) {
        // The array is moved there and back.
        var moved = ParameterStates(states: [])
        swap(&moved.states, &states)
        try required(name, &moved, about())
        swap(&moved.states, &states)
    }
}

extension SaidAnswer: MemberObject {
    package static var blank: SaidAnswer { SaidAnswer("") }
    package static var shape: ContractShape? { .saidAnswer }

    package mutating func members<Coder: MemberCoder & ~Copyable>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.required("words", &words, "The words, of 1 to 500 characters.")
        try coder.optional("language", &language, "Their language, if it is not that of the request.")
        try coder.optional(
            "parameter", &parameter,
            "What the person was asked for. Left out if they were asked to agree to the intent.")
        try coder.optional("element", &element, "The element of its list that they were asked for.")
        try coder.optional("offered", &offered, unless: [], "The values that they were asked about, at most 10.")
        try coder.flag("alone", &isForParameterAlone, "The words may change no other parameter.")
        guard Coder.isReading else { return }
        self = SaidAnswer(
            String(words.prefix(Utterance.lengths.upperBound)), in: language, parameter: parameter, element: element,
            offered: offered, isForParameterAlone: isForParameterAlone)
    }
}

extension PhaseAnswer: MemberObject {
    package static var blank: PhaseAnswer { PhaseAnswer(question: "", isAccepted: false) }
    package static var shape: ContractShape? { .phaseAnswer }

    package mutating func members<Coder: MemberCoder & ~Copyable>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.required("question", &question, "The id of the question.")
        try coder.required("accepted", &isAccepted, "Whether the person said yes.")
        try coder.optional("value", &value, "What they said.")
    }
}

extension Principal: MemberObject {
    package static var blank: Principal { Principal(.apiKey, "") }
    package static var shape: ContractShape? { .principal }

    package mutating func members<Coder: MemberCoder & ~Copyable>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.required("type", &kind, "As in authtype.")
        try coder.required("id", &id, "As in authid.")
    }
}

/// The members of a parameter in words.
extension PromptParameter: MemberObject {
    package static var blank: PromptParameter { PromptParameter(name: "") }
    package static var shape: ContractShape? { .shownParameter }

    package mutating func members<Coder: MemberCoder & ~Copyable>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.required("parameter", &name, "Its name.")
        try coder.optional("title", &title, "Its name for people.")
        try coder.optional("text", &text, "The value in words.")
    }
}

extension ParameterOption: MemberObject {
    package static var blank: ParameterOption { ParameterOption(id: "", title: "", value: .null) }
    package static var shape: ContractShape? { .item }
    /// The schema of options of which the person chooses one.
    package static var choices: ContractSchema { .list(of: schema, atLeast: 2) }

    package mutating func members<Coder: MemberCoder & ~Copyable>(_ coder: inout Coder) throws(Coder.Failure) {
        try shownMembers(&coder)
        try coder.required("value", &value, "The value if this one is chosen.")
    }

    /// The members of an option that is shown, without its value.
    package mutating func shownMembers<Coder: MemberCoder & ~Copyable>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.required("id", &id, "The id by which an answer names it; unique among the options.")
        try coder.required("title", &title, "Its name for people.")
        try coder.optional("subtitle", &subtitle, "A line below it.")
        try coder.optional("synonyms", &synonyms, unless: [], "Other names for it.")
        try coder.optional("section", &section, "The title of the section that it is in.")
        try coder.optional("image", &image, "A picture.")
        try coder.optional(
            "comparison", &comparison,
            "Numbers by which it is compared with the others, in words such as 'the cheaper one'.")
    }
}

extension OptionComparison: MemberObject {
    package static var blank: OptionComparison { OptionComparison() }

    package mutating func members<Coder: MemberCoder & ~Copyable>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.optional(
            "price", &price, as: .number, "For cheaper and more expensive; one currency for all options.")
        try coder.optional("time", &time, as: .number, "For earlier and later.")
        try coder.optional("distance", &distance, as: .number, "For nearer and farther.")
        try coder.optional("duration", &duration, as: .number, "For quicker and slower.")
        try coder.optional("size", &size, as: .number, "For smaller and bigger.")
    }

    package mutating func finishReading(isWhole: Bool) -> Bool {
        self = OptionComparison(price: price, time: time, distance: distance, duration: duration, size: size)
        return self != OptionComparison()
    }
}

extension DisplayImage: MemberValue {
    package static var schema: ContractSchema { .shape(.image) }
    package func encode(to writer: inout JSONWriter) { writer.value(json) }
    package static func read(_ cursor: inout JSONCursor) -> DisplayImage? { DisplayImage(cursor.json().view) }
}

extension ParameterState.Provenance: MemberObject {
    package static var blank: Self { Self() }
    package static var shape: ContractShape? { .provenance }

    /// Readers ignore a source that this version does not know, and leave out words that are too long.
    package mutating func members<Coder: MemberCoder & ~Copyable>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.optional(
            "source", &source,
            """
            Where a value comes from that the person did not give. default: the declaration. attribute: of the request. \
            resolver: its own choice. proposed: by confirm or handle, and accepted.
            """)
        var (intent, time) = (intent, time)
        try coder.optional(
            "intent", &intent, "With a value that is remembered for the person: the intent that it was said for.")
        try coder.optional("time", &time, as: .time, "With such a value: when it was said.")
        try coder.optional("original", &original, "The words as the person said them.")
        try coder.optional(
            "interpreted", &interpreted, "What the words were read as, if the resolver replaced that.")
        try coder.optional(
            "confidence", &confidence, as: .number(Self.confidences), "How likely the value is what the person means.")
        guard Coder.isReading else { return }
        let isShort = intent.map { $0.utf8.count <= 128 } ?? true
        recordMemory(intent: isShort ? intent : nil, time: time.flatMap { Timestamp.parse($0).map(Timestamp.format) })
        (original, interpreted) = (Self.short(original), Self.short(interpreted))
        confidence = confidence.map { min(max($0, Self.confidences.lowerBound), Self.confidences.upperBound) }
    }

    package mutating func finishReading(isWhole: Bool) -> Bool { !isEmpty }

    package static let confidences = 0.0...1

    private static func short(_ value: JSON?) -> JSON? { value.flatMap { $0.bytes.count <= maximumBytes ? $0 : nil } }
}
