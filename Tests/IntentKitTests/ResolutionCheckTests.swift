import IntentKit
import IntentRuntime
import Testing

private struct Note: Intent {
    fileprivate struct Margin: Sendable { @Parameter(title: "Remark") var remark: String? }

    static let title: LocalizedText = "Note"
    @Parameter(title: "Text") var text: String
    @Parameter(title: "Heading") var heading: String?
    @Parameter(title: "Tags") var tags: [String]
    fileprivate var margin = Margin()
    static let parameters = Parameters<Self>(\.$text, \.$heading, \.$tags)
}

/// A handler of ``Note`` with one resolution.
private struct NoteHandler<Content: Resolution<Note>>: IntentHandling {
    typealias IntentType = Note
    let content: Content

    var resolution: Content { return content }
    func handle(_ note: Note, context: Context) async throws -> HandleResponse { .success }
}

private struct Notes<Content: Resolution<Note>>: IntentExtension {
    let intents: [any Intent.Type] = [Note.self]
    let content: Content

    init(@ResolutionBuilder<Note> _ content: () -> Content) { self.content = content() }

    func handler(for intent: any Intent) -> (any IntentHandler)? { NoteHandler(content: content) }
}

@Suite("A rule of a handler that can't be applied is an error at the start")
struct ResolutionCheckTests {
    private func error(_ notes: some IntentExtension) -> IntentRegistryError? {
        do {
            _ = try IntentRegistry([notes], dependencies: AppDependencyManager())
            return nil
        } catch {
            return error
        }
    }

    @Test("rules that fit their parameters are accepted")
    func fitting() {
        let notes = Notes {
            Resolve(\.$text) { text, _ in text.map { .success($0) } ?? .needsValue() }
            Resolve(each: \.$tags, after: \.$text) { tag, _ in .success(tag) }
                .whole { tags, _ in tags.map { .success($0) } ?? .needsValue() }
        }
        #expect(error(notes) == nil)
    }

    @Test("a rule for each value of a parameter that is no list names the parameter")
    func eachOfText() {
        let found = error(Notes { Resolve(each: \.$text) { text, _ in .success(text) } })
        #expect(found?.code == .resolutionMismatched)
        #expect(found?.message.contains("'text' that does not fit its type") == true, "\(found?.message ?? "no error")")
    }

    @Test("two rules for one parameter name it")
    func twice() {
        let notes = Notes {
            Resolve(\.$heading) { _, _ in .notRequired() }
            Resolve(\.$heading) { _, _ in .needsValue() }
        }
        #expect(error(notes)?.message.contains("two rules for 'heading'") == true)
    }

    @Test("a rule for, or after, something that is not among the intent's Parameters names the intent")
    func elsewhere() {
        for notes in [
            error(Notes { Resolve(\.margin.$remark) { _, _ in .notRequired() } }),
            error(Notes { Resolve(\.$heading, after: \.margin.$remark) { _, _ in .notRequired() } }),
        ] {
            #expect(notes?.code == .resolutionMismatched)
            #expect(notes?.message.contains("not one of the Parameters of Note") == true)
        }
    }

    @Test("rules that wait for each other are named")
    func circle() {
        let notes = Notes {
            Resolve(\.$heading, after: \.$text) { _, _ in .notRequired() }
            Resolve(\.$text, after: \.$heading) { text, _ in text.map { .success($0) } ?? .needsValue() }
        }
        #expect(error(notes)?.message.contains("'text', 'heading' wait for each other") == true)
    }
}
