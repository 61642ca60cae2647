import IntentKit
import IntentModel
import IntentRuntime
import PipelineTestKit
import TestTrails
import Testing

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
    /// Its numbers among other cups, which are not part of the value.
    var comparison: OptionComparison?

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
        DisplayRepresentation(
            title: LocalizedText(title), subtitle: origin.map { LocalizedText($0) }, comparison: comparison)
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
    func confirm(_ tea: OrderTea, context: Context) async throws -> ConfirmResponse { try await confirms(tea, context) }
    func handle(_ tea: OrderTea, context: Context) async throws -> HandleResponse { try await handles(tea, context) }
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
    .given("leaf", "assam", .resolved), .given("cup", ["id": "c1", "title": "Glass"], .chosen),
]

/// An extension that serves these intents with the handlers that a closure returns.
struct Serving: IntentExtension {
    var intents: [any Intent.Type]
    var handler: @Sendable (any Intent) -> (any IntentHandler)? = { _ in PlainHandler() }

    func handler(for intent: any Intent) -> (any IntentHandler)? { handler(intent) }
}

/// A handler made of parts.
struct PartsHandler<Subject: Intent>: IntentHandling {
    var resolution: ResolutionSteps<Subject>
    var handles: @Sendable (Subject) async throws -> HandleResponse

    func handle(_ intent: Subject, context: Context) async throws -> HandleResponse { try await handles(intent) }
}

/// An extension that serves one intent with a handler made of these parts.
func serving<Subject: Intent>(
    _ intent: Subject.Type, provide: @escaping @Sendable (AppDependencyManager) -> Void = { _ in },
    handle: @escaping @Sendable (Subject) async throws -> HandleResponse = { _ in .success },
    @ResolutionBuilder<Subject> resolution: () -> ResolutionSteps<Subject> = { return ResolutionSteps(all: []) }
) -> SingleHandlerExtension<PartsHandler<Subject>> {
    SingleHandlerExtension(handler: PartsHandler(resolution: resolution(), handles: handle), provide: provide)
}

/// Expects that an extension can't be registered, because of a mistake whose message contains these texts.
func expectMistake(
    _ code: IntentRegistryError.Code, _ texts: String..., in extensions: any IntentExtension...,
    dependencies: AppDependencyManager = AppDependencyManager(), sourceLocation: SourceLocation = #_sourceLocation
) {
    let error = #expect(throws: IntentRegistryError.self, sourceLocation: sourceLocation) {
        try IntentRegistry(extensions, dependencies: dependencies)
    }
    #expect(error?.code == code, "\(error?.message ?? "")", sourceLocation: sourceLocation)
    for text in texts {
        #expect(error?.message.contains(text) == true, "\(error?.message ?? "")", sourceLocation: sourceLocation)
    }
}

/// Phases of an extension's first intent.
extension IntentExtension {
    func perform(
        _ phase: Phase, _ states: [ParameterState] = [], locale: String? = nil, isInApp: Bool = false,
        attributes: [String: JSON] = [:], principal: Principal? = nil, answers: [PhaseAnswer] = [],
        report: @escaping @Sendable (IntentProgress) -> Void = { _ in }
    ) async throws -> PhaseOutcome {
        var context = InvocationContext(
            session: "s", request: "r", idempotencyKey: "k", locale: locale, attributes: attributes, isInApp: isInApp)
        (context.principal, context.answers) = (principal, answers)
        return try await registry().perform(
            IntentInvocation(phase: phase, intent: intents[0].name, parameters: states, context: context),
            report: report)
    }

    /// The results for all parameters.
    func resolve(
        _ states: [ParameterState] = [], locale: String? = nil, attributes: [String: JSON] = [:],
        memory: [String: JSON] = [:]
    ) async throws -> [ResolvedParameter] {
        try await registry().resolve(intents[0].name, states, locale: locale, attributes: attributes, memory: memory)
    }

    /// The result for one parameter.
    func resolve(
        _ name: String, _ states: [ParameterState], locale: String? = nil, attributes: [String: JSON] = [:],
        memory: [String: JSON] = [:]
    ) async throws -> ResolvedParameter {
        try await registry().resolve(
            name, of: intents[0].name, states, locale: locale, attributes: attributes, memory: memory)
    }

