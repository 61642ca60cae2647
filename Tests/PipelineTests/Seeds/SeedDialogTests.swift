import Conversation
import IntentEvents
import IntentKit
import PipelineTestKit
import Synchronization
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A provider of eight towns, of which two are known by other names too.
private struct Towns: DynamicOptionsProvider {
    static let all = ["Aachen", "Bonn", "Cork", "Delft", "Essen", "Faro", "Ghent", "Hull"].map(Town.init)
    func results() async throws -> [Town] { Self.all }
}

private struct Town: AppEntity {
    static let typeDisplayRepresentation: TypeDisplayRepresentation = "Town"
    static let defaultQuery = TownQuery()
    let id: String
    let name: String

    init(_ name: String) { (id, self.name) = ("t-\(name.lowercased().prefix(2))", name) }

    var displayRepresentation: DisplayRepresentation {
        DisplayRepresentation(
            title: LocalizedText(name), subtitle: LocalizedText("\(name) station"),
            synonyms: name == "Ghent" ? ["Gent"] : [])
    }
}

private struct TownQuery: EntityQuery {
    func entities(for ids: [String]) async throws -> [Town] { Towns.all.filter { ids.contains($0.id) } }
}

/// An intent whose list is resolved value by value.
private struct Invite: AppIntent {
    static let title: LocalizedText = "Invite"
    static let confirmation: ConfirmationPolicy = .always
    @Parameter(title: "Town", requestValueDialog: "Which town?", optionsProvider: Towns()) var town: Town
    @Parameter(title: "Guests", requestDisambiguationDialog: "Which one?") var guests: [Guest]
    static let parameters = Parameters<Self>(\.$town, \.$guests)
    static var parameterSummary: some ParameterSummary { Summary("Invite \(\.$guests) to \(\.$town)") }
    func perform() async throws -> some IntentResult & ProvidesDialog { .result(dialog: "Invited.") }
}

private enum Guest: String, AppEnum {
    case noa, mia, john
    static let typeDisplayRepresentation: TypeDisplayRepresentation = "Guest"
    static let caseDisplayRepresentations: [Guest: DisplayRepresentation] = [
        .noa: "Noa Kern", .mia: "Mia Ekman", .john: "John Adler",
    ]
}

/// An intent whose code asks for a moment.
private struct RemindMe: AppIntent {
    static let title: LocalizedText = "Remind me"
    @Parameter(title: "Moment") var moment: Date?
    @Parameter(title: "Note") var note: String?
    static let parameters = Parameters<Self>(\.$note, \.$moment)
    static var parameterSummary: some ParameterSummary { Summary("Remind of \(\.$note)") }
    func perform() async throws -> some IntentResult & ProvidesDialog {
        let moment = try await $moment.requestValue("When?")
        return .result(dialog: "At \(JSON(moment).view.string ?? "")")
    }
}

private struct Order: Intent {
    static let title: LocalizedText = "Order"
    @Parameter(title: "First") var first: String
    @Parameter(title: "Second") var second: String
    @Parameter(title: "Third") var third: String
    static let parameters = Parameters<Self>(\.$first, \.$second, \.$third)
}

private struct OrderHandler: IntentHandling {
    let notebook = Recorder<String>()

    var resolution: some Resolution<Order> {
        Resolve(\.$third) { value, _ in record("third", value) }
        Resolve(\.$first) { value, _ in record("first", value) }
        Resolve(\.$second) { value, _ in record("second", value) }
    }
    private func record(_ name: String, _ value: String?) -> ResolutionResult<String> {
        notebook.record(name)
        return value.map { .success($0) } ?? .needsValue()
    }
    func handle(_ order: Order, context: Context) async throws -> HandleResponse { .success }
}

extension TestConversation {
    /// Requests an intent of a person in Amsterdam, who makes the request in November 2026 and answers on 1 January.
    fileprivate mutating func request(
        _ intent: any Intent.Type, of person: String, _ said: KeyValuePairs<String, String> = [:]
    ) async throws {
        var request = IntentRequest(
            id: "zoned", intent: Identifier(intent.name),
            parameters: said.map { ParameterState(name: $0.key, value: .string($0.value)) }, locale: person)
        request.clock = PersonClock(timeZone: "Europe/Amsterdam", said: Instant(milliseconds: 1_795_604_400_000))
        try await self.request(request)
    }
}

