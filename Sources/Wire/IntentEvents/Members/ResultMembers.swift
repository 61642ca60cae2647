import Conversation
import IntentModel

/// The members of a result. Only programs of the person's side read results, each in its own way, so nothing is read here.
struct ResultMembers {
    var session: Identifier?
    /// `nil` outside of any session.
    var sequence: Int?
    var request: Identifier?
    var owner: Principal?
    var body: SessionResult.Body
    /// The id of the event that led to it: what a rejection is about.
    var event: Identifier?
    /// With an offer, the token that a claim has to contain.
    var token: String?

    var type: EventType {
        switch body {
        case .prompted: .promptIssued
        case .reminded: .promptReminded
        case .optionsListed: .optionsListed
        case .answerRead: .answerRead
        case .progressed: .progressed
        case .handoffOffered: .handoffOffered
        case .handoffClaimed: .handoffClaimed
        case .handoffCompleted: .handoffCompleted
        case .completed: .completed
        case .lateOutcome: .answeredLate
        case .updated: .updated
        case .updatesEnded: .updatesEnded
        case .memoryForgotten: .memoryForgotten
        case .rejected: .rejected
        }
    }

    mutating func members<Coder: MemberCoder & ~Copyable>(_ coder: inout Coder) throws(Coder.Failure) {
        let needs: MemberPresence = if case .rejected = body { .optional } else { .required }
        try coder.optional("session", &session, needs, .name(EventBounds.session), "Whose result it is.")
        try coder.optional(
            "sequence", &sequence, needs, .integer(from: 1),
            """
            Counts up by one in each session. A number that you have seen is a copy: skip it. A missing number was lost or comes later. \
            1 with another event id: the session was forgotten and has started again.
            """)
        switch body {
        case .memoryForgotten: break
        case .rejected:
            try coder.optional("request", &request, "The request that the event is about, if there is one.")
        default: try coder.required("request", &request, "The request that it is about.")
        }
        try coder.optional(
            "principal", &owner,
            "Whose session it is, if a principal has opened it; in a rejection outside of any session, who has sent the event."
        )
        switch body {
        case .prompted(let prompt):
            var shown = prompt.shown
            try shown.resultMembers(&coder)
        case .reminded(var reminder):
            try coder.required(
                "reason", &reminder.reason,
                """
                Why it is told again. reminder: a declared time is over. escalated: others may agree as well. delegated: \
                another principal may agree in the place of one. agreed: one has agreed, and more have to.
                """)
            var shown = reminder.prompt.shown
            try shown.resultMembers(&coder)
        case .optionsListed(var listed):
            try coder.required("prompt", &listed.prompt, "The prompt.")
            try coder.optional("search", &listed.search, "The words that were searched for.")
            try listed.page.members(&coder, withValues: listed.areItems, "The options of this page.")
        case .answerRead(var read):
            try coder.required("prompt", &read.prompt, "The prompt that was answered.")
            try coder.required(
                "readAs", &read.readAs,
                """
                yes, no, cancel, skip. none: of the options. option: one of them. value: words for the parameter. \
                change: words that may change the intent. repeat, help, unclear, and skip with a dialog: no answer; \
                the prompt stays open.
                """)
            try coder.optional("option", &read.option, "option: its id.")
            var dialog = read.dialog?.withoutControlCharacters
            try coder.optional("dialog", &dialog, "What the person is told if it is no answer.")
            try coder.optional("event", &event, "The id of the answer.")
        case .progressed(var progress):
            try coder.required("phase", &progress.phase, "The phase.")
            try coder.optional("code", &progress.code, "inProgress or queued.")
            try coder.optional("fraction", &progress.fraction, as: .number(0...1), "How much of it is done, if known.")
            var dialog = progress.dialog?.withoutControlCharacters
            try coder.optional("dialog", &dialog, "What the person is told.")
        case .handoffOffered(var handoff):
            try handoff.members(&coder)
            try coder.optional("token", &token, "What the claim has to show.")
        case .handoffClaimed(var handoff): try handoff.members(&coder, isClaimed: true)
        case .handoffCompleted(var handoff, var response):
            try coder.required("handoff", &handoff.id, "The handoff.")
            var name = handoff.claimant?.name
            try coder.required("claimant", &name, "Who claimed it.")
            try coder.required("code", &response.code, "success, or a failure.")
            try coder.optional("response", &response.values, unless: [:], "What it resulted in, by name.")
            var dialog = response.dialog?.withoutControlCharacters
            try coder.optional("dialog", &dialog, "The app's text for the person.")
        case .completed(let completion):
            var shown = completion.shown
            try shown.members(&coder)
        case .lateOutcome(var answer):
            try coder.required("intent", &answer.intent, "The intent.")
            var phase = Phase.handle
            try coder.required("phase", &phase, as: .constant(Phase.handle.rawValue), "Always handle.")
            try coder.required("code", &answer.code, "The handler's response code.")
            try coder.optional("response", &answer.response, unless: [:], "What it resulted in, by name.")
            var dialog = answer.dialog?.withoutControlCharacters
            try coder.optional("dialog", &dialog, "What the person is told.")
        case .updated(var intent, var update):
            try coder.required("intent", &intent, "The intent.")
            update.dialog = update.dialog?.withoutControlCharacters
            try update.members(&coder)
        case .updatesEnded(var intent, var end, var error):
            try coder.required("intent", &intent, "The intent.")
            try coder.required(
                "reason", &end,
                """
                Why. stopped: from outside. completed: by the handler. invalid: the handler broke a rule or failed. \
                silent: no worker went on. expired: the longest time is over.
                """)
            try coder.optional("error", &error, "With invalid: what was wrong.")
        case .memoryForgotten(var forgotten):
            try coder.required("event", &forgotten.event, "The id of that event.")
            try coder.optional("keys", &forgotten.keys, "The memory keys; all if it is left out.")
            try coder.optional("count", &forgotten.count, "How many values were forgotten, if that is known.")
        case .rejected(var rejection):
            try rejection.membersOfError(&coder)
            try coder.optional(
                "retryAfter", &rejection.retryAfter,
                "With busy, if it is known: in how many milliseconds it may be sent again.")
            var about = rejection.event ?? event
            try coder.optional("event", &about, "The id of the event.")
        }
    }
}

