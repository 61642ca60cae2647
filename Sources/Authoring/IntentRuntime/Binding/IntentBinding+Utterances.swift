import IntentKit

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Reads the words of answers as values of several parameters, or of another one than the person was asked for.
extension IntentBinding {
    /// The invocation with the words of its answers at the parameters that they are about.
    ///
    /// Words that are a value of the parameter that was asked for stay as they are. Others are split only if each part
    /// can be about one parameter alone: by the parameter's title, by a word of the summary ("to Leeds"), or by the type
    /// of its value ("four"). A single value among words that are not understood has to be confirmed.
    func splitting(_ invocation: IntentInvocation, _ reader: (any SpokenValueReading)?) async -> IntentInvocation {
        guard invocation.phase == .resolve else { return invocation }
        let context = invocation.context
        var split = invocation
        var speech = SpeechContext(locale: context.locale, timeZone: context.timeZone)
        speech.now = context.now.map(Date.init(milliseconds:))
        split.context.said = []
        for answer in context.said {
            let language = answer.language ?? context.locale
            speech.locale = language
            let asked = names.firstIndex { $0 == answer.parameter }
            speech.offered = answer.offered.compactMap(\.spokenText)
            let whole = asked.map { bindings[$0].fit(of: answer.words, speech, reader) } ?? .none
            // Most answers are the value that was asked for.
            let isAlone =
                answer.isForParameterAlone || answer.element != nil || whole == .byType || whole == .freeText
            var options = Array(repeating: Set<String>(), count: bindings.count)
            for (index, binding) in bindings.enumerated() where !isAlone || index == asked && whole == .byName {
                options[index] = await binding.optionNames(in: language)
            }
            let known = KnownFits()
            let form = FormReader(fields: fields(in: language), asked: asked, words: FormWords.of(language)) {
                [names, bindings, speech, options] index, words in
                known.fit(index, words) {
                    // A value that is still to be resolved stays: it may be newer.
                    if names[index] != answer.parameter, invocation.isGiven(names[index]) { return .none }
                    var speech = speech
                    speech.offered = invocation.offered(for: names[index], by: answer).compactMap(\.spokenText)
                    let fit = bindings[index].fit(of: words, speech, reader)
                    guard fit == .byName else { return fit }
                    if options[index].contains(TextFolding.fold(words)) { return .byType }
                    return bindings[index].hasOtherValues ? .byName : .none
                }
            }
            guard !isAlone, let values = form.read(answer.words) else {
                if let asked, answer.element == nil, !options[asked].contains(TextFolding.fold(answer.words)),
                    let value = bindings[asked].isPlace
                        ? NameReader(locale: language, offered: answer.offered).name(in: answer.words)
                        : form.mention(in: answer.words)
                {
                    split.set(names[asked], value, confidence: Self.mentionConfidence)
                }
                if answer.parameter != nil { split.context.said.append(answer) }
                continue
            }
            for (index, words) in values.sorted(by: { $0.key < $1.key }) {
                let offered = invocation.offered(for: names[index], by: answer)
                split.set(names[index], words)
                split.context.said.append(
                    SaidAnswer(words, in: answer.language, parameter: names[index], offered: offered))
            }
            if let asked = form.asked, values[asked] == nil { split.set(names[asked], nil) }
        }
        return split
    }

    /// The confidence of a value among other words: low enough that the person is asked.
    private static var mentionConfidence: Double { 0.6 }

    private func fields(in locale: String?) -> [FormReader.Field] {
        var fields = bindings.map { FormReader.Field(title: $0.title(in: locale)) }
        for (index, word) in summary.words(in: locale, bindings.map(\.identity)) {
            if word.isBefore { fields[index].before.insert(word.text) } else { fields[index].after.insert(word.text) }
        }
        return fields
    }
}

extension IntentInvocation {
    /// The values that words about a parameter may be relative to: those that were offered for it, or its own.
    fileprivate func offered(for parameter: String, by answer: SaidAnswer) -> [JSON] {
        if answer.parameter == parameter { return answer.offered }
        let state = parameters.first { $0.name == parameter && $0.origin != .notRequired && $0.origin != .given }
        return state?.value.map { [$0] } ?? []
    }

    fileprivate func isGiven(_ parameter: String) -> Bool {
        parameters.contains { $0.name == parameter && $0.origin == .given && $0.value != nil }
    }

    fileprivate mutating func set(_ parameter: String, _ words: String?, confidence: Double? = nil) {
        parameters.removeAll { $0.name == parameter }
        guard let words else { return }
        var state = ParameterState(name: parameter, value: .string(words))
        if let confidence { state.provenance = ParameterState.Provenance(confidence: confidence) }
        parameters.append(state)
    }
}

/// The fits of one sentence, each of which takes a reader a while.
private final class KnownFits {
    private var known: [Int: [String: WordsFit]] = [:]

    func fit(_ index: Int, _ words: String, _ read: () -> WordsFit) -> WordsFit {
        if let fit = known[index]?[words] { return fit }
        let fit = read()
        known[index, default: [:]][words] = fit
        return fit
    }
}

/// How words fit a parameter.
enum WordsFit {
    /// Its type reads the words, and few others do.
    case byType
    /// The words may be a value, as most words may: only its name tells that they are about it.
    case byName
    /// The words may be a value, and so may any sentence.
    case freeText
    case none
}

extension CompiledSummary {
    /// The words directly before and after each parameter in the summary, folded, with the place of the parameter.
    /// Words that two parameters have, and articles, tell nothing.
    func words(in locale: String?, _ identities: [ObjectIdentifier])
        -> [(index: Int, word: (text: String, isBefore: Bool))]
    {
        var found: [(index: Int, word: (text: String, isBefore: Bool))] = []
        let articles = FormWords.of(locale).articles
        for sentence in sentences {
            let pieces = sentence.pieces(in: locale)
            for (place, piece) in pieces.enumerated() {
                guard case .parameter(let binding) = piece,
                    let index = identities.firstIndex(of: binding.identity)
                else { continue }
                if place > 0, case .text(let text) = pieces[place - 1],
                    let word = TextFolding.fold(text.text(in: locale)).split(separator: " ").last
                {
                    found.append((index, (String(word), true)))
                }
                if place + 1 < pieces.count, case .text(let text) = pieces[place + 1],
                    let word = TextFolding.fold(text.text(in: locale)).split(separator: " ").first
                {
                    found.append((index, (String(word), false)))
                }
            }
        }
        return found.filter { entry in
            !articles.contains(entry.word.text)
                && !found.contains { $0.index != entry.index && $0.word == entry.word }
        }
    }

    private var sentences: [CompiledSentence<Subject>] {
        switch self {
        case .sentence(let sentence): [sentence]
        case .choice(_, let cases, let otherwise): cases.flatMap(\.summary.sentences) + otherwise.sentences
        }
    }
}
