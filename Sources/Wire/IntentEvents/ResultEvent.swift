public import Conversation
public import IntentModel
public import RecordLog

/// A result as it is sent: encoded once, so that it is the same however often it is sent.
public struct EncodedResult: Sendable, Hashable {
    public var sequence: Int
    public var type: EventType
    public var request: Identifier?
    /// When it was decided.
    public var time: Instant
    public var data: JSON
    public var trace: TraceContext?

    public init(
        sequence: Int, type: EventType, request: Identifier?, time: Instant, data: JSON, trace: TraceContext? = nil
    ) {
        self.sequence = sequence
        self.type = type
        self.request = request
        self.time = time
        self.data = data
        self.trace = trace
    }

    /// - Parameters:
    ///   - session: whose result it is.
    ///   - event: the event that led to it: what a rejection is about.
    ///   - owner: the principal whose session it is, so that who serves many people can tell who may see it.
    ///   - token: with an offer, the token that a claim has to contain.
    public init(
        _ result: SessionResult, session: Identifier, owner: Principal? = nil, event: Identifier?, token: String? = nil,
        at now: Instant
    ) {
        var writer = JSONWriter(reserving: 512)
        writer.beginObject()
        writer.member("session", session)
        writer.member("sequence", result.sequence)
        writer.member("request", ifPresent: result.request)
        if let owner { writer.principal(owner) }
        let type = writer.body(result.body, event: event, token: token)
        writer.endObject()
        self.init(
            sequence: result.sequence, type: type, request: result.request, time: now,
            data: JSON(unchecked: writer.bytes),
            trace: result.trace)
    }
}

extension EventEncoder {
    /// The record on `intents.results`. Its id is made of session and sequence, so every copy has the same.
    public mutating func record(_ result: EncodedResult, session: Identifier, topics: Topics, partition: Int32)
        -> Record
    {
        Record(
            topic: topics.results, partition: partition, key: Bytes(session.utf8), value: result.data.bytes,
            headers: headers(
                result.type,
                id: EventID.bytes(
                    session: session, request: result.request ?? Identifier(result.time.description), result.sequence),
                subject: result.request, at: result.time,
                trace: result.trace),
            timestamp: result.time.milliseconds)
    }

    /// A rejection outside of any session: without a sequence, and without a key if the sender's session is not known.
    ///
    /// - Parameter principal: who has sent the event, so that they are told.
    public mutating func record(
        _ rejection: Rejection, event: Identifier, session: Identifier? = nil, of principal: Principal? = nil,
        topics: Topics,
        partition: Int32,
        at now: Instant
    ) -> Record {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("session", ifPresent: session)
        if let principal { writer.principal(principal) }
        _ = writer.body(.rejected(rejection), event: event)
        writer.endObject()
        return Record(
            topic: topics.results, partition: partition, key: session.map { Bytes($0.utf8) }, value: writer.bytes,
            headers: headers(.rejected, id: Bytes("\(event).rejected".utf8), subject: nil, at: now, trace: nil),
            timestamp: now.milliseconds
        )
    }
}

extension JSONWriter {
    fileprivate mutating func body(_ body: SessionResult.Body, event: Identifier?, token: String? = nil) -> EventType {
        switch body {
        case .prompted(let prompt):
            member("prompt", prompt.id)
            self.prompt(prompt)
            return .promptIssued
        case .optionsListed(let listed):
            member("prompt", listed.prompt)
            member("search", ifPresent: listed.search)
            options(listed.page, withValues: listed.areItems)
            return .optionsListed
        case .progressed(let progress):
            member("phase", progress.phase.rawValue)
            member("code", ifPresent: progress.code?.rawValue)
            if let fraction = progress.fraction {
                name("fraction")
                number(fraction)
            }
            member("dialog", ifPresent: progress.dialog?.withoutControlCharacters)
            return .progressed
        case .handoffOffered(let handoff):
            self.handoff(handoff)
            member("token", ifPresent: token)
            return .handoffOffered
        case .handoffClaimed(let handoff):
            self.handoff(handoff)
            return .handoffClaimed
        case .completed(let completion):
            self.completion(completion)
            return .completed
        case .lateOutcome(let answer):
            member("intent", answer.intent)
            member("phase", Phase.handle.rawValue)
            member("code", answer.code.rawValue)
            if !answer.response.isEmpty { object("response", answer.response) }
            member("dialog", ifPresent: answer.dialog?.withoutControlCharacters)
            return .answeredLate
        case .updated(let intent, let update):
            member("intent", intent)
            self.update(update.shown)
            return .updated
        case .updatesEnded(let intent, let end, let error):
            member("intent", intent)
            member("reason", end.rawValue)
            self.error(error)
            return .updatesEnded
        case .memoryForgotten(let forgotten):
            member("event", forgotten.event)
            if let keys = forgotten.keys {
                name("keys")
                beginArray()
                for key in keys { string(key) }
                endArray()
            }
            if let count = forgotten.count { member("count", count) }
            return .memoryForgotten
        case .rejected(let rejection):
            self.rejection(rejection)
            member("event", ifPresent: rejection.event ?? event)
            return .rejected
        }
    }

