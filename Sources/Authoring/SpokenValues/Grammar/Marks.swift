import IntentKit

/// A word or a phrase that joins the parts of a stretch of time or of a recurrence.
enum Mark: Sendable, Hashable {
    /// "From" and "to" around two moments. "Until" and a dash may also be without "from".
    case from, to, until
    case between, and
    /// A word before a length of time: "for".
    case lasting
    case every
    /// "Every other" week, and the Dutch "om de" week.
    case everyOther
    case hourly, daily, weekly, monthly, yearly
    case weekdays, weekend
    /// Days of work, to which some count the Saturday.
    case workdays
    /// A word before days: "on".
    case on
    /// A word after a number: "times".
    case times
}

/// A person's words, split at spaces, with the marks among them.
struct MarkedWords {
    struct Part {
        /// The words as they were said.
        let words: String
        let mark: Mark?
    }

    let parts: [Part]

    /// - Parameter marks: The marks to find. All other words stay as they are.
    init(_ text: String, _ language: SpokenLanguage, _ marks: Set<Mark>) {
        let words = Self.words(of: text)
        let folded = words.map { TextFolding.fold($0) }
        var parts: [Part] = []
        var index = 0
        while index < words.count {
            let found =
                marks.contains(.between) && words[index].allSatisfy(Self.isDash)
                ? (.until, index + 1) : language.mark(at: index, of: folded, among: marks)
            let end = found?.end ?? index + 1
            parts.append(Part(words: words[index..<end].joined(separator: " "), mark: found?.mark))
            index = end
        }
        self.parts = parts
    }

    /// The words, with spaces around a dash between two times, and instead of one after a number: "2-4pm" is "2 - 4pm",
    /// and "10-mal" is "10 mal".
    static func words(of text: String) -> [String] {
        text.split(whereSeparator: \.isWhitespace).flatMap { word -> [String] in
            let ends = word.split(whereSeparator: isDash).map(String.init)
            guard ends.count == 2, ends[0].allSatisfy({ $0.isNumber || $0 == ":" || $0 == "." }),
                let first = ends[1].first
            else { return [String(word)] }
            return first.isNumber ? [ends[0], "-", ends[1]] : first.isLetter ? ends : [String(word)]
        }
    }

    private static func isDash(_ character: Character) -> Bool { character == "-" || character == "–" }
}
