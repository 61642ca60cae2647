import Foundation
import IntentKit

/// The words of one language, ready for look-up.
struct SpokenLanguage: Sendable {
    let code: String
    /// `true` if "half seven" is half past six.
    let halfNamesNextHour: Bool
    /// `true` if digits are grouped by spaces: "1 234".
    let groupsBySpace: Bool
    /// The endings of ordinals in digits: "rd".
    let ordinalEndings: Set<String>
    /// The meanings of folded phrases, whose words are separated by single spaces.
    private let phrases: [String: [Item]]
    /// The number of words in the longest phrase that begins with this word.
    private let lengths: [String: Int]
    /// The names of yesterday, today and tomorrow, by the number of days from today.
    let dayNames: [Int: String]
    private let yes: Set<String>
    private let no: Set<String>
    /// The symbols of units by their folded names.
    private let units: [String: String]
    private let marks: [String: [Mark]]

    init(_ words: LanguageWords) {
        code = words.code
        halfNamesNextHour = words.halfNamesNextHour
        groupsBySpace = words.groupsBySpace
        ordinalEndings = words.ordinalEndings
        var phrases: [String: [Item]] = [:]
        func add(_ phrase: String, _ items: [Item]) {
            for key in words.keys(phrase) where !key.isEmpty { phrases[key] = items }
        }
        // A later phrase replaces an earlier one.
        for (name, item) in CalendarNames.items(words.code) {
            add(name, [item])
            guard case .weekday = item else { continue }
            for (ending, part) in words.dayPartEndings { add(name + ending, [item, .part(part)]) }
        }
        for (phrase, number) in words.numbers { add(phrase, [.number(number)]) }
        for (phrase, number) in words.ordinals { add(phrase, [.ordinal(number)]) }
        for (items, list) in words.entries {
            for phrase in list.split(separator: "|") { add(String(phrase), items) }
        }
        self.phrases = phrases
        dayNames = words.dayNames
        var lengths: [String: Int] = [:]
        for phrase in phrases.keys {
            let parts = phrase.split(separator: " ")
            lengths[String(parts[0])] = max(lengths[String(parts[0])] ?? 0, parts.count)
        }
        self.lengths = lengths
        var units: [String: String] = [:]
        for (symbol, names) in words.units {
            for name in names.split(separator: "|") { for key in words.keys(String(name)) { units[key] = symbol } }
        }
        self.units = units
        var marks: [String: [Mark]] = [:]
        for (mark, phrases) in words.marks {
            for phrase in phrases.split(separator: "|") {
                for key in words.keys(String(phrase)) { marks[key, default: []].append(mark) }
            }
        }
        self.marks = marks
        yes = Set(words.yes.split(separator: "|").flatMap { words.keys(String($0)) })
        no = Set(words.no.split(separator: "|").flatMap { words.keys(String($0)) })
    }

    /// The longest phrase that begins at this word.
    func phrase(at start: Int, of words: [String]) -> (items: [Item], end: Int)? {
        guard let longest = lengths[words[start]] else { return nil }
        for count in stride(from: min(longest, words.count - start), to: 0, by: -1) {
            let end = start + count
            if let items = phrases[words[start..<end].joined(separator: " ")] { return (items, end) }
        }
        return nil
    }

    /// The symbol of a unit with this folded name.
    func unit(_ folded: String) -> String? { units[folded] }

    /// The longest mark that begins at this word, if it is one of these.
    ///
    /// - Parameter words: The folded words.
    func mark(at start: Int, of words: [String], among wanted: Set<Mark>) -> (mark: Mark, end: Int)? {
        for count in stride(from: min(Self.maximumMarkWords, words.count - start), to: 0, by: -1) {
            let found = marks[words[start..<start + count].joined(separator: " ")]
            if let mark = found?.first(where: wanted.contains) { return (mark, start + count) }
        }
        return nil
    }

    private static let maximumMarkWords = 4

    /// The answer in folded words; `nil` if they are neither yes nor no.
    func answer(_ folded: String) -> Bool? { yes.contains(folded) ? true : no.contains(folded) ? false : nil }

    /// The language of a BCP 47 tag. English without a tag; `nil` if the language is not supported.
    static func of(_ locale: String?) -> SpokenLanguage? {
        guard let locale else { return english }
        return switch locale.prefix(while: { $0 != "-" && $0 != "_" }).lowercased() {
        case "en": english
        case "nl": dutch
        case "de": german
        case "fr": french
        case "es": spanish
        default: nil
        }
    }

    private static let english = SpokenLanguage(.english)
    private static let dutch = SpokenLanguage(.dutch)
    private static let german = SpokenLanguage(.german)
    private static let french = SpokenLanguage(.french)
    private static let spanish = SpokenLanguage(.spanish)
}

/// The words of one language as data.
struct LanguageWords: Sendable {
    var code: String
    var halfNamesNextHour = false
    /// The words that are joined to weekdays: "Freitagabend".
    var dayPartEndings: [String: DayPart] = [:]
    var groupsBySpace = false
    var ordinalEndings: Set<String> = []
    /// Phrases by their meaning, separated by bars.
    var entries: [([Item], String)]
    var yes: String
    var no: String
    var numbers: [(String, Int)]
    var ordinals: [(String, Int)] = []

    /// The names of yesterday, today and tomorrow: the first phrase with each of these meanings.
    var dayNames: [Int: String] {
        var names: [Int: String] = [:]
        for (items, phrases) in entries {
            guard items.count == 1, case .day(let offset) = items[0], abs(offset) < 2 else { continue }
            names[offset] = phrases.split(separator: "|").first.map(String.init)
        }
        return names
    }

    /// The folded forms of a phrase. German umlauts may also be written as "ue".
    func keys(_ phrase: String) -> [String] {
        let folded = TextFolding.fold(phrase)
        guard code == "de", phrase.utf8.contains(where: { $0 >= 0x80 }) else { return [folded] }
        let letters: [Character: String] = ["ä": "ae", "ö": "oe", "ü": "ue"]
        let spelled = phrase.lowercased().map { letters[$0] ?? String($0) }.joined()
        let other = TextFolding.fold(spelled)
        return other == folded ? [folded] : [folded, other]
    }
}

/// The names of months and weekdays, from the locale data of Foundation.
enum CalendarNames {
    static func items(_ code: String) -> [(String, Item)] {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: code)
        formatter.calendar = Calendar(identifier: .gregorian)
        var items: [(String, Item)] = []
        let weekdays: [[String]] = [
            formatter.shortWeekdaySymbols, formatter.shortStandaloneWeekdaySymbols, formatter.weekdaySymbols,
            formatter.standaloneWeekdaySymbols,
        ]
        // Foundation's weeks begin on Sunday.
        for names in weekdays {
            for (index, name) in names.enumerated() { items.append((name, .weekday((index + 6) % 7))) }
        }
        let months: [[String]] = [
            formatter.shortMonthSymbols, formatter.shortStandaloneMonthSymbols, formatter.monthSymbols,
            formatter.standaloneMonthSymbols,
        ]
        for names in months { for (index, name) in names.enumerated() { items.append((name, .month(index + 1))) } }
        return items
    }
}
