public import Conversation
public import IntentModel
public import RecordLog

extension EventEncoder {
    /// The record of what a worker reports for a step.
    ///
    /// - Parameters:
    ///   - part: 0 for the outcome itself; progress counts from 1, so that each has an id of its own.
    ///   - isDeferred: handle: it follows `inProgress`, and comes from elsewhere than the handler that was called.
    ///   - trace: the trace context of the work.
    public mutating func record(
        _ outcome: Outcome, session: Identifier, topics: Topics, partition: Int32, part: Int = 0,
        isDeferred: Bool = false,
        trace: TraceContext? = nil, at now: Instant
    ) -> Record {
        var writer = JSONWriter(reserving: 512)
        writer.beginObject()
        writer.member("request", outcome.request)
        writer.member("step", outcome.step)
        writer.member("ticket", ifPresent: outcome.ticket?.description)
        writer.content(outcome.content)
        if case .starting(let claim) = outcome.content {
            writer.member("claim", claim)
        } else {
            writer.member("claim", ifPresent: outcome.claim)
        }
        if let policy = outcome.policy {
            writer.name("policy")
            writer.intentPolicy(policy)
        }
        writer.endObject()
        var type: EventType
        switch outcome.phase {
        case .resolve: type = .resolved
        case .confirm: type = .confirmed
        case .handle: type = .handled
        }
        var suffix = part == 0 ? "" : ".\(part)"
        if isDeferred { suffix = ".later\(suffix)" }
        switch outcome.content {
        case .starting(let claim): (type, suffix) = (.starting, ".\(claim)")
        case .updated: type = .updated
        case .updatesEnded: type = .updatesEnded
        default: break
        }
        return Record(
            topic: topics.outcomes, partition: partition, key: Bytes(session.utf8), value: writer.bytes,
            headers: headers(
                type, id: EventID.bytes(session: session, request: outcome.request, outcome.step, "outcome" + suffix),
                subject: outcome.request, at: now, trace: trace),
            timestamp: now.milliseconds)
    }
}

extension JSONWriter {
    fileprivate mutating func content(_ content: Outcome.Content) {
        switch content {
        case .cancelled: member("cancelled", true)
        case .starting: break
        case .updated(let update): self.update(update)
        case .updatesEnded(let end): member("reason", end.rawValue)
        case .progressed(let fraction, let dialog):
            member("code", ResponseCode.inProgress.rawValue)
            if let fraction {
                name("fraction")
                number(fraction)
            }
            member("dialog", ifPresent: dialog)
        case .finished(.resolved(let parameters, let confirmation, let summary, let recorded)):
            name("resolutions")
            beginArray()
            for parameter in parameters { resolution(parameter) }
            endArray()
            member("summary", ifPresent: summary)
            if let confirmation { self.confirmation(confirmation) }
            if !recorded.isEmpty { object("recorded", recorded) }
        case .finished(.responded(let response, let confirmation)):
            self.response(response)
            if let confirmation { self.confirmation(confirmation) }
        case .finished(.asked(let question)):
            ask(question)
            if !question.recorded.isEmpty { object("recorded", question.recorded) }
        case .finished(.failed(let failure)):
            self.failure(failure)
            if !failure.recorded.isEmpty { object("recorded", failure.recorded) }
        }
    }

    private mutating func confirmation(_ confirmation: ConfirmationRequest) {
        name("confirmation")
        beginObject()
        member("dialog", ifPresent: confirmation.dialog)
        member("summary", ifPresent: confirmation.summary)
        shownParameters(confirmation.parameters)
        action(confirmation.action)
        endObject()
    }

