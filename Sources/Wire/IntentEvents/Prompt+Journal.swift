import Conversation
import IntentModel

extension Prompt: JournalObject {
    static var blank: Prompt { Prompt(id: "", intent: "", kind: .value, dialog: "", expires: Instant(milliseconds: 0)) }

    mutating func fields<Coder: JournalCoder & ~Copyable>(_ coder: inout Coder) throws(Coder.Failure) {
        var unsupported = asked.unsupportedReason.map { Unsupported(reason: $0, value: asked.rejectedValue) }
        var proposed = proposed.isEmpty ? nil : JournalParameters(proposed)
        var time = TimeText(time: expires)
        try coder.field("id", &id)
        try coder.field("intent", &intent)
        try coder.field("kind", &kind)
        try coder.field("parameter", &parameter)
        try coder.field("element", &asked.element)
        try coder.field("secret", &asked.isSecret, default: false)
        try coder.field("dialog", &dialog)
        try coder.field("value", &value)
        try coder.field("items", &isAboutItems, default: false)
        try coder.field("intents", &isAboutIntents, default: false)
        try coder.field("options", &options, default: [])
        try coder.field("optionsOmitted", &omitsOptions, default: false)
        try coder.field("unsupported", &unsupported)
        try coder.field("summary", &summary)
        try coder.field("expires", &time)
        try coder.field("parameters", &proposed)
        try coder.field("title", &asked.title)
        try coder.field("question", &question)
        try coder.field("declaration", &asked.declaration)
        try coder.field("shown", &parameters, default: [])
        try coder.field("action", &action)
        try coder.field("supporting", &supportingDialog)
        try coder.field("snippet", &snippet)
        try coder.field("signIn", &signIn)
        try coder.field("provenance", &asked.provenance)
        try coder.field("readings", &readings, default: 0)
        try coder.field("waiting", &$waiting)
        guard Coder.isReading else { return }
        asked.unsupportedReason = unsupported?.reason
        asked.rejectedValue = unsupported?.value
        self.proposed = proposed?.states ?? []
        expires = time.time
    }

    private struct Unsupported: JournalObject {
        var reason: String
        var value: JSON?

        static var blank: Unsupported { Unsupported(reason: "") }

        mutating func fields<Coder: JournalCoder & ~Copyable>(_ coder: inout Coder) throws(Coder.Failure) {
            try coder.field("reason", &reason)
            try coder.field("value", &value)
        }
    }

    /// The one time that is written as text.
    private struct TimeText: JournalValue {
        var time: Instant

        init(time: Instant) { self.time = time }

        func write(to writer: inout JSONWriter) { writer.string(time.description) }

        init(journal view: JSONView) throws(JournalFault) {
            guard let time = view.string.flatMap(Instant.init(rfc3339:)) else { throw JournalFault("is no time") }
            self.time = time
        }
    }
}

extension Prompt.Question: JournalObject {
    static var blank: Prompt.Question { Prompt.Question(id: "", phase: .confirm) }

    mutating func fields<Coder: JournalCoder & ~Copyable>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.field("id", &id)
        try coder.field("phase", &phase)
    }
}
