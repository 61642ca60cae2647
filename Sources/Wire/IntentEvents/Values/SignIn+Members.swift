package import IntentModel

extension SignIn: MemberObject {
    package static var blank: SignIn { SignIn() }
    package static var shape: ContractShape? { .signIn }

    package mutating func members<Coder: MemberCoder & ~Copyable>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.optional(
            "url", &url, as: .text(1...Self.maximumURLBytes), "Where the person signs in: an absolute URL.")
        try coder.optional("code", &code, as: .text(Self.codeBytes), "The code that the person enters there.")
        try coder.optional("title", &title, as: .text(Self.titleBytes), "What they sign in to.")
        var time = validFor.map { AnswerDuration(duration: $0) }
        try coder.optional("validFor", &time, "For how many milliseconds url and code are good. Only from workers.")
        if Coder.isReading { validFor = time?.duration }
        try coder.optional(
            "requires", &requires,
            """
            What the answer itself has to say. person: who they are, by its authtype and authid. localDevice: also the value \
            localDevice.
            """)
    }

    package mutating func finishReading(isWhole: Bool) -> Bool { isWhole && violation == nil }
}

extension SignIn.Requirement: MemberValue {
    /// A requirement that this version does not know must not be dropped.
    package static func read(_ cursor: inout JSONCursor) throws(OutcomeError) -> Self? {
        if cursor.kind == .null { return nil }
        if let requirement = cursor.string().flatMap(Self.init) { return requirement }
        throw OutcomeError("'signIn.requires' is not known", "signIn.requires")
    }
}

extension ConfirmationAction: MemberObject {
    package static var blank: ConfirmationAction { ConfirmationAction(name: "", acceptLabel: "", denyLabel: "") }
    package static var shape: ContractShape? { .action }

    package mutating func members<Coder: MemberCoder & ~Copyable>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.required("name", &name, "A word for programs, such as book, or custom.")
        try coder.required("accept", &acceptLabel, "The label of a yes.")
        try coder.optional("acceptAlternatives", &acceptAlternatives, unless: [], "Other words for it.")
        try coder.required("deny", &denyLabel, "The label of a no.")
        try coder.optional("denyAlternatives", &denyAlternatives, unless: [], "Other words for it.")
        try coder.flag("destructive", &isDestructive, "It removes something: set it apart.")
    }
}