@Suite("Seed 000 to 003: the dialogs of prompts, and answers in words") struct SeedDialogTests {
    private let johns = SendPaymentHandler.johns

    private func paying(_ handler: SendPaymentHandler, _ amount: String? = "20 EUR") async throws -> TestConversation {
        if let amount {
            return try await TestConversation(about: handler, ["payee": "John", "currencyAmount": amount])
        }
        return try await TestConversation(about: handler, ["payee": "John"])
    }

    @Test func `a list of eight values without a value is offered whole, with titles and subtitles`() async throws {
        let talk = try await TestConversation(performing: Invite.self, ["guests": "noa"])
        let prompt = try #require(try talk.prompt)
        #expect(prompt.dialog == "Which town?")
        #expect(prompt.titles == ["Aachen", "Bonn", "Cork", "Delft", "Essen", "Faro", "Ghent", "Hull"])
        #expect(prompt.data["options"]?.elements.last?["subtitle"]?.string == "Hull station")
    }

    @Test(arguments: ["ghent", "Gent", "t-gh"])
    func `a provider's option is known by its title, a synonym and its identifier`(_ said: String) async throws {
        let talk = try await TestConversation(performing: Invite.self, ["town": said, "guests": "noa"])
        #expect(try talk.prompt?.data["summary"]?.string == "Invite Noa Kern to Ghent")
    }

    @Test("two with one title are told apart by their subtitles and their places, which an answer may use")
    func oneTitle() async throws {
        for words in ["+44 1", "the second one", "John, +44 1"] {
            let handler = SendPaymentHandler()
            var talk = try await paying(handler)
            #expect(try talk.prompt?.titles == ["John", "John"])
            #expect(try talk.prompt?.data["options"]?.elements.map { $0["subtitle"]?.string } == [nil, "+44 1"])
            try await talk.say("John")
            #expect(try talk.last?.dialog?.contains("1. John; 2. John (+44 1)") == true)
            try await talk.say(words)
            #expect(handler.notebook.all.last == "handle j2 €20.00", "\(words)")
        }
    }

    @Test func `none of the options is offered again with what else can be said, and nothing is chosen`() async throws {
        let handler = SendPaymentHandler()
        var talk = try await paying(handler)
        try await talk.say("none of them")
        let prompt = try #require(try talk.prompt)
        #expect(prompt.line == "prompt value payee" && prompt.dialog == "Whom?", "the words are forgotten")
        #expect(handler.notebook.count("handle j2 €20.00") == 0)
    }

    @Test func `the default question for a value to be confirmed is in words`() async throws {
        let talk = try await paying(SendPaymentHandler(favorites: ["j2"]))
        #expect(try talk.lines == ["checks payee: Payee: John?"])
    }

    @Test func `a no to the proposed value asks for another one`() async throws {
        let handler = SendPaymentHandler(favorites: ["j2"])
        var talk = try await paying(handler)
        try await talk.say("no")
        #expect(try talk.lines.last == "asks payee: Whom?")
        #expect(try talk.work(.resolve).last?["payee"] == nil)
    }

    @Test("a value that is not supported is named in the prompt with the parameter's title, and is gone")
    func unsupported() async throws {
        var talk = try await paying(SendPaymentHandler(contacts: [johns[0]]), "20 CAD")
        let prompt = try #require(try talk.prompt)
        #expect(prompt.data["unsupported"]?["value"] != nil && prompt.data["title"]?.string == "Amount")
        let other = [ParameterState(name: "note", value: "for tea")]
        try await talk.send(.answered(Answer(prompt: prompt.prompt ?? "", action: .accept, parameters: other)))
        #expect(try talk.work(.resolve).last?["note"] != nil)
        #expect(try talk.work(.resolve).last?["currencyAmount"] == nil)
        try await talk.say("cancel")
        let completion = try #require(try talk.last)
        #expect(completion.line == "completed cancelled cancelled" && completion.dialog?.isEmpty == false)
        #expect(completion.data["parameters"]?["currencyAmount"] == nil)
        #expect(completion.data["parameters"]?["payee"] != nil)
    }

