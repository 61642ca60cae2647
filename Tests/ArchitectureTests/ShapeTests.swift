import Testing

/// The size and the names of declarations. Conversation, Wire and Pipeline follow when they are rewritten.
@Suite("Declarations") struct ShapeTests {
    private static let rings = [
        "Sources/Authoring/", "Sources/Log/", "Sources/Service/", "Sources/Fulfilment/", "Sources/Console/",
        "Sources/Testing/", "Sources/Programs/", "Examples/", "Benchmarks/", "Plugins/", "Tests/",
    ]
    private static let maximumParameters = 8
    private static let maximumFields = 20
    /// Files whose functions may have more parameters: both initializers of `@Parameter` have App Intents' arguments.
    private static let wide: Set<String> = ["Sources/Authoring/IntentKit/Authoring/Parameter.swift"]
    /// First words of functions that mean nothing in this field.
    private static let empty: Set<String> = ["take", "tell", "keep", "note"]
    /// First words of questions. Other questions begin with a verb in the third person: `accepts`, `needs`.
    private static let questions: Set<String> = ["is", "has", "was", "can", "may", "will", "did"]

    private let sources: [SwiftSource]

    init() throws {
        let repository = try Repository.shared.get()
        sources = try repository.paths.filter { path in
            path.hasSuffix(".swift") && Self.rings.contains { path.hasPrefix($0) }
        }.map { SwiftSource(path: $0, text: try repository.text(of: $0)) }
        #expect(sources.count > 500)
    }

    @Test func `parameters, stored properties and questions are found`() {
        let source = SwiftSource(
            path: "x",
            text: """
                struct A {
                    let a, b: [String: Int]
                    var c: Int { 1 }
                    mutating func isDone(_ a: Int, b: (Int, Int) = (1, 2), c: String = "(,") -> Bool { true }
                }

                """)
        #expect(source.functions.map(\.parameters) == [3] && source.types.map(\.storedProperties) == [2])
        #expect(source.functions.allSatisfy { $0.isMutating && $0.returnsBool && $0.firstWord == "is" })
    }

    @Test func `a function has at most eight parameters`() {
        for source in sources where !Self.wide.contains(source.path) {
            for function in source.functions where function.parameters > Self.maximumParameters {
                Issue.record("\(source.path): \(function.name) has \(function.parameters) parameters")
            }
        }
    }

    @Test func `a function's name begins with the field's verb`() {
        for source in sources {
            for function in source.functions where Self.empty.contains(function.firstWord) {
                // Phrasal verbs of the field: a partition is taken over, a pipeline is taken down.
                if ["takeOver", "takeDown"].contains(where: { function.name.hasPrefix($0) }) { continue }
                Issue.record("\(source.path): \(function.name)")
            }
        }
    }

    @Test func `a function that changes its value and returns a Bool does not read like a question`() {
        for source in sources {
            for function in source.functions where function.isMutating && function.returnsBool {
                let word = function.firstWord
                if Self.questions.contains(word) || word.hasSuffix("s") && !word.hasSuffix("ss") {
                    Issue.record("\(source.path): \(function.name) changes its value: name what it does")
                }
            }
        }
    }

    @Test func `a type has at most twenty stored properties`() {
        for source in sources {
            for type in source.types where type.storedProperties > Self.maximumFields {
                Issue.record("\(source.path): \(type.name) has \(type.storedProperties) stored properties")
            }
        }
    }
}