extension Contract {
    static let results: [ContractEvent] = [
        event("Asks the person something.", .prompted(.blank)),
        event(
            "An open prompt once more, for those who remind people, and for readers who have missed it.",
            .reminded(PromptReminder(.blank, .reminder))),
        event(
            "More options of the open prompt.", .optionsListed(ListedOptions(of: .blank, OptionsRequest(prompt: "")))),
        event("Tells how an answer in words was read.", .answerRead(ReadAnswer(prompt: "", readAs: .value))),
        event("Reports how far a request is.", .progressed(Progress(phase: .handle))),
        event("Offers an intent to an app.", .handoffOffered(.blank)),
        event("An app has claimed a handoff.", .handoffClaimed(.blank), side: "results"),
        event(
            "An app has completed a handoff whose request has ended. Any other ends with intent.completed.v1.",
            .handoffCompleted(.blank, IntentResponse(.success)), side: "results"),
        event(
            "An update of a request that has succeeded.", .updated(intent: "", IntentUpdate(phase: "")), side: "results"
        ),
        event("No more updates of that request.", .updatesEnded(intent: "", .completed), side: "results"),
        event(
            "The end of a request. Every request gets exactly one.",
            .completed(Completion(intent: "", status: .success, code: .success, parameters: [], turns: 0))),
        event(
            "A handler succeeded after its request had timed out. It is no second completion.",
            .lateOutcome(LateOutcome(intent: "", code: .success))),
        event(
            "What session.forgotten.v1 has asked for with the scope person is done, and stays so.",
            .memoryForgotten(ForgottenMemory(event: "", keys: nil, count: nil))),
        event(
            "An event was not accepted. Without a sequence, its session has not changed.",
            .rejected(Rejection(.invalid, ""))),
    ]

    private static func event(_ about: String, _ body: SessionResult.Body, side: String? = nil) -> ContractEvent {
        var members = ResultMembers(body: body)
        return ContractEvent(
            members.type, about, side: side, on: [.results], by: [.coordinator],
            ContractMember.list { members.members(&$0) })
    }
}

// MARK: Parts