    /// The members of a prompt, except its id.
    private mutating func prompt(_ prompt: Prompt) {
        member("intent", prompt.intent)
        member("kind", prompt.kind.rawValue)
        member("parameter", ifPresent: prompt.parameter)
        member("title", ifPresent: prompt.title?.onOneLine)
        member("declaration", ifPresent: prompt.declaration)
        if let element = prompt.element { member("element", element) }
        if prompt.isSecret { member("secret", true) }
        member("dialog", prompt.dialog.withoutControlCharacters)
        display(prompt.supportingDialog?.withoutControlCharacters, prompt.snippet?.shown)
        if let signIn = prompt.signIn {
            name("signIn")
            signIn.shown.write(to: &self)
        }
        if !prompt.isSecret {
            member("value", ifPresent: prompt.value)
            provenance(prompt.provenance)
        }
        if prompt.isAboutItems { member("items", true) }
        if prompt.isAboutIntents { member("intents", true) }
        if !prompt.options.isEmpty { options(OptionsPage(of: prompt), withValues: prompt.isAboutItems) }
        if let reason = prompt.unsupportedReason {
            name("unsupported")
            beginObject()
            member("reason", reason)
            if !prompt.isSecret { member("value", ifPresent: prompt.rejectedValue) }
            endObject()
        }
        member("summary", ifPresent: prompt.summary?.onOneLine)
        if !prompt.parameters.isEmpty {
            name("parameters")
            beginArray()
            for parameter in prompt.parameters { self.parameter(parameter) }
            endArray()
        }
        action(prompt.action?.shown)
        let tellable = prompt.proposed.filter { !$0.isSecret }
        if !tellable.isEmpty {
            object("proposed", Dictionary(tellable.map { ($0.name, $0.value ?? .null) }, uniquingKeysWith: { $1 }))
        }
        member("expires", prompt.expires.description)
    }

    private mutating func parameter(_ parameter: PromptParameter) {
        beginObject()
        member("parameter", parameter.name)
        member("title", ifPresent: parameter.title?.onOneLine)
        member("text", ifPresent: parameter.text?.withoutControlCharacters)
        member("value", ifPresent: parameter.value)
        member("source", ifPresent: parameter.source?.rawValue)
        member("reason", ifPresent: parameter.reason)
        if parameter.isMissing { member("missing", true) }
        member("declaration", ifPresent: parameter.declaration)
        if !parameter.options.isEmpty { options(parameter.options.map(\.shown), withValues: false) }
        if parameter.omitsOptions { member("optionsOmitted", true) }
        endObject()
    }

    /// The options of a page. The other members are there only if the page is not all.
    private mutating func options(_ page: OptionsPage, withValues: Bool) {
        options(page.options.map(\.shown), withValues: withValues)
        if page.total > page.options.count { member("optionsTotal", page.total) }
        member("optionsNext", ifPresent: page.next.map(String.init))
        if page.omitsOptions { member("optionsOmitted", true) }
    }

    private mutating func handoff(_ handoff: Handoff) {
        member("handoff", handoff.id)
        member("mode", handoff.mode.rawValue)
        name("activity")
        userActivity(handoff.activity.shown, interaction: handoff.interaction)
        member("claimant", ifPresent: handoff.claimant?.name)
        member("expires", handoff.expires.description)
    }

