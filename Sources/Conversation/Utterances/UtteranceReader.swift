import IntentModel

/// Reads an answer in words as an answer to the open prompt.
///
/// The coordinator knows the phrases and the options, and reads them here. A value in words is left to the resolver of the parameter. Words that fit two options are asked about, and never guessed.
struct UtteranceReader {
    let prompt: Prompt
    let language: PhraseBook.Language

    enum Reading: Sendable, Equatable {
        case yes, no, noneOfThese, skip, cancel, `repeat`, help
        case value(String)
        /// Words that may change what the person is asked to agree to.
        case change
        /// The place of the option in the prompt, from 0.
        case option(Int)
        /// The places of the options that may be meant, if any.
        case unclear([Int])
    }

    func read(_ text: String) -> Reading {
        let said = SaidWords(text)
        let meaning = language.meanings[said.folded]
        if meaning == .cancel, PhraseBook.stops.contains(said.folded) { return .cancel }
        let options = OptionReader(prompt.kind == .choice ? prompt.options : [], language)
        if prompt.kind == .choice, case let titled = options.titled(said), titled.count == 1 {
            return .option(titled[0])
        }
        switch meaning {
        case .cancel: return .cancel
        case .repeat, .list: return .repeat
        case .help: return .help
        default: break
        }
        switch prompt.kind {
        // "Pass" may be the value of a parameter that is needed.
        case .value: return meaning == .skip && (prompt.isOptional || prompt.question != nil) ? .skip : .value(text)
        case .confirmIntent:
            // Whatever else is said is never a yes. It may be another value, which the resolver reads.
            let isOfRequest = prompt.question == nil && prompt.proposed.isEmpty
            let other = isOfRequest && meaning == nil ? Reading.change : .unclear([])
            return agreement(said, meaning) ?? other  // rule: onlyYesIsYes
        case .confirmValue:
            // "No?" can be answered with yes and with no, and each may mean either.
            if prompt.isAboutNo, meaning == .yes || meaning == .no { return .unclear([]) }
            return agreement(said, meaning) ?? otherValue(said, meaning)
        case .signIn: return agreement(said, meaning) ?? code(text)
        case .choice: return choice(said, meaning, options)
        }
    }

    /// Agreement, or its refusal, by the closed lists alone.
    private func agreement(_ said: SaidWords, _ meaning: PhraseBook.Meaning?) -> Reading? {
        switch meaning {
        case .yes, .right: prompt.signIn?.requires == .localDevice || !said.isPlainAgreement ? .unclear([]) : .yes
        case .no, .wrong: .no
        default: nil
        }
    }

    /// Another value than the one that is asked about: "Leeds", and "no, Leeds". What only begins with a yes or a no is not clear.
    private func otherValue(_ said: SaidWords, _ meaning: PhraseBook.Meaning?) -> Reading {
        if meaning == .maybe { return .unclear([]) }
        guard let first = said.folded.split(separator: " ").first.map(String.init),
            let opening = language.meanings[first], [.yes, .no, .right, .wrong].contains(opening)
        else { return .value(said.text) }
        let parts = said.text.split(separator: ",", maxSplits: 1)
        guard opening == .no, parts.count == 2, TextFolding.fold(String(parts[0])) == first,
            language.meanings[TextFolding.fold(String(parts[1]))] == nil
        else { return .unclear([]) }
        return .value(String(parts[1].drop { $0 == " " }))
    }

    /// The code that a page for signing in has shown: one word with a digit.
    private func code(_ text: String) -> Reading {
        let isCode = !text.contains(" ") && text.utf8.contains { 0x30...0x39 ~= $0 }
        return prompt.signIn?.requires == nil && isCode ? .value(text) : .unclear([])
    }

    private func choice(_ said: SaidWords, _ meaning: PhraseBook.Meaning?, _ options: OptionReader) -> Reading {
        let isAboutParameter = prompt.parameter != nil
        switch meaning {
        case .no, .noneOfThese: return .noneOfThese
        case .skip: return .skip
        default: break
        }
        // Where there are more values than options, a part of a name may be that of another value.
        let meant = options.meant(by: said, readsParts: !(isAboutParameter && prompt.omitsOptions))
        if meant.count == 1 { return .option(meant[0]) }
        if meant.isEmpty { return isAboutParameter ? .value(said.text) : .unclear([]) }
        return .unclear(meant)
    }
}

extension Prompt {
    /// `true` if the prompt asks whether a no is right.
    var isAboutNo: Bool { kind == .confirmValue && value?.view.bool == false }
}