    @Test func `words that name no option are not what a chosen option was called`() async throws {
        var talk = try await TestConversation(performing: Invite.self, ["town": "Atlantis", "guests": "noa"])
        #expect(try talk.prompt?.dialog == "Town can't be 'Atlantis'. Which town?")
        #expect(try talk.prompt?.titles.count == 8 && talk.prompt?.data["unsupported"]?["reason"]?.string == "noMatch")
        try await talk.say("the last one")
        try await talk.say("yes")
        #expect(try talk.last?.data["parameters"]?["town"]?["id"]?.string == "t-hu")
        #expect(try talk.last?.data["provenance"]?["town"]?["original"] == nil)
    }

    @Test func `all options come after a wrong word, also where a policy says when values are offered`() async throws {
        struct Seat: AppIntent {
            static let title: LocalizedText = "Seat"
            static let policy = IntentPolicy(asks: AskPolicy(noMatch: 3, offersOptions: true))
            @Parameter(title: "Guest", requestValueDialog: "Who?") var guest: Guest
            static let parameters = Parameters<Self>(\.$guest)
            func perform() async throws -> some IntentResult { .result() }
        }
        let talk = try await TestConversation(performing: Seat.self, ["guest": "Zoe"])
        #expect(try talk.prompt?.titles == ["Noa Kern", "Mia Ekman", "John Adler"])
    }

    @Test func `words that several options have are what the chosen option was called`() async throws {
        var talk = try await paying(SendPaymentHandler())
        try await talk.say("the second one")
        #expect(try talk.last?.data["provenance"]?["payee"]?["original"]?.string == "John")
    }

    @Test("parameters are resolved in the order of declaration, and not in that of the handler's rules")
    func declarationOrder() async throws {
        let handler = OrderHandler()
        _ = try await TestConversation(about: handler, ["third": "c", "first": "a", "second": "b"])
        #expect(handler.notebook.all == ["first", "second", "third"])
    }

    @Test func `a list in the summary names what is resolved, and what is open in brackets`() async throws {
        var talk = try await TestConversation(performing: Invite.self, ["town": "Bonn", "guests": "noa, Mary and Jo"])
        #expect(try talk.prompt?.data["summary"]?.string == "Invite Noa Kern, [Mary] and [Jo] to Bonn")
        try await talk.say("Mia Ekman")
        #expect(try talk.prompt?.data["summary"]?.string == "Invite Noa Kern, Mia Ekman and [Jo] to Bonn")
        try await talk.say("John Adler")
        #expect(try talk.prompt?.data["summary"]?.string == "Invite Noa Kern, Mia Ekman and John Adler to Bonn")
    }

    @Test func `a confirmation says what is agreed to, with titles and values in words, without a dialog`() async throws
    {
        let talk = try await TestConversation(performing: Invite.self, ["town": "Bonn", "guests": "noa and mia"])
        #expect(try talk.lines == ["confirms: Invite Noa Kern and Mia Ekman to Bonn?"])
        let shown = try talk.prompt?.data["parameters"]?.elements.map { each in
            [each["title"]?.string ?? "", each["text"]?.string ?? ""]
        }
        #expect(shown == [["Town", "Bonn"], ["Guests", "Noa Kern and Mia Ekman"]])
    }

    @Test("words are read in the person's language, and values are written in it")
    func languages() async throws {
        var talk = try await TestConversation(with: [
            SingleHandlerExtension(handler: SendPaymentHandler(contacts: [johns[1]]))
        ])
        talk.locale = "de"
        try await talk.request(SendPayment.self, ["payee": "John", "currencyAmount": "vierzehn Euro fünfzig"])
        #expect(try talk.work(.handle).last?["currencyAmount"]?.view["amount"]?.string == "14.50")
        var party = try await TestConversation(with: [SelfPerformingExtension(Invite.self)])
        party.locale = "de"
        try await party.request(Invite.self, ["town": "Bonn", "guests": "noa, mia"])
        #expect(try party.prompt?.data["summary"]?.string == "Invite Noa Kern und Mia Ekman to Bonn")
    }
}

@Suite("Seed 003: words in answer to a question of the intent's code") struct SeedCodeQuestionTests {
    private func asked(_ words: String) async throws -> TestConversation {
        var talk = try await TestConversation(with: [SelfPerformingExtension(RemindMe.self)])
        try await talk.request(RemindMe.self, of: "en-GB", ["note": "tea"])
        #expect(try talk.lines == ["asks moment: When?"])
        #expect(try talk.prompt?.data["summary"]?.string == "Remind of tea")
        #expect(try talk.prompt?.data["parameters"]?.elements.first?["text"]?.string == "tea")
        try await talk.say(words)
        return talk
    }