    private mutating func completion(_ completion: Completion) {
        member("intent", completion.intent)
        member("status", completion.status.rawValue)
        member("code", completion.code.rawValue)
        values(completion.parameters)
        provenance(completion.parameters)
        if !completion.response.isEmpty { object("response", completion.response) }
        member("dialog", ifPresent: completion.dialog?.withoutControlCharacters)
        display(completion.supportingDialog?.withoutControlCharacters, completion.snippet?.shown)
        results(completion.results.map(\.shown))
        if let activity = completion.activity {
            name("activity")
            userActivity(
                activity.shown,
                interaction: Interaction(
                    intent: completion.intent, parameters: completion.parameters, code: completion.code,
                    response: completion.response))
        }
        error(completion.error)
        member("turns", completion.turns)
        if !completion.items.isEmpty { options(completion.items.map(\.shown), named: "items", withValues: true) }
        member("chosen", ifPresent: completion.chosen)
        if let opens = completion.opens {
            name("opens")
            beginObject()
            member("request", opens.request)
            member("intent", opens.intent)
            endObject()
        }
        if completion.offersUpdates { member("updates", true) }
        if let undo = completion.undo {
            name("undo")
            beginObject()
            member("intent", undo.intent)
            member("title", ifPresent: undo.title?.onOneLine)
            member("expires", undo.expires.description)
            endObject()
        }
    }

    /// How the values came about that a completion shows, by parameter.
    private mutating func provenance(_ parameters: [ParameterState]) {
        let told = parameters.filter {
            $0.hasProvenance && !$0.isSecret && $0.origin != .notRequired && $0.value != nil
        }
        if told.isEmpty { return }
        name("provenance")
        beginObject()
        for parameter in told {
            name(named: parameter.name)
            parameter.provenance?.write(to: &self)
        }
        endObject()
    }

    private mutating func error(_ error: Rejection?) {
        guard let error else { return }
        name("error")
        beginObject()
        rejection(error)
        endObject()
    }

    private mutating func rejection(_ rejection: Rejection) {
        member("reason", rejection.reason.rawValue)
        member("message", rejection.message.withoutControlCharacters)
        member("field", ifPresent: rejection.field?.onOneLine)
        if let wait = rejection.retryAfter { member("retryAfter", PolicyBounds.milliseconds(wait)) }
    }
}

// As a person may see it.

extension ParameterOption {
    fileprivate var shown: Self {
        var shown = self
        (shown.title, shown.subtitle, shown.section) = (title.onOneLine, subtitle?.onOneLine, section?.onOneLine)
        shown.synonyms = synonyms.map(\.onOneLine)
        return shown
    }
}

extension ConfirmationAction {
    fileprivate var shown: Self {
        var shown = self
        (shown.acceptLabel, shown.denyLabel) = (acceptLabel.onOneLine, denyLabel.onOneLine)
        (shown.acceptAlternatives, shown.denyAlternatives) = (
            acceptAlternatives.map(\.onOneLine), denyAlternatives.map(\.onOneLine)
        )
        return shown
    }
}

extension Snippet {
    fileprivate var shown: Self {
        var shown = self
        (shown.title, shown.subtitle) = (title.onOneLine, subtitle?.onOneLine)
        shown.lines = lines.map { Line(plain: $0.title.onOneLine, $0.text.withoutControlCharacters) }
        return shown
    }
}

extension SignIn {
    /// Without the time, which the prompt itself has.
    fileprivate var shown: Self {
        var shown = self
        (shown.code, shown.title, shown.validFor) = (code?.onOneLine, title?.onOneLine, nil)
        return shown
    }
}

extension ElementResult {
    fileprivate var shown: Self {
        var shown = self
        (shown.title, shown.dialog) = (title.onOneLine, dialog?.withoutControlCharacters)
        return shown
    }
}

extension UserActivity {
    fileprivate var shown: Self {
        var shown = self
        shown.title = title?.onOneLine
        return shown
    }
}

extension IntentUpdate {
    fileprivate var shown: Self {
        var shown = self
        shown.dialog = dialog?.withoutControlCharacters
        return shown
    }
}
