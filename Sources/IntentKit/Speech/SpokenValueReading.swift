/// Reads values from a person's words: "tomorrow at half past six" becomes `2026-03-03T18:30:00+01:00`.
///
/// The module SpokenValues has one for English, Dutch, German, French and Spanish. An `IntentRegistry` that is given a reader asks it for the text of
/// parameters whose types do not read the text themselves.
public protocol SpokenValueReading: Sendable {
    /// The values that the words may stand for, the likeliest first; empty if there are none.
    ///
    /// It is called while a parameter is resolved, so it must return at once: no network, no files. The words may be anything.
    func candidates(for words: String, as kind: SpokenKind, in context: SpeechContext) -> [SpokenCandidate]
}
