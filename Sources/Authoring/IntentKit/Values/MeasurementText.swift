/// A parser of measurements as people say them in English: "5 km", "twenty-five miles", "5 feet 11 inches".
enum MeasurementText {
    /// The maximum length of a text; longer texts are rejected.
    private static let maximumBytes = 200
    private static let maximumParts = 4

    /// Parses a measurement. Several parts are added up in the unit of the last part, which requires units with a
    /// common zero, so not degrees.
    static func parse<Unit: MeasurementUnit>(_ text: String, in units: Unit.Type) -> Measurement<Unit>? {
        guard text.utf8.count <= maximumBytes else { return nil }
        var words = words(of: text)[...]
        var total: Measurement<Unit>?
        var parts = 0
        while !words.isEmpty {
            parts += 1
            guard parts <= maximumParts, let value = parseNumber(from: &words),
                let unit = parseUnit(from: &words, units),
                let part = Measurement(checking: value, unit)
            else { return nil }
            if let sum = total {
                guard value >= 0, sum.value >= 0, sum.unit.definition.offset == 0, unit.definition.offset == 0,
                    sum.unit != unit,
                    let longer = Measurement(checking: sum.converted(to: unit).value + value, unit)
                else { return nil }
                total = longer
            } else {
                total = part
            }
            if words.first == "and" || words.first == "," { words = words.dropFirst() }
        }
        return total
    }

    /// Splits a text at spaces, around commas, and between a number and the letters after it.
    private static func words(of text: String) -> [String] {
        var words: [String] = []
        var word = ""
        var isNumber = false
        func isNumeric(_ character: Character) -> Bool {
            character.isASCII && (character.isNumber || "+-.".contains(character))
        }
        for character in withDecimalPoints(text) {
            if character.isWhitespace || character == "," || (isNumber && !isNumeric(character)) {
                if !word.isEmpty { words.append(word) }
                word = ""
                if character == "," { words.append(",") }
                if character.isWhitespace || character == "," { continue }
            }
            if word.isEmpty { isNumber = isNumeric(character) }
            word.append(character == "\u{2212}" ? "-" : character)
            if word == "-" { isNumber = true }
        }
        if !word.isEmpty { words.append(word) }
        return words
    }

    /// The text with points for commas that can only be decimal: "3,5", and not "1,500", which may be 1500.
    private static func withDecimalPoints(_ text: String) -> String {
        var characters = Array(text)
        func isDigit(_ index: Int) -> Bool {
            characters.indices.contains(index) && characters[index].isASCII && characters[index].isNumber
        }
        for index in characters.indices where characters[index] == "," && isDigit(index - 1) && isDigit(index + 1) {
            if !(isDigit(index + 2) && isDigit(index + 3) && !isDigit(index + 4)) { characters[index] = "." }
        }
        return String(characters)
    }

    private static func parseNumber(from words: inout ArraySlice<String>) -> Double? {
        guard let first = words.first else { return nil }
        if words.count > 1, let number = SpokenNumber.parse(words.prefix(2).joined(separator: " ")) {
            words = words.dropFirst(2)
            return Double(number)
        }
        guard let number = ["a", "an"].contains(first.lowercased()) ? 1 : Double(text: first) else { return nil }
        words = words.dropFirst()
        return number
    }

    /// Removes the longest run of words that names a unit, and returns the unit.
    private static func parseUnit<Unit: MeasurementUnit>(from words: inout ArraySlice<String>, _ units: Unit.Type)
        -> Unit?
    {
        for count in stride(from: min(4, words.count), to: 0, by: -1) {
            guard !words.prefix(count).contains(","), let unit = Unit.named(words.prefix(count).joined(separator: " "))
            else { continue }
            words = words.dropFirst(count)
            return unit
        }
        return nil
    }
}
