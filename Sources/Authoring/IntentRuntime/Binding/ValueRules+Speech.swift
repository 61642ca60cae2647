import IntentKit

// Reading what a person said, where the type alone does not read it, or reads it doubtfully.
extension ValueRules {
    /// Values whose likelihoods are this close are told apart by the person.
    private static var close: Double { 0.15 }

    /// The value that the registry's reader understands, or a question about it.
    ///
    /// - Parameters:
    ///   - json: What was given.
    ///   - said: What the type has read; `nil` if it could not.
    /// - Returns: `nil` if the reader has nothing to say: there is none, the value is not text, or no words of its kind.
    func heard(_ json: JSON?, _ said: Item?, options: [Item]?, _ context: Context) -> Heard? {
        guard listens(to: json, said, context), let reader = context.scope.spokenValues, let spokenKind, let words = json?.view.string
        else {
            return nil
        }
        if said == nil, let options, case .value = narrow(nil, words, options: options, context.locale) { return nil }
        let speech = SpeechContext(locale: context.locale, timeZone: context.timeZone, now: context.now)
        let values = values(of: reader.candidates(for: words, as: spokenKind, in: speech), options)
        guard let best = values.first else { return nil }
        let rivals = values.filter { $0.confidence > best.confidence - Self.close }
        let reading = (interpreted: JSON(best.value), confidence: best.confidence)
        if rivals.count > 1 { return Heard(meaning: .answer(.disambiguation(rivals.map(\.value))), reading: reading) }
        if best.confidence >= ParameterState.Provenance.sufficientConfidence { return Heard(meaning: .value(best.value), reading: reading) }
        // Answers to questions from code are not confirmed, so the person chooses.
        let isConfirmed = context.phase == .resolve || values.count == 1
        return Heard(
            meaning: .answer(isConfirmed ? .confirmationRequired(best.value) : .disambiguation(values.map(\.value))), reading: reading)
    }

    /// What the reader has made of words.
    struct Heard {
        let meaning: Narrowed
        let reading: (interpreted: JSON, confidence: Double)
    }

    /// Whether the reader is asked: the value is text that the type does not read, or reads doubtfully.
    func listens(to json: JSON?, _ said: Item?, _ context: Context) -> Bool {
        guard context.scope.spokenValues != nil, spokenKind != nil, let words = json?.view.string else { return false }
        return said == nil || isDoubtful(words, context.locale)
    }

    /// Whether the type may have misread the words: in German, "1.500" is 1500.
    private func isDoubtful(_ words: String, _ locale: String?) -> Bool {
        guard locale != nil else { return false }
        return switch spokenKind {
        case .number, .wholeNumber, .currencyAmount: words.utf8.contains { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: ",") }
        case .dateTime, .date, .time, .yesNo, .duration, nil: false
        }
    }

    /// The candidates as values, each once. If the declaration allows some of them, only those.
    private func values(of candidates: [SpokenCandidate], _ options: [Item]?) -> [(value: Item, confidence: Double)] {
        var values: [(value: Item, confidence: Double)] = []
        for candidate in candidates {
            guard let value = Item(text: candidate.text), !values.contains(where: { $0.value == value }) else { continue }
            values.append((value, candidate.confidence))
        }
        let allowed = values.filter { value, _ in
            range?.violation(by: value) == nil && options?.contains { $0.optionID == value.optionID } != false
        }
        return allowed.isEmpty ? values : allowed
    }
}