extension Prompt {
    fileprivate mutating func resultMembers<Coder: MemberCoder & ~Copyable>(_ coder: inout Coder) throws(Coder.Failure)
    {
        try coder.required("prompt", &id, "The prompt's id, which an answer names. It can't be guessed.")
        try coder.required("intent", &intent, "The intent.")
        try coder.required(
            "kind", &kind,
            """
            What is asked. value: a value. choice: one of the options. confirmValue: whether value is meant. \
            confirmIntent: whether to do it. signIn: to sign in.
            """)
        try coder.optional("parameter", &parameter, "The parameter that it is about.")
        try coder.optional("title", &asked.title, "Its name for people.")
        try coder.optional("declaration", &asked.declaration, as: .shape(.declaration), "What values it may have.")
        try coder.optional("element", &asked.element, "For a list: the index of the element.")
        try coder.flag("secret", &asked.isSecret, "The answer is secret.")
        try coder.required("dialog", &dialog, "What the person is asked. It says everything aloud.")
        try coder.display(&supportingDialog, &snippet)
        try coder.optional("signIn", &signIn, "signIn: to what, and where.")
        var (value, provenance) = asked.isSecret ? (nil, nil) : (value, asked.provenance)
        try coder.optional("value", &value, "confirmValue: the value.")
        try coder.optional("provenance", &provenance, "What the value was made of.")
        try coder.flag("items", &isAboutItems, "The options are found items; the request has been handled.")
        try coder.flag("intents", &isAboutIntents, "The options are intents: which one is meant?")
        var page = OptionsPage(of: self)
        try page.members(
            &coder, .optional, withValues: isAboutItems, "choice: the first options. Items have a value.")
        var unsupported = asked.unsupportedReason.map {
            Unsupported(reason: $0, value: asked.isSecret ? nil : asked.rejectedValue)
        }
        try coder.optional("unsupported", &unsupported, "Why the last value was not accepted.")
        try coder.optional("summary", &summary, "The intent in a sentence.")
        var listed = parameters.map(ListedParameter.init)
        try coder.optional("parameters", &listed, unless: [], "The intent's parameters, in their order.")
        try coder.optional("action", &action, "confirmIntent: what the answers are called.")
        var proposals = Dictionary(
            proposed.lazy.filter { !$0.isSecret }.map { ($0.name, $0.value ?? .null) }, uniquingKeysWith: { $1 })
        try coder.optional(
            "proposed", &proposals, unless: [:],
            "confirmIntent: the values that are proposed instead of the person's.")
        var approval = ShownApproval(waiting)
        try coder.optional("approval", &approval, "confirmIntent: others than the person have to agree, or may.")
        try coder.required("expires", &expires, "When the prompt times out.")
    }

    private struct Unsupported: MemberObject {
        var reason: String
        var value: JSON?

        static var blank: Unsupported { Unsupported(reason: "") }

        mutating func members<Coder: MemberCoder & ~Copyable>(_ coder: inout Coder) throws(Coder.Failure) {
            try coder.required("reason", &reason, "The reason.")
            try coder.optional("value", &value, "The value, unless it is secret.")
        }
    }
}

/// A parameter of the intent that a prompt shows.
struct ListedParameter: MemberObject, Equatable {
    var parameter: PromptParameter

    init(_ parameter: PromptParameter) { self.parameter = parameter }

    static var blank: ListedParameter { ListedParameter(PromptParameter(name: "")) }
    static var shape: ContractShape? { .promptParameter }

    mutating func members<Coder: MemberCoder & ~Copyable>(_ coder: inout Coder) throws(Coder.Failure) {
        try parameter.members(&coder)
        try coder.optional("value", &parameter.value, "The value.")
        try coder.optional(
            "source", &parameter.source, "Where the value comes from, if the person did not give it.")
        try coder.optional("reason", &parameter.reason, "Why it has a value that is remembered, in words.")
        try coder.flag(
            "missing", &parameter.isMissing, "It will be asked for. The answer to this prompt may give it already.")
        try coder.optional(
            "declaration", &parameter.declaration, as: .shape(.declaration),
            "What values it may have, if it is missing.")
        var options = parameter.options.map { ShownOption($0, withValue: false) }
        try coder.optional("options", &options, unless: [], "The first options, if it is missing and has some.")
        try coder.flag("optionsOmitted", &parameter.omitsOptions, "There are more values than the options.")
    }
}

