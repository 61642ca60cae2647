package import IntentModel

extension ResolvedParameter: MemberValue {
    package static var schema: ContractSchema { .shape(.resolution) }

    /// The schema with its members.
    package static var shapeSchema: ContractSchema {
        let names = ContractMember.list { describer in
            var result = ResolutionMembers.all
            result.members(&describer)
        }.map(\.name)
        return ContractSchema.object(
            ContractMember.list { describer in
                var (parameter, result, offered) = (blank, ResolutionMembers.all, nil as JSON?)
                parameter.members(&describer, &result, &offered)
            }
        ).withOne(of: names)
    }

    private static var blank: ResolvedParameter { ResolvedParameter(name: "", resolution: .notRequired) }

    package mutating func encode(to writer: inout JSONWriter) {
        var result = ResolutionMembers(resolution)
        var offered = options.isEmpty ? nil : ParameterOption.json(options)
        writer.beginObject()
        members(&writer, &result, &offered)
        writer.endObject()
    }

    package static func read(_ cursor: inout JSONCursor) throws(OutcomeError) -> ResolvedParameter? {
        var parameter = blank
        try parameter.read(&cursor)
        return parameter
    }

    package static func read(_ cursor: inout JSONCursor, into values: inout [ResolvedParameter]) throws(OutcomeError) {
        // In its place: a variable that is changed and appended is copied.
        values.append(blank)
        try values[values.count - 1].read(&cursor)
    }

    private mutating func read(_ cursor: inout JSONCursor) throws(OutcomeError) {
        var result = ResolutionMembers()
        var offered: JSON?
        let isNamed = try cursor.readMembers { reader throws(OutcomeError) in try members(&reader, &result, &offered) }
        guard isNamed, let resolution = try result.resolution("resolutions") else {
            throw OutcomeError(
                "a resolution names its 'parameter' and has exactly one of the six results", "resolutions")
        }
        self.resolution = resolution
        if let offered { options = try offered.view.choices("resolutions") }
        if let declaration, declaration.view.kind != .object {
            throw OutcomeError("a 'declaration' is an object", "declaration")
        }
        if isSecret { provenance = nil }
    }

    private mutating func members<Coder: MemberCoder & ~Copyable>(
        _ coder: inout Coder, _ result: inout ResolutionMembers, _ offered: inout JSON?
    ) throws(Coder.Failure) {
        try coder.required("parameter", &name, "Its name.")
        try coder.optional("title", &title, "Its name for people.")
        try coder.optional("element", &element, "For one element of a list: which one.")
        try coder.flag("secret", &isSecret, "Only workers may see the value.")
        try coder.optional("memoryKey", &memoryKey, "The key under which the value is remembered.")
        try coder.optional(
            "memoryScope", &memoryScope, unless: .session,
            "Whether the session remembers it, or it is remembered for the person.")
        try coder.flag("none", &isNone, "The person said that they want none in particular.")
        var told = hasProvenance && (Coder.isReading || !isSecret) ? provenance : nil
        try coder.optional("provenance", &told, "How the resolver came to its value.")
        if Coder.isReading, hasProvenance || told != nil { provenance = told }
        try result.members(&coder)
        try coder.optional("options", &offered, as: ParameterOption.choices, "What there is to choose from.")
        try coder.flag("optionsOmitted", &omitsOptions, "There are more values than the options.")
        try coder.optional(
            "declaration", &declaration, as: .shape(.declaration), "What values it may have, if it is open.")
        try coder.optional("text", &text, "The value in words.")
        try coder.optional("supporting", &supportingDialog, "What is shown where the dialog is said aloud.")
    }
}

extension ParameterOption {
    package static func json(_ options: [ParameterOption]) -> JSON {
        .make { writer in
            var options = options
            options.encode(to: &writer)
        }
    }
}

extension ListElement: MemberObject {
    package static var blank: ListElement { ListElement(index: 0, list: [], origins: []) }

    package mutating func members<Coder: MemberCoder & ~Copyable>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.required("index", &index, "The index of the element in the list.")
        try coder.required("list", &list, "The whole list.")
        try coder.required("origins", &origins, "The state of each element.")
    }

    package mutating func finishReading(isWhole: Bool) throws(OutcomeError) -> Bool {
        if isWhole, list.indices.contains(index), origins.count == list.count { return true }
        throw OutcomeError(
            "an 'element' has an 'index' into its 'list', and 'origins' has one for each", "resolutions")
    }
}

/// The six results of resolving a parameter, each a member with its name. There is exactly one.
struct ResolutionMembers {
    /// The parts of a result.
    private struct Parts: MemberObject {
        var value: JSON?
        var options: JSON?
        var reason: String?
        var dialog: String?

