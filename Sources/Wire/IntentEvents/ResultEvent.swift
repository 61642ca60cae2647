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
        var members = ResultMembers(
            session: session, sequence: result.sequence, request: result.request, owner: owner, body: result.body,
            event: event, token: token)
        var writer = JSONWriter(reserving: 512)
        writer.beginObject()
        members.members(&writer)
        writer.endObject()
        self.init(
            sequence: result.sequence, type: members.type, request: result.request, time: now,
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
        var members = ResultMembers(session: session, owner: principal, body: .rejected(rejection), event: event)
        var writer = JSONWriter()
        writer.beginObject()
        members.members(&writer)
        writer.endObject()
        return Record(
            topic: topics.results, partition: partition, key: session.map { Bytes($0.utf8) }, value: writer.bytes,
            headers: headers(.rejected, id: Bytes("\(event).rejected".utf8), subject: nil, at: now, trace: nil),
            timestamp: now.milliseconds
        )
    }
}

// As a person may see it.

extension Prompt {
    var shown: Self {
        var shown = self
        (shown.asked.title, shown.summary) = (asked.title?.onOneLine, summary?.onOneLine)
        shown.dialog = dialog.withoutControlCharacters
        shown.supportingDialog = supportingDialog?.withoutControlCharacters
        (shown.snippet, shown.signIn, shown.action) = (snippet?.shown, signIn?.shown, action?.shown)
        shown.parameters = parameters.map(\.shown)
        return shown
    }
}

extension Agreement {
    fileprivate var shown: Self {
        var shown = self
        (shown.summary, shown.parameters) = (summary?.onOneLine, parameters.map(\.shown))
        return shown
    }
}

extension PromptParameter {
    fileprivate var shown: Self {
        var shown = self
        (shown.title, shown.text) = (title?.onOneLine, text?.withoutControlCharacters)
        shown.options = options.map(\.shown)
        return shown
    }
}

extension Completion {
    var shown: Self {
        var shown = self
        shown.dialog = dialog?.withoutControlCharacters
        if let agreement { shown.agreement = agreement.shown }
        shown.supportingDialog = supportingDialog?.withoutControlCharacters
        (shown.snippet, shown.results, shown.items) = (snippet?.shown, results.map(\.shown), items.map(\.shown))
        shown.undo?.title = undo?.title?.onOneLine
        return shown
    }
}

extension ParameterOption {
    var shown: Self {
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
    var shown: Self {
        var shown = self
        shown.title = title?.onOneLine
        return shown
    }
}