/// An option as the person's side sees it.
struct ShownOption: MemberObject, Equatable {
    var option: ParameterOption
    var hasValue: Bool

    init(_ option: ParameterOption, withValue hasValue: Bool) { (self.option, self.hasValue) = (option, hasValue) }

    static var blank: ShownOption { ShownOption(.blank, withValue: false) }
    static var shape: ContractShape? { .option }

    mutating func members<Coder: MemberCoder & ~Copyable>(_ coder: inout Coder) throws(Coder.Failure) {
        if hasValue { try option.members(&coder) } else { try option.shownMembers(&coder) }
    }
}

extension OptionsPage {
    /// The members after the options are there only if the page is not all.
    fileprivate mutating func members<Coder: MemberCoder & ~Copyable>(
        _ coder: inout Coder, _ presence: MemberPresence = .required, withValues: Bool,
        _ about: @autoclosure () -> String
    ) throws(Coder.Failure) {
        var shown: [ShownOption]? = options.map { ShownOption($0.shown, withValue: withValues) }
        if presence == .optional, options.isEmpty { shown = nil }
        try coder.optional("options", &shown, presence, [ShownOption].schema, about())
        var more = total > options.count ? total : nil
        try coder.optional(
            "optionsTotal", &more, as: .integer(from: 1), "How many options there are in all, if these are not all.")
        var start = next.map(String.init)
        try coder.optional(
            "optionsNext", &start, as: .text(matching: "^[0-9]+$"), "The start of the next page, if there is one.")
        var isMore = omitsOptions && shown != nil
        try coder.flag("optionsOmitted", &isMore, "There are more values than the options: say one.")
    }
}

extension MemberCoder where Self: ~Copyable {
    /// The text that is shown where the dialog is said aloud.
    fileprivate mutating func display(_ supporting: inout String?, _ snippet: inout Snippet?) throws(Failure) {
        try optional("supporting", &supporting, "What to show where the dialog is said aloud.")
        try optional("snippet", &snippet, "A card to show beside the words.")
    }
}

/// An activity with the intent that it comes from.
struct ShownActivity: MemberObject {
    var activity: UserActivity
    var interaction: Interaction?

    static var blank: ShownActivity { ShownActivity(activity: .blank) }
    static var shape: ContractShape? { .activity }

    mutating func members<Coder: MemberCoder & ~Copyable>(_ coder: inout Coder) throws(Coder.Failure) {
        try activity.members(&coder)
        try coder.optional("interaction", &interaction, "The intent that it comes from. Only in results.")
    }
}

extension Interaction: MemberObject {
    static var blank: Interaction { Interaction(intent: "", parameters: [], code: .unspecified) }
    static var shape: ContractShape? { .interaction }

    mutating func members<Coder: MemberCoder & ~Copyable>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.required("intent", &intent, "The intent.")
        var values = ShownValues(states: parameters)
        try coder.required("parameters", &values, "Its resolved values.")
        try coder.required("code", &code, "The code of its response.")
        try coder.optional("response", &response, unless: [:], "The values of its response, by name.")
    }
}

/// The values of parameters by name, without secrets, and without those that the intent goes without.
struct ShownValues: MemberValue {
    var states: [ParameterState]

    static var schema: ContractSchema { .shape(.parameters) }

    func encode(to writer: inout JSONWriter) {
        writer.beginObject()
        for state in states where !state.isSecret && state.origin != .notRequired {
            if let value = state.value { writer.member(named: state.name, value) }
        }
        writer.endObject()
    }

    static func read(_ cursor: inout JSONCursor) -> ShownValues? { nil }
}

extension Handoff {
    fileprivate mutating func members<Coder: MemberCoder & ~Copyable>(_ coder: inout Coder, isClaimed: Bool = false)
        throws(Coder.Failure)
    {
        try coder.required("handoff", &id, "The handoff's id, which can't be guessed.")
        try coder.required("mode", &mode, "Whether the person goes to the app, or it works where they are.")
        var shown = ShownActivity(activity: activity.shown, interaction: interaction)
        try coder.required("activity", &shown, "What the app needs.")
        var name = claimant?.name
        if isClaimed { try coder.required("claimant", &name, "Who claimed it.") }
        try coder.required("expires", &expires, "When the handoff times out.")
    }
}

