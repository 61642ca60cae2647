package import IntentModel

extension IntentResponse {
    /// The members of a response of confirm or handle, except its code.
    ///
    /// - Parameter phase: The phase that is described. Readers and writers go over the members of both.
    package mutating func members<Coder: MemberCoder & ~Copyable>(_ coder: inout Coder, of phase: Phase? = nil)
        throws(Coder.Failure)
    {
        let (isConfirm, isHandle) = (phase != .handle, phase != .confirm)
        var parts = parts
        try coder.optional("dialog", &dialog, "What the person is told.")
        try coder.optional(
            "supporting", &parts.supportingDialog, "What to show where the dialog is said aloud.")
        try coder.optional("snippet", &parts.snippet, "A card to show beside the words.")
        if isHandle {
            try coder.optional("undo", &parts.undo, "What takes it back.")
            try coder.optional(
                "results", &parts.results, unless: [],
                as: .list(of: ElementResult.schema, 0...ElementResult.maximumCount),
                "With partialSuccess: what came of each element.")
        }
        try coder.optional("response", &values, unless: [:], "What the phase resulted in, by name.")
        if isHandle { try coder.flag("updates", &offersUpdates, "The handler can report updates after success.") }
        try coder.optional("activity", &userActivity, "What an app needs to go on.")
        var found = items.isEmpty ? nil : FoundItems(items: items)
        try coder.optional("items", &found, "What was found.")
        if Coder.isReading { items = found?.items ?? [] }
        if isHandle {
            try coder.optional("choice", &choice, "The person is asked which of the items they mean.")
        }
        try coder.optional(
            "proposed", &proposed, unless: [:], "Other values with which it can be done, by parameter.")
        if isHandle {
            try coder.optional(
                "remembered", &remembered, unless: [:], "What the session remembers from now on, by key.")
            try coder.optional(
                "rememberedForPerson", &parts.rememberedForPerson, unless: [:],
                "What is remembered for the person from now on, by key.")
        }
        if isConfirm {
            var time = validFor.map { AnswerDuration(duration: $0) }
            try coder.optional("validFor", &time, "For how many milliseconds the response is valid.")
            if Coder.isReading { validFor = time?.duration }
            try coder.optional("approval", &parts.approval, "Who has to agree to these values.")
        }
        try coder.optional(
            "taken", &appliedAnswers, unless: [:],
            "The values that the person's answers were resolved to, by parameter.")
        if isHandle { try coder.optional("opens", &opensIntent, "The intent that follows.") }
        if Coder.isReading, hasRareParts || parts != Parts() { self.parts = parts }
    }
}

/// The items of a response.
private struct FoundItems: MemberValue {
    var items: [ParameterOption]

    static var schema: ContractSchema { [ParameterOption].schema }
    func encode(to writer: inout JSONWriter) {
        var items = items
        items.encode(to: &writer)
    }

    static func read(_ cursor: inout JSONCursor) throws(OutcomeError) -> FoundItems? {
        FoundItems(items: try cursor.json().view.options("items"))
    }
}

extension OpenedIntent: MemberObject {
    package static var blank: OpenedIntent { OpenedIntent(intent: "") }
    package static var shape: ContractShape? { .openedIntent }
    /// The number of bytes of an intent's name.
    package static let nameBytes = 1...128

    package mutating func members<Coder: MemberCoder & ~Copyable>(_ coder: inout Coder) throws(Coder.Failure) {
        try members(&coder, "The intent.")
    }

    package mutating func members<Coder: MemberCoder & ~Copyable>(
        _ coder: inout Coder, _ about: @autoclosure () -> String
    ) throws(Coder.Failure) {
        try coder.required("intent", &intent, as: .text(Self.nameBytes), about())
        try coder.optional("parameters", &parameters, unless: [:], "Its values by name.")
    }

    package mutating func finishReading(isWhole: Bool) throws(OutcomeError) -> Bool {
        if isWhole { return true }
        throw OutcomeError("'opens' needs an 'intent'", "opens")
    }
}

extension ItemChoice: MemberObject {
    package static var blank: ItemChoice { ItemChoice() }
    package static var takesAnyValue: Bool { true }

    package mutating func members<Coder: MemberCoder & ~Copyable>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.optional("dialog", &dialog, "What the person is asked.")
        try coder.optional(
            "remembers", &remembers, unless: [:], "What is remembered of the chosen item: its members by memory key.")
    }
}

extension Snippet: MemberObject {
    package static var blank: Snippet { Snippet(plain: "") }
    package static var shape: ContractShape? { .snippet }

    package mutating func members<Coder: MemberCoder & ~Copyable>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.required("title", &title, "The title of the card.")
        try coder.optional("subtitle", &subtitle, "A line below it.")
        try coder.optional("image", &image, "A picture.")
        try coder.optional(
            "lines", &lines, unless: [], as: .list(of: Line.schema, 0...Self.maximumLines), "The lines of the card.")
    }

    package mutating func finishReading(isWhole: Bool) throws(OutcomeError) -> Bool {
        if !isWhole { throw OutcomeError("a 'snippet' needs a 'title'", "snippet") }
        if lines.count > Self.maximumLines { lines.removeLast(lines.count - Self.maximumLines) }
        return true
    }
}

extension Snippet.Line: MemberObject {
    package static var blank: Snippet.Line { Snippet.Line(plain: "", "") }

