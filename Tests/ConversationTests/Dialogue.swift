import Testing

/// A test in the form of a script: each step, and the effects that it has.
struct Dialogue: Sendable, ExpressibleByDictionaryLiteral, CustomTestStringConvertible {
    /// The sentence that the dialogue shows.
    var testDescription = ""
    private(set) var lines: [(step: Step, reply: Reply)]

    init(dictionaryLiteral lines: (Step, Reply)...) { self.lines = lines.map { ($0, $1) } }

    /// One dialogue for each variant of a step.
    fileprivate func cases(_ title: String) -> [Dialogue] {
        guard let index = lines.firstIndex(where: { !$0.step.variants.isEmpty }) else { return [titled(title)] }
        return lines[index].step.variants.enumerated().flatMap { number, variant in
            var dialogue = self
            dialogue.lines[index].step = variant
            return dialogue.cases("\(title) (\(variant.name ?? "\(number + 1)"))")
        }
    }

    private func titled(_ title: String) -> Dialogue {
        var dialogue = self
        dialogue.testDescription = title
        return dialogue
    }
}

/// Dialogues by the sentences that they show.
struct Dialogues: Sendable, ExpressibleByDictionaryLiteral {
    let cases: [Dialogue]

    init(dictionaryLiteral dialogues: (String, Dialogue)...) { cases = dialogues.flatMap { $1.cases($0) } }
}

/// The effects of a step. The reply "…" stands for any effects.
struct Reply: Sendable, ExpressibleByStringInterpolation, ExpressibleByArrayLiteral {
    let lines: [String]?

    init(stringLiteral line: String) { lines = line == "…" ? nil : [line] }

    init(arrayLiteral lines: String...) { self.lines = lines }
}