    mutating func response(_ response: IntentResponse) {
        member("code", response.code.rawValue)
        member("dialog", ifPresent: response.dialog)
        if response.hasRareParts { rareParts(of: response) }
        if !response.values.isEmpty { object("response", response.values) }
        if response.offersUpdates { member("updates", true) }
        if let activity = response.userActivity {
            name("activity")
            userActivity(activity)
        }
        if !response.items.isEmpty { options(response.items, named: "items", withValues: true) }
        if let choice = response.choice {
            name("choice")
            beginObject()
            member("dialog", ifPresent: choice.dialog)
            if !choice.remembers.isEmpty { object("remembers", choice.remembers.mapValues { .string($0) }) }
            endObject()
        }
        if !response.proposed.isEmpty { object("proposed", response.proposed) }
        if !response.remembered.isEmpty { object("remembered", response.remembered) }
        if response.hasRareParts, !response.rememberedForPerson.isEmpty {
            object("rememberedForPerson", response.rememberedForPerson)
        }
        if let validFor = response.validFor { member("validFor", validFor.milliseconds) }
        if !response.appliedAnswers.isEmpty { object("taken", response.appliedAnswers) }
        if let opened = response.opensIntent {
            name("opens")
            beginObject()
            member("intent", opened.intent)
            if !opened.parameters.isEmpty { object("parameters", opened.parameters) }
            endObject()
        }
    }

    private mutating func rareParts(of response: IntentResponse) {
        display(response.supportingDialog, response.snippet)
        if let undo = response.undo {
            name("undo")
            beginObject()
            member("intent", undo.intent.intent)
            if !undo.intent.parameters.isEmpty { object("parameters", undo.intent.parameters) }
            member("title", ifPresent: undo.title)
            member("validFor", undo.validFor.milliseconds)
            endObject()
        }
        results(response.results)
    }

    /// What is shown where the dialog is said aloud.
    mutating func display(_ supporting: String?, _ snippet: Snippet?) {
        member("supporting", ifPresent: supporting)
        guard let snippet else { return }
        name("snippet")
        snippet.write(to: &self)
    }

    mutating func results(_ results: [ElementResult]) {
        guard !results.isEmpty else { return }
        name("results")
        beginArray()
        for result in results { result.write(to: &self) }
        endArray()
    }

    private mutating func ask(_ question: PhaseQuestion) {
        name("ask")
        beginObject()
        member("id", question.id)
        switch question.kind {
        case .value: member("kind", Prompt.Kind.value.rawValue)
        case .choice(let options):
            member("kind", Prompt.Kind.choice.rawValue)
            self.options(options, withValues: true)
        case .confirmValue(let value):
            member("kind", Prompt.Kind.confirmValue.rawValue)
            member("value", value)
        case .confirmIntent: member("kind", Prompt.Kind.confirmIntent.rawValue)
        case .signIn(let signIn):
            member("kind", Prompt.Kind.signIn.rawValue)
            name("signIn")
            signIn.write(to: &self)
        }
        member("parameter", ifPresent: question.parameter)
        member("title", ifPresent: question.title)
        member("dialog", ifPresent: question.dialog)
        display(question.supportingDialog, question.snippet)
        if let reason = question.unsupportedReason {
            name("unsupported")
            beginObject()
            member("reason", reason)
            endObject()
        }
        member("summary", ifPresent: question.summary)
        member("declaration", ifPresent: question.declaration)
        shownParameters(question.parameters)
        action(question.action)
        endObject()
    }

    private mutating func failure(_ failure: IntentFailure) {
        name("failure")
        beginObject()
        switch failure.disposition {
        case .retry(let delay):
            member("disposition", "retry")
            member("after", delay.milliseconds)
        case .failure(let code):
            member("disposition", "failure")
            member("code", code.rawValue)
        case .reject: member("disposition", "reject")
        }
        member("reason", failure.reason.rawValue)
        member("message", failure.message)
        member("field", ifPresent: failure.field)
        if let activity = failure.activity {
            name("activity")
            userActivity(activity)
        }
        endObject()
    }

