/// A reader that interprets a person's words as values, and writes values for the person: "tomorrow at half past six"
/// becomes `2026-03-03T18:30:00+01:00`.
///
/// The module SpokenValues has a reader for English, Dutch, German, French and Spanish. An `IntentRegistry` with a
/// reader uses it for text that the type of a parameter can't read or may misread.
public protocol SpokenValueReading: Sendable {
    /// Returns the values that the words may stand for, the likeliest first; empty if there are none.
    ///
    /// Called while a parameter is resolved, so the method must return at once, without network or file access. The
    /// words may be any text.
    func candidates(for words: String, as kind: SpokenKind, in context: SpeechContext) -> [SpokenCandidate]

    /// Returns a value as the person reads it, such as a moment in the person's time zone and language; `nil` for the
    /// text that the type itself writes.
    ///
    /// - Parameter value: The value in the form of ``SpokenCandidate/text``.
    func text(of value: String, as kind: SpokenKind, in context: SpeechContext) -> String?
}

extension SpokenValueReading {
    public func text(of value: String, as kind: SpokenKind, in context: SpeechContext) -> String? { nil }
}
