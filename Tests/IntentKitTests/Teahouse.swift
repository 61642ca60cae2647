import IntentKit
import IntentRuntime
import PipelineTestKit

// A small domain for the tests: a teahouse that takes orders.

enum Leaf: String, AppEnum {
    case sencha, assam, pouchong
    static let typeDisplayRepresentation: TypeDisplayRepresentation = "Leaf"
    static let caseDisplayRepresentations: [Leaf: DisplayRepresentation] = [
        .sencha: DisplayRepresentation(title: "Sencha", synonyms: ["green tea"]),
        .assam: DisplayRepresentation(title: "Assam", subtitle: "Strong", synonyms: ["black tea"]),
        .pouchong: DisplayRepresentation(title: "Bāozhǒng", synonyms: ["oolong"]),
    ]
}

/// An author's own type: a cup, known by its identifier.
struct Cup: ParameterValue {
    var id: String
    var title: String
    var origin: String?

    static var jsonKind: JSONView.Kind { .object }
    init(id: String, title: String, origin: String? = nil) { (self.id, self.title, self.origin) = (id, title, origin) }
    init?(json: JSONView) {
        guard let id = json["id"]?.string, let title = json["title"]?.string else { return nil }
        self.init(id: id, title: title, origin: json["origin"]?.string)
    }
    func encode(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("id", id)
        writer.member("title", title)
        writer.member("origin", ifPresent: origin)
        writer.endObject()
    }
    var displayText: String { title }
    var displayRepresentation: DisplayRepresentation {
        DisplayRepresentation(title: LocalizedText(title), subtitle: origin.map { LocalizedText($0) })
    }
    var optionID: String { id }
}

struct Cupboard: Sendable { var cups: [Cup] }

struct CupOptions: DynamicOptionsProvider {
    @Dependency var cupboard: Cupboard
    func results() async throws -> [Cup] { cupboard.cups }
}

struct OrderTea: Intent {
    static let title: LocalizedText = "Order tea"
    static let confirmation: ConfirmationPolicy = .onlyIf { order in order.pots > 2 }

    @Parameter(title: "Leaf", requestValueDialog: "Which leaf?") var leaf: Leaf
    @Parameter(title: LocalizedText("Pots", translations: ["nl": "Potten"]), .inclusiveRange(1...4)) var pots: Int = 1
    @Parameter(title: "Cup", requestValueDialog: "Which cup?", optionsProvider: CupOptions()) var cup: Cup
    @Parameter(title: "Guest", requestValueDialog: "Who is it for?") var guest: Person?
    @Parameter(title: "Note") var note: String?

    static let parameters = Parameters<Self>(\.$leaf, \.$pots, \.$cup, \.$guest, \.$note)
    static var parameterSummary: some ParameterSummary {
        When(\.$guest, .hasAnyValue) {
            Summary("\(\.$pots) of \(\.$leaf) in the \(\.$cup) for \(\.$guest)")
        } otherwise: {
            When(\.$pots, .equalTo, 1) {
                Summary("A pot of \(\.$leaf)")
            } otherwise: {
                Summary("\(\.$pots) pots of \(\.$leaf); \(\.$note)")
            }
        }
    }
}

/// A handler whose parts a test can replace.
struct OrderTeaHandler: IntentHandling {
    var guest: @Sendable (Person?, OrderTea) async throws -> ResolutionResult<Person> = { person, _ in
        person.map { .success($0) } ?? .notRequired()
    }
    var confirms: @Sendable (OrderTea, Context) async throws -> ConfirmResponse = { _, _ in .ready }
    var handles: @Sendable (OrderTea, Context) async throws -> HandleResponse = { _, _ in .success }

    var resolution: some Resolution<OrderTea> { Resolve(\.$guest) { person, order in try await guest(person, order) } }
    func confirm(_ order: OrderTea, context: Context) async throws -> ConfirmResponse {
        try await confirms(order, context)
    }
    func handle(_ order: OrderTea, context: Context) async throws -> HandleResponse {
        try await handles(order, context)
    }
}

/// An intent with only a handle phase.
struct Plain: Intent {
    static let name = "Nod"
    static let title: LocalizedText = "Nod"
}

struct PlainHandler: IntentHandling {
    func handle(_ intent: Plain, context: Context) async throws -> HandleResponse { .success(dialog: "Nodded") }
}

struct Teahouse: IntentExtension {
    var order = OrderTeaHandler()
    var orderInApp: OrderTeaHandler?
    var localizations: [LocalizedTable] = []
    var cups = [
        Cup(id: "c1", title: "Glass"), Cup(id: "c2", title: "Bowl", origin: "Hagi"),
        Cup(id: "c3", title: "Bowl", origin: "Raku"),
    ]

    var intents: [any Intent.Type] { [OrderTea.self, Plain.self] }
    func handler(for intent: any Intent) -> (any IntentHandler)? {
        switch intent {
        case is OrderTea: order
        case is Plain: PlainHandler()
        default: nil
        }
    }
    func application(handlerFor intent: any Intent) -> (any IntentHandler)? { intent is OrderTea ? orderInApp : nil }
    func provideDependencies(to manager: AppDependencyManager) { manager.add(Cupboard(cups: cups)) }
}

/// The values that an order needs at confirm and handle.
let order: [ParameterState] = [
    .given("leaf", "assam", .resolved), .given("cup", json: #"{"id":"c1","title":"Glass"}"#, .chosen),
]