    /// The result for one parameter: words, or JSON, that have yet to be resolved; nothing if it is `nil`.
    func resolve(
        _ name: String, said: JSON?, _ origin: ParameterState.Origin = .given, locale: String? = nil,
        attributes: [String: JSON] = [:], memory: [String: JSON] = [:]
    ) async throws -> ParameterResolution {
        let states = said.map { [ParameterState(name: name, value: $0, origin: origin)] } ?? []
        return try await resolve(name, states, locale: locale, attributes: attributes, memory: memory).resolution
    }

    /// The response of a phase that must respond.
    func respond(_ phase: Phase, _ states: [ParameterState] = [], locale: String? = nil, isInApp: Bool = false)
        async throws -> IntentResponse
    {
        let outcome = try await perform(phase, states, locale: locale, isInApp: isInApp)
        guard let response = outcome.response else { throw UnexpectedOutcome(outcome, of: phase, intents[0].name) }
        return response
    }

    /// The failure of a phase that must fail.
    func failure(_ phase: Phase, _ states: [ParameterState] = [], isInApp: Bool = false) async throws -> IntentFailure {
        let outcome = try await perform(phase, states, isInApp: isInApp)
        guard let failure = outcome.failure else { throw UnexpectedOutcome(outcome, of: phase, intents[0].name) }
        return failure
    }
}

extension IntentFailure {
    /// The failure without its message: `reject unexpected at parameters.leaf`.
    var kind: String {
        let disposition =
            switch disposition {
            case .retry(let delay): "retry after \(delay)"
            case .failure(let code): "\(code)"
            case .reject: "reject"
            }
        return "\(disposition) \(reason.rawValue)" + (field.map { " at \($0)" } ?? "")
    }
}

extension ParameterState {
    static func given(_ name: String, _ value: JSON, _ origin: Origin = .given) -> ParameterState {
        ParameterState(name: name, value: value, origin: origin)
    }
}

extension [ParameterState] {
    /// Values that have yet to be resolved.
    static func given(_ values: KeyValuePairs<String, JSON>) -> [ParameterState] { values.map { .given($0, $1) } }
}

extension [ResolvedParameter] {
    /// The result for the parameter of this name.
    subscript(name: String) -> ParameterResolution? { first { $0.name == name }?.resolution }
}

/// An extension with one intent, whose handler only requires a confirmation, which shows the summary.
struct ConfirmationAsker<Subject: Intent>: IntentExtension, IntentHandling {
    var localizations: [LocalizedTable] = []
    var intents: [any Intent.Type] { [Subject.self] }
    func handler(for intent: any Intent) -> (any IntentHandler)? { self }
    func confirm(_ intent: Subject, context: Context) async throws -> ConfirmResponse { .userConfirmationRequired() }
    func handle(_ intent: Subject, context: Context) async throws -> HandleResponse { .success }

    /// The intent's summary in the confirmation.
    func summary(_ values: KeyValuePairs<String, any ParameterValue> = [:], locale: String? = nil) async throws
        -> String?
    {
        let states = values.map { name, value in ParameterState(name: name, value: JSON(value), origin: .resolved) }
        return try await perform(.confirm, states, locale: locale).confirmation?.summary
    }
}

/// An intent whose parameters are entities.
struct Walk: Intent {
    static let title: LocalizedText = "Walk"
    static let confirmation: ConfirmationPolicy = .always

    @Parameter(title: "Trail", requestValueDialog: "Which trail?") var trail: TrailEntity
    @Parameter(title: "Detours") var detours: [TrailEntity]?
    @Parameter(title: "Home", default: .attribute("home")) var home: TrailEntity?

    static let parameters = Parameters<Self>(\.$trail, \.$detours, \.$home)
    static var parameterSummary: some ParameterSummary { Summary("Walk \(\.$trail)") }
}

/// An extension that serves ``Walk`` with these trails.
func trailhead(_ store: TrailDataManager = TrailDataManager()) -> some IntentExtension {
    serving(
        Walk.self, provide: { $0.add(store) }, handle: { .success(dialog: "\($0.trail.name), \($0.trail.length) km") })
}

/// An author's own type that can be compared.
struct Kilometres: ParameterValue, Comparable {
    var count: Int
    init(_ count: Int) { self.count = count }
    static var jsonKind: JSONView.Kind { .number }
    init?(json: JSONView) {
        guard let count = json.int else { return nil }
        self.init(count)
    }
    func encode(to writer: inout JSONWriter) { writer.number(count) }
    var displayText: String { "\(count) km" }
    func displayText(in locale: String?) -> String { locale == "ru" ? "\(count) км" : displayText }
    static func < (a: Self, b: Self) -> Bool { a.count < b.count }
}
