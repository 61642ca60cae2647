/// A number in digits as written, with its separators: `1.234,5`, `18:30`, `03.04.`.
struct Figure: Sendable, Hashable {
    /// The digits between the separators.
    var groups: [String]
    /// The separators between the groups.
    var separators: [Character] = []
    /// `true` if a full stop follows: a German ordinal, or the end of a sentence.
    var endsWithPoint = false
    /// `true` if an ordinal's ending follows: "3rd".
    var isOrdinal = false

    /// The value of a number without separators, if it is small.
    var whole: Int? { groups.count == 1 && groups[0].utf8.count <= 9 ? Int(groups[0]) : nil }

    /// The groups as small numbers.
    var parts: [Int]? {
        let parts = groups.compactMap { $0.utf8.count <= 4 ? Int($0) : nil }
        return parts.count == groups.count ? parts : nil
    }

    func hasOnly(_ separator: Character) -> Bool { !separators.isEmpty && separators.allSatisfy { $0 == separator } }

    /// The numbers that the figure may be, as digits with a point, the likeliest first.
    ///
    /// - Parameter decimal: The decimal separator of the person's locale.
    func numbers(decimal: Character) -> [(text: String, confidence: Double)] {
        // No type has more digits, and nobody says as many.
        guard groups.reduce(0, { $0 + $1.utf8.count }) <= 30 else { return [] }
        guard let last = separators.last else { return [(Self.plain(groups[0]), 0.95)] }
        guard separators.allSatisfy({ ".,' ".contains($0) }) else { return [] }
        let isGrouped = { (groups: ArraySlice<String>) in
            (1...3).contains(groups.first?.utf8.count ?? 0) && groups.dropFirst().allSatisfy { $0.utf8.count == 3 }
        }
        let fraction = (Self.plain(groups.dropLast().joined()) + "." + groups[groups.count - 1], groups.dropLast())
        if separators.count > 1 {
            if separators.allSatisfy({ $0 == last }) {
                return isGrouped(groups[...]) ? [(Self.plain(groups.joined()), 0.95)] : []
            }
            guard last == "." || last == ",", separators.dropLast().allSatisfy({ $0 == separators[0] && $0 != last }),
                isGrouped(fraction.1)
            else { return [] }
            return [(fraction.0, last == decimal ? 0.95 : 0.75)]
        }
        if last == " " || last == "'" { return isGrouped(groups[...]) ? [(Self.plain(groups.joined()), 0.95)] : [] }
        guard isGrouped(groups[...]), groups[0].first != "0" else {
            return [(fraction.0, last == decimal ? 0.95 : 0.8)]
        }
        // "1.500" may be either number. A point is more doubtful than a comma, because programs write a decimal point
        // in every language.
        let whole = Self.plain(groups.joined())
        if last == decimal {
            return last == "." ? [(fraction.0, 0.9), (whole, 0.1)] : [(fraction.0, 0.75), (whole, 0.25)]
        }
        return last == "." ? [(whole, 0.6), (fraction.0, 0.4)] : [(whole, 0.9), (fraction.0, 0.1)]
    }

    /// The digits without leading zeros.
    private static func plain(_ digits: String) -> String {
        let digits = digits.drop { $0 == "0" }
        return digits.isEmpty ? "0" : String(digits)
    }
}