extension Completion {
    fileprivate mutating func members<Coder: MemberCoder & ~Copyable>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.required("intent", &intent, "The intent.")
        try coder.required("status", &status, "How it ended.")
        try coder.required("code", &code, "The handler's response code, or the coordinator's.")
        var values = ShownValues(states: parameters)
        try coder.required("parameters", &values, "The resolved values, without secrets.")
        let told = parameters.filter {
            $0.hasProvenance && !$0.isSecret && $0.origin != .notRequired && $0.value != nil
        }
        var provenances = told.isEmpty ? nil : ShownProvenances(states: told)
        try coder.optional("provenance", &provenances, "How values came about, by parameter.")
        try coder.optional("response", &response, unless: [:], "What the intent resulted in, by name.")
        try coder.optional("dialog", &dialog, "What the person is told.")
        try coder.display(&supportingDialog, &snippet)
        try coder.optional("results", &results, unless: [], "With partialSuccess: what came of each element.")
        var shown = activity.map {
            ShownActivity(
                activity: $0.shown,
                interaction: Interaction(intent: intent, parameters: parameters, code: code, response: response))
        }
        try coder.optional("activity", &shown, "For a code that brings an app to the foreground.")
        try coder.optional("error", &error, "What went wrong that the code does not say.")
        try coder.required("turns", &turns, "How many prompts it took.")
        try coder.optional("items", &items, unless: [], "What was found.")
        try coder.optional("chosen", &chosen, "The id of the item that the person chose.")
        var approved = agreement.map { Agreement.Shown(agreement: $0) }
        try coder.optional("agreement", &approved, "Who has agreed to the values, if others had to or could.")
        try coder.optional("opens", &opens, "The request that follows.")
        try coder.flag("updates", &offersUpdates, "updates.started.v1 can ask for updates.")
        try coder.optional("undo", &undo, "undo.requested.v1 can take it back.")
    }
}

/// The provenance of values, by the names of parameters.
private struct ShownProvenances: MemberValue {
    var states: [ParameterState]

    static var schema: ContractSchema { .map(of: .shape(.provenance)) }

    func encode(to writer: inout JSONWriter) {
        writer.beginObject()
        for state in states {
            writer.name(named: state.name)
            var provenance = state.provenance
            provenance?.encode(to: &writer)
        }
        writer.endObject()
    }

    static func read(_ cursor: inout JSONCursor) -> ShownProvenances? { nil }
}

extension OpenedRequest: MemberObject {
    static var blank: OpenedRequest { OpenedRequest(request: "", intent: "") }

    mutating func members<Coder: MemberCoder & ~Copyable>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.required("request", &request, "The request.")
        try coder.required("intent", &intent, "Its intent.")
    }
}

extension OfferedUndo: MemberObject {
    static var blank: OfferedUndo { OfferedUndo(intent: "", title: nil, expires: Instant(milliseconds: 0)) }

    mutating func members<Coder: MemberCoder & ~Copyable>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.required("intent", &intent, "The intent that takes it back.")
        try coder.optional("title", &title, "What it does, for a button.")
        try coder.required("expires", &expires, "Until when it can be asked for.")
    }
}

extension Rejection: MemberObject {
    static var blank: Rejection { Rejection(.invalid, "") }
    static var shape: ContractShape? { .error }

    mutating func members<Coder: MemberCoder & ~Copyable>(_ coder: inout Coder) throws(Coder.Failure) {
        try membersOfError(&coder)
        if let wait = retryAfter, !Coder.isReading {
            var wait: Duration? = wait
            try coder.optional("retryAfter", &wait, "")
        }
    }

    fileprivate mutating func membersOfError<Coder: MemberCoder & ~Copyable>(_ coder: inout Coder) throws(Coder.Failure)
    {
        message = message.withoutControlCharacters
        field = field?.onOneLine
        try coder.required("reason", &reason, "Why.")
        try coder.required("message", &message, "What is wrong and what to do.")
        try coder.optional("field", &field, "The field that it is about.")
    }
}

extension Handoff.Mode: MemberValue {}
extension PromptReminder.Reason: MemberValue {}
extension Completion.Status: MemberValue {}