    private mutating func resolution(_ parameter: ResolvedParameter) {
        beginObject()
        member("parameter", parameter.name)
        member("title", ifPresent: parameter.title)
        if let element = parameter.element {
            name("element")
            beginObject()
            member("index", element.index)
            member("list", .array(element.list))
            origins("origins", element.origins)
            endObject()
        }
        if parameter.isSecret { member("secret", true) }
        member("memoryKey", ifPresent: parameter.memoryKey)
        if parameter.memoryScope == .person { member("memoryScope", parameter.memoryScope.rawValue) }
        if parameter.isNone { member("none", true) }
        if parameter.hasProvenance, !parameter.isSecret { provenance(parameter.provenance) }
        switch parameter.resolution {
        case .success(let value):
            name("success")
            beginObject()
            member("value", value)
        case .notRequired:
            name("notRequired")
            beginObject()
        case .needsValue(let dialog):
            name("needsValue")
            beginObject()
            member("dialog", ifPresent: dialog)
        case .disambiguation(let options, let dialog):
            name("disambiguation")
            beginObject()
            self.options(options, withValues: true)
            member("dialog", ifPresent: dialog)
        case .confirmationRequired(let value, let dialog):
            name("confirmationRequired")
            beginObject()
            member("value", value)
            member("dialog", ifPresent: dialog)
        case .unsupported(let reason, let dialog):
            name("unsupported")
            beginObject()
            member("reason", reason)
            member("dialog", ifPresent: dialog)
        }
        endObject()
        if !parameter.options.isEmpty { options(parameter.options, withValues: true) }
        if parameter.omitsOptions { member("optionsOmitted", true) }
        member("declaration", ifPresent: parameter.declaration)
        member("text", ifPresent: parameter.text)
        member("supporting", ifPresent: parameter.supportingDialog)
        endObject()
    }

    mutating func action(_ action: ConfirmationAction?) {
        guard let action else { return }
        name("action")
        action.write(to: &self)
    }

    /// The parameters in words.
    private mutating func shownParameters(_ parameters: [PromptParameter]) {
        if parameters.isEmpty { return }
        name("parameters")
        beginArray()
        for parameter in parameters {
            beginObject()
            member("parameter", parameter.name)
            member("title", ifPresent: parameter.title)
            member("text", ifPresent: parameter.text)
            endObject()
        }
        endArray()
    }

    mutating func options(_ options: [ParameterOption], named name: StaticString = "options", withValues: Bool) {
        self.name(name)
        beginArray()
        for option in options {
            beginObject()
            member("id", option.id)
            member("title", option.title)
            member("subtitle", ifPresent: option.subtitle)
            if !option.synonyms.isEmpty { texts("synonyms", option.synonyms) }
            member("section", ifPresent: option.section)
            member("image", ifPresent: option.image?.json)
            if withValues { member("value", option.value) }
            endObject()
        }
        endArray()
    }

    mutating func userActivity(_ activity: UserActivity, interaction: Interaction? = nil) {
        beginObject()
        member("activityType", activity.activityType)
        member("title", ifPresent: activity.title)
        if !activity.userInfo.isEmpty { object("userInfo", activity.userInfo) }
        member("webpageURL", ifPresent: activity.webpageURL)
        if !activity.requiredUserInfoKeys.isEmpty { texts("requiredUserInfoKeys", activity.requiredUserInfoKeys) }
        if let date = activity.expirationDate { member("expirationDate", Timestamp.format(date)) }
        member("persistentIdentifier", ifPresent: activity.persistentIdentifier)
        if !activity.keywords.isEmpty { texts("keywords", activity.keywords) }
        if let interaction {
            name("interaction")
            beginObject()
            member("intent", interaction.intent)
            values(interaction.parameters)
            member("code", interaction.code.rawValue)
            if !interaction.response.isEmpty { object("response", interaction.response) }
            endObject()
        }
        endObject()
    }

    private mutating func texts(_ name: StaticString, _ texts: [String]) {
        self.name(name)
        beginArray()
        for text in texts { string(text) }
        endArray()
    }
}

extension Duration {
    /// Whole milliseconds, brought inside of what can be said.
    var milliseconds: Int { Int(Instant(milliseconds: 0).advanced(by: self).milliseconds) }
}
