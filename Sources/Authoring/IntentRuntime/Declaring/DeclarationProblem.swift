import IntentKit

/// A problem of an ``IntentDeclaration``, and its remedy.
public struct DeclarationProblem: Error, Sendable, Hashable, CustomStringConvertible {
    /// The location of the problem relative to the intent, in the names of definition files: `["parameters", "seats",
    /// "range"]`. Entries are numbered from 0.
    public var path: [String]
    public var message: String

    public init(_ path: [String], _ message: String) {
        self.path = path
        self.message = message
    }

    public var description: String { path.isEmpty ? message : "\(path.joined(separator: ".")): \(message)" }
}

/// Finds the known word that a misspelt word was probably meant to be.
public enum Nearest {
    /// The candidate that is most similar to the word. A third of the letters may differ: at least one, at most three.
    /// `nil` if no candidate is similar enough.
    public static func match(for word: String, among candidates: [String]) -> String? {
        let wanted = Array(word.lowercased())
        if wanted.isEmpty || wanted.count > 80 { return nil }
        let limit = min(3, max(1, wanted.count / 3))
        var best: (candidate: String, distance: Int)?
        for candidate in candidates where abs(candidate.count - wanted.count) <= limit {
            let distance = distance(wanted, Array(candidate.lowercased()))
            if distance <= limit, distance < best?.distance ?? .max { best = (candidate, distance) }
        }
        return best?.candidate
    }

    /// The end of a message about an unknown word: `: did you mean 'range'?`, or a list of the candidates.
    public static func advice(for word: String, among candidates: [String]) -> String {
        if let match = match(for: word, among: candidates) { return ": did you mean '\(match)'?" }
        if candidates.isEmpty { return "" }
        let shown = candidates.prefix(30).joined(separator: ", ")
        return candidates.count > 30
            ? "; there are \(shown), …" : candidates.count == 1 ? "; there is \(shown)" : "; there are \(shown)"
    }

    /// The number of letters to insert, remove, replace, or swap with their neighbour.
    private static func distance(_ a: [Character], _ b: [Character]) -> Int {
        if a.isEmpty || b.isEmpty { return max(a.count, b.count) }
        var before: [Int] = []
        var last = Array(0...b.count)
        for i in 1...a.count {
            var row = [i]
            for j in 1...b.count {
                var least = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1))
                if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] { least = min(least, before[j - 2] + 1) }
                row.append(least)
            }
            (before, last) = (last, row)
        }
        return last[b.count]
    }
}
