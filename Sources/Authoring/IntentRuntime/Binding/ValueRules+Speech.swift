import IntentKit

// Reads the person's words where the type alone does not read them, or reads them doubtfully.
extension ValueRules {
    /// The largest difference in likelihood between values that the person has to choose from.
    private static var close: Double { 0.15 }

    /// The value that the registry's reader understands, or a question about the value.
    ///
    /// - Parameters:
    ///   - json: The given value.
    ///   - said: The value that the type has read; `nil` if the type could not read it.
    /// - Returns: `nil` if there is no reader, the value is not text, or the reader finds no words of this kind.
    func interpretation(of json: JSON?, _ said: Item?, options: [Item]?, _ context: Context) -> Heard? {
        guard needsReader(for: json, said, context), let reader = context.scope.spokenValues, let spokenKind,
            let words = json?.view.string
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
        if best.confidence >= ParameterState.Provenance.sufficientConfidence {
            return Heard(meaning: .value(best.value), reading: reading)
        }
        // Answers to questions from code can't be confirmed, so the person chooses.
        let isConfirmed = context.phase == .resolve || values.count == 1
        return Heard(
            meaning: .answer(isConfirmed ? .confirmationRequired(best.value) : .disambiguation(values.map(\.value))),
            reading: reading)
    }

    /// The reader's interpretation of words.
    struct Heard {
        let meaning: Narrowed
        let reading: (interpreted: JSON, confidence: Double)
    }

    /// `true` if the reader is needed: the value is text that the type does not read, or reads doubtfully.
    func needsReader(for json: JSON?, _ said: Item?, _ context: Context) -> Bool {
        guard context.scope.spokenValues != nil, spokenKind != nil, let words = json?.view.string else { return false }
        return said == nil || isDoubtful(words, context.locale)
    }

    /// `true` if the type may have misread the words: in German, "1.500" is 1500.
    private func isDoubtful(_ words: String, _ locale: String?) -> Bool {
        guard locale != nil else { return false }
        return switch spokenKind {
        case .number, .wholeNumber, .currencyAmount:
            words.utf8.contains { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: ",") }
        case .dateTime, .date, .time, .yesNo, .duration, nil: false
        }
    }

    /// The candidates as values, without duplicates. If the declaration allows some of the values, only the allowed
    /// ones.
    private func values(of candidates: [SpokenCandidate], _ options: [Item]?) -> [(value: Item, confidence: Double)] {
        var values: [(value: Item, confidence: Double)] = []
        for candidate in candidates {
            guard let value = Item(text: candidate.text), !values.contains(where: { $0.value == value }) else {
                continue
            }
            values.append((value, candidate.confidence))
        }
        let allowed = values.filter { value, _ in
            range?.violation(by: value) == nil && options?.contains { $0.optionID == value.optionID } != false
        }
        return allowed.isEmpty ? values : allowed
    }
}
