import IntentKit
public import IntentModel
import IntentRuntime
import PipelineTestKit
import TestTrails
import Testing

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
    func respond(
        _ phase: Phase, _ states: [ParameterState] = [], locale: String? = nil, isInApp: Bool = false
    ) async throws -> IntentResponse {
        let outcome = try await perform(phase, states, locale: locale, isInApp: isInApp)
        guard let response = outcome.response else { throw UnexpectedOutcome(outcome, of: phase, intents[0].name) }
        return response
    }

    /// The failure of a phase that must fail.
    func failure(
        _ phase: Phase, _ states: [ParameterState] = [], isInApp: Bool = false
    ) async throws -> IntentFailure {
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
    static func given(_ name: String, json: String, _ origin: Origin = .given) -> ParameterState {
        ParameterState(name: name, value: JSON(unchecked: json), origin: origin)
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

// JSON as literals, so that a case of a table fits on its line.

extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    public init(stringLiteral value: String) { self = .string(value) }
    public init(integerLiteral value: Int) { self = .number(value) }
    public init(floatLiteral value: Double) { self = .number(value) }
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    public init(arrayLiteral elements: JSON...) { self = .array(elements) }
    public init(dictionaryLiteral members: (String, JSON)...) {
        self = .make { writer in
            writer.beginObject()
            for (name, value) in members { writer.member(named: name, value) }
            writer.endObject()
        }
    }
}
