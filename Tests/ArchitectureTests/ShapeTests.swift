import Testing

/// The size and the names of declarations, and the words of comments. Conversation, Wire and Pipeline follow when they
/// are rewritten.
@Suite("Declarations and comments") struct ShapeTests {
    private static let rings = [
        "Sources/Authoring/", "Sources/Log/", "Sources/Service/", "Sources/Fulfilment/", "Sources/Console/",
        "Sources/Testing/", "Sources/Programs/", "Examples/", "Benchmarks/", "Plugins/", "Tests/",
    ]
    /// Files whose functions may have more parameters: both initializers of `@Parameter` have App Intents' arguments.
    private static let wide: Set<String> = ["Sources/Authoring/IntentKit/Authoring/Parameter.swift"]
    /// First words of functions that mean nothing in this field.
    private static let empty: Set<String> = ["take", "tell", "keep", "note"]
    /// First words of questions. Other questions begin with a verb in the third person: `accepts`, `needs`.
    private static let questions: Set<String> = ["is", "has", "was", "can", "may", "will", "did"]
    /// Beginnings of comments that leave the noun to the reader.
    private static let openings: Set<Substring> = ["What", "Those", "It", "That", "Which"]
    /// Phrases in place of the field's verbs.
    private static let phrases = [
        "has it back", "goes on with", "is told", "gone without", "is known of", "comes across", "has it down for",
        "as far as", "but for", "what is left of it",
    ]

    private let files: [(path: String, text: String)]

    init() throws {
        let repository = try Repository.shared.get()
        files = try repository.paths.filter { path in
            path.hasSuffix(".swift") && Self.rings.contains { path.hasPrefix($0) }
        }.map { ($0, try repository.text(of: $0)) }
        #expect(files.count > 500)
    }

    // MARK: Declarations

    @Test func `parameters, stored properties and questions are found`() {
        let source = SwiftSource(
            """
            struct A {
                let a, b: [String: Int]
                var c: Int { 1 }
                mutating func isDone(_ a: Int, b: (Int, Int) = (1, 2), c: String = "(,") -> Bool { true }
            }

            """)
        #expect(source.functions.map(\.parameters) == [3] && source.types.map(\.storedProperties) == [2])
        #expect(source.functions.allSatisfy { $0.isMutating && $0.returnsBool && $0.firstWord == "is" })
    }

    /// Records each function that a rule forbids.
    private func forbid(_ problem: (_ function: SwiftSource.Function, _ path: String) -> String?) {
        for file in files {
            for function in SwiftSource(file.text).functions {
                if let fault = problem(function, file.path) { Issue.record("\(file.path): \(function.name) \(fault)") }
            }
        }
    }

    @Test func `a function has at most eight parameters`() {
        forbid { function, path in
            function.parameters > 8 && !Self.wide.contains(path) ? "has \(function.parameters) parameters" : nil
        }
    }

    @Test func `a function's name begins with the field's verb`() {
        // Phrasal verbs of the field: a partition is taken over, a pipeline is taken down.
        let phrasal = ["takeOver", "takeDown"]
        forbid { function, _ in
            let isPhrasal = phrasal.contains { function.name.hasPrefix($0) }
            return Self.empty.contains(function.firstWord) && !isPhrasal ? "begins with no verb of the field" : nil
        }
    }

    @Test func `a function that changes its value and returns a Bool does not read like a question`() {
        forbid { function, _ in
            let word = function.firstWord
            let isQuestion = Self.questions.contains(word) || word.hasSuffix("s") && !word.hasSuffix("ss")
            return function.isMutating && function.returnsBool && isQuestion ? "asks, and changes its value" : nil
        }
    }

    @Test func `a type has at most twenty stored properties`() {
        for file in files {
            for type in SwiftSource(file.text).types where type.storedProperties > 20 {
                Issue.record("\(file.path): \(type.name) has \(type.storedProperties) stored properties")
            }
        }
    }

    // MARK: Comments

    /// The texts of the comments on lines of their own; `nil` for code.
    private func comments(in text: String) -> [Substring?] {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            let text = line.drop { $0 == " " }
            return text.hasPrefix("//") ? text.drop { $0 == "/" }.drop { $0 == " " } : nil
        }
    }

    @Test func `a comment begins with a noun or a verb, not with a pronoun`() {
        for file in files {
            let comments = comments(in: file.text)
            for (number, text) in comments.enumerated() where number == 0 || comments[number - 1] == nil {
                guard let text, Self.openings.contains(text.prefix { $0 != " " }) else { continue }
                Issue.record("\(file.path):\(number + 1): \(text)")
            }
        }
    }

    @Test func `a comment uses the field's verbs`() {
        for file in files {
            for (number, text) in comments(in: file.text).enumerated() {
                guard let text, let phrase = Self.phrases.first(where: { text.contains($0) }) else { continue }
                Issue.record("\(file.path):\(number + 1) says '\(phrase)': \(text)")
            }
        }
    }
}
