import IntentKit

/// One sentence of a summary in every language that it has.
struct CompiledSentence<Subject: Intent>: Sendable {
    enum Piece: Sendable {
        case text(LocalizedText)
        case parameter(any ParameterBinding<Subject>)
    }

    let pieces: [Piece]
    /// By BCP 47 tag, in its usual capitals.
    var translations: [String: [Piece]] = [:]

    init(pieces: [Piece]) { self.pieces = pieces }

    /// Adds what the table has of it; that goes before the sentence's own translations.
    mutating func translate(by table: LocalizedTable, _ bindings: [any ParameterBinding<Subject>]) {
        for (tag, text) in table.translations(of: Self.template(pieces, locale: nil)) ?? [:] {
            translations[tag] = LocalizedFormat.parts(of: text).map { part in
                switch part {
                case .text(let words): return .text(LocalizedText(words))
                case .named(let name):
                    return bindings.first { $0.name == name }.map { .parameter($0) } ?? .text(LocalizedText("${\(name)}"))
                case .argument: return .text(LocalizedText("%@"))
                }
            }
        }
    }

    func text(for intent: Subject, locale: String?) -> String {
        var text = ""
        for piece in pieces(in: locale) {
            switch piece {
            case .text(let words): text += words.text(in: locale)
            case .parameter(let binding): text += binding.text(in: intent, locale: locale)
            }
        }
        return text
    }

    /// The sentence with its parameters' names, as it stands in tables: `${ride} to ${dropOff}`.
    func template(in locale: String?) -> String { Self.template(pieces(in: locale), locale: locale) }

    private func pieces(in locale: String?) -> [Piece] {
        guard let locale, !translations.isEmpty else { return pieces }
        return LanguageTag.first(for: locale) { translations[$0] } ?? pieces
    }

    private static func template(_ pieces: [Piece], locale: String?) -> String {
        pieces.reduce(into: "") { template, piece in
            switch piece {
            case .text(let text): template += text.text(in: locale)
            case .parameter(let binding): template += "${\(binding.name)}"
            }
        }
    }
}