    @Test func `a clear answer is the value`() async throws {
        let talk = try await asked("tomorrow at 18:30")
        #expect(try talk.lines.last == "success success: At 2026-01-02T17:30:00Z")
    }

    @Test func `a doubtful answer has to be confirmed`() async throws {
        var talk = try await asked("tomorrow evening")
        #expect(try talk.lines.last == "checks moment: Moment: tomorrow, Fri, 2 Jan 2026 at 19:00?")
        try await talk.say("yes")
        #expect(try talk.lines.last == "success success: At 2026-01-02T18:00:00Z")
    }

    @Test func `a no to how an answer was read asks again, and does not cancel`() async throws {
        var talk = try await asked("tomorrow evening")
        try await talk.say("no")
        #expect(try talk.lines.last == "asks moment: When?")
        try await talk.say("tomorrow at 20:15")
        #expect(try talk.last?.dialog == "At 2026-01-02T19:15:00Z")
    }

    @Test func `a no to how an answer was read leaves a required value as it was`() async throws {
        struct Move: AppIntent {
            static let title: LocalizedText = "Move"
            @Parameter(title: "Moment") var moment: Date
            static let parameters = Parameters<Self>(\.$moment)
            func perform() async throws -> some IntentResult & ProvidesDialog {
                if JSON(moment).view.string == "2026-03-01T09:00:00Z" {
                    throw $moment.needsValueError("That is taken.")
                }
                return .result(dialog: "At \(JSON(moment).view.string ?? "")")
            }
        }
        var talk = try await TestConversation(with: [SelfPerformingExtension(Move.self)])
        try await talk.request(Move.self, of: "en-GB", ["moment": "2026-03-01T09:00:00Z"])
        for _ in 0..<4 {
            try await talk.say("tomorrow evening")
            try await talk.say("no")
            #expect(try talk.lines.last == "asks moment: That is taken.")
        }
        #expect(try talk.dispatched(.handle).last?.item?.parameters.first?.value == "2026-03-01T09:00:00Z")
        try await talk.say("tomorrow at 20:15")
        #expect(try talk.lines.last == "success success: At 2026-01-02T19:15:00Z")
    }

    @Test func `a confirmed number is not read again`() async throws {
        struct Weigh: AppIntent {
            static let title: LocalizedText = "Weigh"
            @Parameter(title: "Weight", .inclusiveRange(0...10)) var weight: Decimal?
            static let parameters = Parameters<Self>(\.$weight)
            func perform() async throws -> some IntentResult & ProvidesDialog {
                .result(dialog: "\(JSON(try await $weight.requestValue("How much?")))")
            }
        }
        var talk = try await TestConversation(with: [SelfPerformingExtension(Weigh.self)])
        try await talk.request(Weigh.self, of: "de")
        try await talk.say("1.459")
        #expect(try talk.lines.last == "checks weight: Weight: 1,459?")
        try await talk.say("ja")
        #expect(try talk.last?.dialog == "\"1.459\"")
    }

    @Test func `another answer takes the place of one that was read doubtfully`() async throws {
        var talk = try await asked("tomorrow evening")
        try await talk.say("tomorrow at 20:15")
        #expect(try talk.last?.dialog == "At 2026-01-02T19:15:00Z")
        var cancelled = try await asked("tomorrow evening")
        try await cancelled.say("cancel")
        #expect(try cancelled.last?.line == "completed cancelled cancelled")
    }
}

@Suite("Seed 004: an extension that has no handler at present") struct SeedHandlerTests {
    private final class Phone: IntentExtension {
        let intents: [any Intent.Type] = [Order.self]
        let isOut = Atomic(false)

        func handler(for intent: any Intent) -> (any IntentHandler)? {
            isOut.load(ordering: .relaxed) ? nil : OrderHandler()
        }
    }

    @Test func `ends the request as unsupported, although the catalogue lists the intent`() async throws {
        let phone = Phone()
        var talk = try await TestConversation(with: [phone])
        phone.isOut.store(true, ordering: .relaxed)
        try await talk.request(Order.self, ["first": "a", "second": "b", "third": "c"])
        #expect(try talk.dispatched(.resolve).count == 1, "a worker was asked")
        #expect(try talk.steps == ["completed unsupported noHandlerProvidedForIntent"])
    }
}