        static var blank: Parts { Parts() }
        static var takesAnyValue: Bool { true }

        mutating func members<Coder: MemberCoder & ~Copyable>(_ coder: inout Coder) throws(Coder.Failure) {
            try coder.optional("value", &value, "")
            try coder.optional("options", &options, "")
            try coder.optional("reason", &reason, "")
            try coder.optional("dialog", &dialog, "")
        }
    }

    private enum Kind: UInt8, CaseIterable {
        case success, notRequired, needsValue, disambiguation, confirmationRequired, unsupported
    }

    /// The parts of the result that was read last.
    private var parts: Parts
    /// The bits of the results that are there.
    private var kinds: UInt8

    init() { (parts, kinds) = (Parts(), 0) }

    /// All results, for the contract.
    static var all: ResolutionMembers {
        var members = ResolutionMembers()
        members.kinds = (1 << Kind.allCases.count) - 1
        return members
    }

    init(_ resolution: ParameterResolution) {
        switch resolution {
        case .success(let value): self.init(.success, Parts(value: value))
        case .notRequired: self.init(.notRequired, Parts())
        case .needsValue(let dialog): self.init(.needsValue, Parts(dialog: dialog))
        case .disambiguation(let options, let dialog):
            self.init(.disambiguation, Parts(options: ParameterOption.json(options), dialog: dialog))
        case .confirmationRequired(let value, let dialog):
            self.init(.confirmationRequired, Parts(value: value, dialog: dialog))
        case .unsupported(let reason, let dialog): self.init(.unsupported, Parts(reason: reason, dialog: dialog))
        }
    }

    private init(_ kind: Kind, _ parts: Parts) { (self.parts, kinds) = (parts, 1 << kind.rawValue) }

    private func has(_ kind: Kind) -> Bool { kinds & 1 << kind.rawValue != 0 }

    mutating func members<Coder: MemberCoder & ~Copyable>(_ coder: inout Coder) throws(Coder.Failure) {
        var said: ContractMember { .optional("dialog", .text, "What the person is told or asked.") }
        try result(
            "success", .success, &coder, .object([.required("value", .any, "The value to continue with.")]),
            "It is resolved.")
        try result("notRequired", .notRequired, &coder, .object([]), "The intent continues without a value.")
        try result(
            "needsValue", .needsValue, &coder, .object([said]), "A value is required, and there is none.")
        try result(
            "disambiguation", .disambiguation, &coder,
            .object([.required("options", ParameterOption.choices, "The values."), said]), "The person has to choose.")
        try result(
            "confirmationRequired", .confirmationRequired, &coder,
            .object([.required("value", .any, "The value."), said]), "The person is asked whether this is meant.")
        try result(
            "unsupported", .unsupported, &coder,
            .object([.optional("reason", .text, "Why, in a word for programs."), said]), "The value can't be used.")
    }

    private mutating func result<Coder: MemberCoder & ~Copyable>(
        _ name: StaticString, _ kind: Kind, _ coder: inout Coder, _ schema: @autoclosure () -> ContractSchema,
        _ about: @autoclosure () -> String
    ) throws(Coder.Failure) {
        if Coder.isReading {
            var read: Parts?
            try coder.optional(name, &read, .optional, schema(), about())
            if let read { (parts, kinds) = (read, kinds | 1 << kind.rawValue) }
        } else if has(kind) {
            try coder.member(name, &parts, .optional, schema(), about())
        }
    }

    /// The one result.
    ///
    /// - Parameter field: The field that an error names. Defaults to the result's name.
    /// - Returns: `nil` if there is none, or more than one.
    /// - Throws: An error if a part of it is missing.
    func resolution(_ field: String? = nil) throws(OutcomeError) -> ParameterResolution? {
        guard kinds.nonzeroBitCount == 1 else { return nil }
        if has(.success) {
            guard let value = parts.value else { throw OutcomeError("'success' needs a 'value'", field ?? "success") }
            return .success(value)
        }
        if has(.needsValue) { return .needsValue(dialog: parts.dialog) }
        if has(.disambiguation) {
            let options = try (parts.options ?? .null).view.choices(field ?? "disambiguation")
            return .disambiguation(options, dialog: parts.dialog)
        }
        if has(.confirmationRequired) {
            guard let value = parts.value else {
                throw OutcomeError("'confirmationRequired' needs a 'value'", field ?? "confirmationRequired")
            }
            return .confirmationRequired(value, dialog: parts.dialog)
        }
        if has(.unsupported) { return .unsupported(reason: parts.reason ?? "unsupported", dialog: parts.dialog) }
        return .notRequired
    }
}
