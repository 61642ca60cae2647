import Foundation
import IntentKit

/// A person's words as ``Item``s, the language and context that decide their meaning, and the place up to which the
/// words are read.
struct Words {
    let items: [Item]
    let language: SpokenLanguage
    let context: SpeechContext
    var place = 0

    var isAtEnd: Bool { place >= items.count }
    var current: Item? { place < items.count ? items[place] : nil }
    func peek(_ ahead: Int) -> Item? { place + ahead < items.count ? items[place + ahead] : nil }

    /// Advances past the current item if it is this one.
    mutating func accept(_ item: Item) -> Bool {
        guard current == item else { return false }
        place += 1
        return true
    }

    mutating func skipFillers() { while let item = current, item.isFiller { place += 1 } }

    /// Reads with a copy, and advances only if the copy has read something.
    mutating func attempt<Value>(_ read: (inout Words) -> Value?) -> Value? {
        var copy = self
        guard let value = read(&copy) else { return nil }
        place = copy.place
        return value
    }

    /// Reads a whole number in words, or in digits without separators.
    mutating func whole() -> Int? {
        let number: Int? =
            switch current {
            case .number(let number): number
            case .figure(let figure) where !figure.isOrdinal: figure.whole
            default: nil
            }
        if number != nil { place += 1 }
        return number
    }

    /// The region of the locale, such as `GB`.
    var region: String? {
        context.locale?.split(whereSeparator: { $0 == "-" || $0 == "_" }).dropFirst().first { $0.count == 2 }?
            .uppercased()
    }

    var decimalSeparator: Character {
        Locale(identifier: context.locale ?? "en").decimalSeparator?.first ?? "."
    }
}
