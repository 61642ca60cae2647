package import IntentModel

/// A person who answers prompts by a script, for programs, tests and benchmarks.
///
/// An answer is named after the parameter of the prompt. `confirmIntent` and `signIn` are the names of prompts of these
/// kinds, and `-` is the name of any other prompt without a parameter.
package struct ScriptedPerson: Sendable, Hashable {
    private var answers: [String: [JSON]] = [:]
    private var repeated: Set<String> = []
    /// The action at a prompt without a further answer.
    package let otherwise: Answer.Action

    /// - Parameters:
    ///   - answers: The answers by name. A value answers every prompt of its name; the elements of an array answer one
    ///     prompt each.
    ///   - otherwise: The action at a prompt without a further answer.
    package init(_ answers: [String: JSON] = [:], otherwise: Answer.Action = .cancel) {
        self.otherwise = otherwise
        for (name, answer) in answers {
            let isList = answer.view.kind == .array
            self.answers[name] = isList ? answer.view.elements.map(\.json) : [answer]
            if !isList { repeated.insert(name) }
        }
    }

    /// Returns the answer to a prompt.
    ///
    /// - Parameters:
    ///   - parameter: The parameter that the prompt is about, if any.
    ///   - options: The ids of the prompt's options.
    package mutating func answer(
        to prompt: Identifier, _ kind: Prompt.Kind, about parameter: String?, options: [String]
    ) -> Answer {
        let isNamedByKind = kind == .confirmIntent || kind == .signIn
        guard let words = next(isNamedByKind ? kind.rawValue : parameter ?? "-") else {
            return Answer(prompt: prompt, action: otherwise)
        }
        return Answer(to: prompt, kind, saying: words, options: options)
    }

    /// Returns the next answer of a name; `nil` if there is none.
    package mutating func next(_ name: String) -> JSON? {
        guard let answer = answers[name]?.first else { return nil }
        if !repeated.contains(name) { answers[name]?.removeFirst() }
        return answer
    }
}

extension Answer {
    /// Creates the answer of a person in words: "yes" or "no" to a prompt that asks whether something is right, else a
    /// value, or the id or title of an option.
    package init(to prompt: Identifier, _ kind: Prompt.Kind, saying words: JSON, options: [String] = []) {
        self.init(prompt: prompt, action: .accept)
        switch (kind, words.view.string) {
        case (.confirmIntent, "yes"), (.confirmValue, "yes"), (.signIn, "yes"): break
        case (.confirmIntent, "no"), (.confirmValue, "no"), (.signIn, "no"): action = .decline
        case (.choice, let id?) where options.contains(id): option = id
        default: value = words
        }
    }
}
