/// Reads values from a person's words, and writes them for the person: "tomorrow at half past six" becomes `2026-03-03T18:30:00+01:00`.
///
/// The module SpokenValues has one for English, Dutch, German, French and Spanish. An `IntentRegistry` that is given a reader asks it for the text of
/// parameters whose types do not read the text themselves.
public protocol SpokenValueReading: Sendable {
    /// The values that the words may stand for, the likeliest first; empty if there are none.
    ///
    /// It is called while a parameter is resolved, so it must return at once: no network, no files. The words may be anything.
    func candidates(for words: String, as kind: SpokenKind, in context: SpeechContext) -> [SpokenCandidate]

    /// A value as the person reads it: a moment in their zone and language. `nil` for the type's own text.
    ///
    /// - Parameter value: In the form of ``SpokenCandidate/text``.
    func text(of value: String, as kind: SpokenKind, in context: SpeechContext) -> String?
}

extension SpokenValueReading {
    public func text(of value: String, as kind: SpokenKind, in context: SpeechContext) -> String? { nil }
}
