import Foundation
import IntentModel
import PipelineTestKit
import Testing

@testable import Conversation

/// Texts at random, made of phrases that agree, words around them, and signs that change or hide their meaning.
private struct RandomAnswer {
    private let agreements: [String]
    private static let around = [
        "but", "not", "no", "don't", "aber", "nicht", "nein", "kein", "mais", "pas", "non", "pero", "no", "maar",
        "niet",
        "geen", "maybe", "if", "20 euros", "later", "for four", "wait", "and", "und", "et", "y", "en", "?", "!", "…",
        "😀", "👎", "🚫", "\u{202E}", "\u{0}", "\u{336}", "\u{200B}", "ye", "es", "oui?", "s", "k", "1", "true", "…?",
        "yes", "ja", "sí", "oui", "please", "bitte", "merci", "gracias", "dank", "cancel", "stop", ",", ".", "\n", "\t",
    ]

    init(_ language: PhraseBook.Language) {
        agreements = language.meanings.filter { $0.value == .yes || $0.value == .right }.map(\.key).sorted()
    }

    func text(_ random: inout SeededRandom) -> String {
        var words = (0..<Int.random(in: 0...3, using: &random)).map { _ in random.pick(Self.around) }
        if !random.once(in: 4) {
            words.insert(random.pick(agreements), at: words.indices.randomElement(using: &random) ?? 0)
        }
        var text = words.joined(separator: random.once(in: 3) ? "" : " ")
        if random.once(in: 4) { text = text.uppercased() }
        if random.once(in: 4), !text.isEmpty {
            let index = text.indices.randomElement(using: &random)!
            text.insert(contentsOf: random.pick(Self.around), at: index)
        }
        if random.once(in: 8), !text.isEmpty { text.remove(at: text.indices.randomElement(using: &random)!) }
        return text
    }
}

@Suite("No text outside of the lists agrees") struct AgreementTests {
    private let seed = ProcessInfo.processInfo.environment["SEED"].flatMap(UInt64.init) ?? .random(in: 0...UInt64.max)
    /// How many texts are tried for each language.
    private let count = ProcessInfo.processInfo.environment["UTTERANCES"].flatMap { Int($0) } ?? 4_000

    /// The letters and digits of a text in lower case, without marks, and one space between words. A full stop between
    /// letters joins them, as in "p.m.". Foundation's folding is another one than the reader's.
    private func words(_ text: String) -> String {
        let folded = text.replacing("ß", with: "ss").folding(
            options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: Locale(identifier: "en")
        ).replacing(/(\p{L})\.(?=\p{L})/) { $0.output.1 }
        return folded.filter { $0 != "'" && $0 != "’" }.split { !$0.isLetter && !$0.isNumber }.joined(separator: " ")
    }

    @Test(arguments: ["en", "de", "fr", "es", "nl"])
    func `to a confirmation, a proposed value or a sign-in`(_ tag: String) {
        let language = PhraseBook.builtIn.language(tag)
        let listed = Set(
            language.meanings.filter { $0.value == .yes || $0.value == .right }.map { words($0.key) })
        let now = Instant(milliseconds: 0)
        let readers = [Prompt.Kind.confirmIntent, .confirmValue, .signIn, .value, .choice].map { kind in
            var prompt = Prompt(id: "p", intent: "Book", kind: kind, parameter: nil, dialog: "?", expires: now)
            prompt.options = ["One", "Two"].map { ParameterOption(id: $0, title: $0, value: .string($0)) }
            if kind == .signIn { prompt.signIn = SignIn() }
            return UtteranceReader(prompt: prompt, language: language)
        }
        let texts = RandomAnswer(language)
        var random = SeededRandom(seed: seed)
        var agreed = 0
        for _ in 0..<count {
            let text = texts.text(&random)
            for reader in readers {
                guard reader.read(text) == .yes else { continue }
                agreed += 1
                let kind = reader.prompt.kind
                #expect(
                    listed.contains(words(text)) && kind != .value && kind != .choice,
                    "\(text.debugDescription) as \(kind) with SEED=\(seed)")
            }
        }
        #expect(agreed > 0, "some of the texts are phrases of the lists")
    }
}