    package mutating func members<Coder: MemberCoder & ~Copyable>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.required("title", &title, "What it is.")
        try coder.required("text", &text, "The text.")
    }
}

extension ElementResult: MemberObject {
    package static var blank: ElementResult { ElementResult(title: "") }
    package static var shape: ContractShape? { .elementResult }

    package mutating func members<Coder: MemberCoder & ~Copyable>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.optional("id", &id, "The element's id, if it has one.")
        try coder.required("title", &title, "The element in words.")
        try coder.required("code", &code, "success, or a failure.")
        try coder.optional("dialog", &dialog, "Why, for the person.")
    }

    package mutating func finishReading(isWhole: Bool) throws(OutcomeError) -> Bool {
        if isWhole { return true }
        throw Self.misuse
    }

    static var misuse: OutcomeError {
        OutcomeError("'results' has at most \(maximumCount) entries, each with a 'title' and a 'code'", "results")
    }
}

extension UndoOffer: MemberObject {
    package static var blank: UndoOffer { UndoOffer(.blank) }
    package static var shape: ContractShape? { .undoOffer }
    package mutating func members<Coder: MemberCoder & ~Copyable>(_ coder: inout Coder) throws(Coder.Failure) {
        try intent.members(&coder, "The intent that takes it back.")
        try coder.optional("title", &title, "What it does, for a button.")
        let milliseconds = Self.times.lowerBound.wholeMilliseconds...Self.times.upperBound.wholeMilliseconds
        var time: AnswerDuration? = AnswerDuration(duration: validFor)
        try coder.optional(
            "validFor", &time, as: .integer(milliseconds),
            "For how many milliseconds it is offered; \(Self.usualTime.wholeMilliseconds) if it is left out.")
        if Coder.isReading { validFor = time.map { $0.duration ?? .zero } ?? Self.usualTime }
    }

    package mutating func finishReading(isWhole: Bool) throws(OutcomeError) -> Bool {
        if isWhole, OpenedIntent.nameBytes ~= intent.intent.utf8.count, Self.times ~= validFor { return true }
        throw OutcomeError("'undo' needs an 'intent', and 'validFor' is a second to a day", "undo")
    }
}

extension UserActivity: MemberObject {
    package static var blank: UserActivity { UserActivity(activityType: "") }
    package static var shape: ContractShape? { .activity }

    package mutating func members<Coder: MemberCoder & ~Copyable>(_ coder: inout Coder) throws(Coder.Failure) {
        var text: ContractSchema { .text(0...Self.maximumTextLength) }
        try coder.required("activityType", &activityType, as: text, "Reverse-DNS by convention.")
        try coder.optional("title", &title, as: text, "The title for people.")
        try coder.optional(
            "userInfo", &userInfo, unless: [:],
            "What the app needs, at most \(Self.maximumUserInfoBytes) bytes of JSON.")
        try coder.optional("webpageURL", &webpageURL, "Where to go on without the app.")
        try coder.optional(
            "requiredUserInfoKeys", &requiredUserInfoKeys, unless: [],
            "The keys of userInfo that are needed to continue later.")
        var expires = expirationDate.map(Timestamp.format)
        try coder.optional("expirationDate", &expires, as: .time, "When it expires.")
        if Coder.isReading { expirationDate = expires.flatMap(Timestamp.parse) }
        try coder.optional(
            "persistentIdentifier", &persistentIdentifier, as: text, "A newer activity with the same one replaces it.")
        try coder.optional(
            "keywords", &keywords, unless: [], as: .list(of: text, 0...Self.maximumKeywords),
            "Search terms for the person."
        )
    }
}

extension IntentResponse {
    /// Checks the rules that reading does not check.
    package func check() throws(OutcomeError) {
        if let violation = userActivity?.violation {
            throw OutcomeError(violation.reason, violation.message, violation.field)
        }
        if results.count > ElementResult.maximumCount { throw ElementResult.misuse }
        if choice != nil, Set(items.map(\.id)).count < items.count {
            throw OutcomeError("items to choose from need ids that differ", "items")
        }
    }
}

// The parts that outcomes and replies have in common, with the same JSON in both.
extension JSONView {
    /// The members of an object by name.
    package var values: [String: JSON] {
        var values: [String: JSON] = [:]
        for (name, value) in fields { values[name.string] = value.json }
        return values
    }

    /// Reads the options of an array.
    package func options(_ field: String) throws(OutcomeError) -> [ParameterOption] {
        var options: [ParameterOption] = []
        for element in elements {
            guard let option = ParameterOption(element) else {
                throw OutcomeError("an option needs 'id', 'title' and 'value'", field)
            }
            options.append(option)
        }
        return options
    }

    /// Reads the options of an array: at least two, with different ids.
    package func choices(_ field: String) throws(OutcomeError) -> [ParameterOption] {
        let options = try options(field)
        guard options.count >= 2, Set(options.map(\.id)).count == options.count else {
            throw OutcomeError("a choice needs at least two options with different ids", field)
        }
        return options
    }

    /// A duration: whole milliseconds, or a length of time as text (`PT5M`, `5 minutes`, `5m`).
    package var answerDuration: Duration? {
        if let milliseconds = int { return .milliseconds(milliseconds) }
        return string.flatMap { Duration(compact: $0) ?? DurationText.parse($0) }
    }
}
