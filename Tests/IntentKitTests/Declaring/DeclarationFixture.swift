import IntentKit
import IntentRuntime
import PipelineTestKit

/// A response with the confirmation that the person is asked for.
typealias Answer = (response: IntentResponse, confirmation: ConfirmationRequest?)

/// Performs phases of a declared intent. A phase that fails throws its failure.
struct DeclarationFixture {
    let registry: IntentRegistry
    var intent: String

    init(_ declared: IntentDeclaration...) throws {
        registry = try IntentRegistry([], declared: declared, dependencies: AppDependencyManager())
        intent = declared[0].name
    }

    /// Declares an intent that reserves a table, and changes the declaration.
    init(_ fulfilment: Bistro? = nil, change: (inout IntentDeclaration) -> Void) throws {
        var declaration = IntentDeclaration.reserve(fulfilment)
        change(&declaration)
        try self.init(declaration)
    }

    /// The outcome for a response that comes after handle has ended with `inProgress`.
    func deferred(_ response: IntentResponse, isInApp: Bool = false) throws -> Answer {
        let context = InvocationContext(session: "s", request: "r", isInApp: isInApp)
        return try answer(of: .handle, registry.deferred(response, of: intent, in: context))
    }

    func respond(_ phase: Phase, _ parameters: KeyValuePairs<String, JSON> = ["restaurant": "N"], locale: String? = nil)
        async throws -> Answer
    {
        let outcome = await registry.perform(phase, intent, .resolved(parameters), idempotencyKey: "k", locale: locale)
        return try answer(of: phase, outcome)
    }

    /// The failure of handle.
    func failure(_ phase: Phase = .handle) async throws -> IntentFailure {
        let outcome = await registry.perform(phase, intent, .resolved(["restaurant": "N"]))
        guard let failure = outcome.failure else { throw UnexpectedOutcome(outcome, of: phase, intent) }
        return failure
    }

    private func answer(of phase: Phase, _ outcome: PhaseOutcome) throws -> Answer {
        switch outcome {
        case .responded(let response, let confirmation): return (response, confirmation)
        case .failed(let failure): throw failure
        default: throw UnexpectedOutcome(outcome, of: phase, intent)
        }
    }

    /// The result for each parameter that is not `notRequired`.
    func resolve(_ parameters: KeyValuePairs<String, JSON>) async throws -> [String: ParameterResolution] {
        try await resolve(states: .given(parameters))
    }

    func resolve(states: [ParameterState]) async throws -> [String: ParameterResolution] {
        let outcome = await registry.perform(.resolve, intent, states, idempotencyKey: "k")
        switch outcome {
        case .resolved(let parameters, _, _, _):
            return Dictionary(uniqueKeysWithValues: parameters.map { ($0.name, $0.resolution) }).filter {
                $0.value != .notRequired
            }
        case .failed(let failure): throw failure
        default: throw UnexpectedOutcome(outcome, of: .resolve, intent)
        }
    }
}

/// A fulfilment in Swift that records its calls.
final class Bistro: IntentFulfilment {
    typealias Answer<Value> = @Sendable (FulfilmentCall) throws -> Value

    private let resolution: Answer<ParameterResolution>
    private let confirmation: Answer<IntentResponse>
    private let handling: Answer<IntentResponse>
    private let received = Recorder<FulfilmentCall>()

    init(
        resolve: @escaping Answer<ParameterResolution> = { _ in .notRequired },
        confirm: @escaping Answer<IntentResponse> = { _ in .ready },
        handle: @escaping Answer<IntentResponse> = { _ in .success }
    ) { (resolution, confirmation, handling) = (resolve, confirm, handle) }

    /// A fulfilment that handles with this response.
    convenience init(_ response: IntentResponse) { self.init(handle: { _ in response }) }

    var calls: [FulfilmentCall] { received.all }

    func resolve(_ parameter: String, of call: FulfilmentCall) async throws -> ParameterResolution {
        try perform(resolution, call)
    }
    func confirm(_ call: FulfilmentCall) async throws -> IntentResponse { try perform(confirmation, call) }
    func handle(_ call: FulfilmentCall) async throws -> IntentResponse { try perform(handling, call) }

    private func perform<Value>(_ answer: Answer<Value>, _ call: FulfilmentCall) throws -> Value {
        received.record(call)
        return try answer(call)
    }
}

extension IntentDeclaration {
    /// Declares an intent that reserves a table, with a number of seats, a size and a city.
    static func reserve(_ fulfilment: (any IntentFulfilment)? = nil) -> IntentDeclaration {
        var reserve = IntentDeclaration(
            "Reserve", title: LocalizedText(verbatim: "Reserve a table", translations: ["nl": "Reserveer een tafel"]),
            fulfilment: fulfilment)
        let sizes = EnumerationDeclaration(
            "TableSize",
            cases: [.init("small", title: "Small"), .init("l", title: "Large", synonyms: ["big", "huge"])])
        func city(_ id: String, _ title: LocalizedText, _ country: JSON, _ people: JSON, synonyms: [LocalizedText] = [])
            -> EntityCatalogue.Entity
        { .init(id, title: title, synonyms: synonyms, properties: ["country": country, "people": people]) }
        let cities = EntityCatalogue(
            "City",
            entities: [
                city("AMS", "Amsterdam", "NL", 900_000, synonyms: ["Mokum"]), city("BER", "Berlin", "DE", 3_700_000),
                city("NYC", "New York", "US", 8_300_000), city("YRK", "York", "GB", 200_000),
            ])
        reserve.parameters = [
            ParameterDeclaration("restaurant", .string, title: "Restaurant", prompt: "Which restaurant?"),
            ParameterDeclaration("seats", .int, title: "Seats", defaults: [.constant(2)]),
            ParameterDeclaration("size", .enumeration(sizes), title: "Size", isRequired: false),
            ParameterDeclaration("city", .entity(cities), title: "City", isRequired: false),
            ParameterDeclaration("dishes", .list(.string), title: "Dishes", isRequired: false, size: 0...3),
        ]
        reserve.parameters[1].range = .init(1, 6)
        reserve.summary = .text(
            LocalizedText(verbatim: "Table for {seats} at {restaurant}", translations: ["nl": "Tafel bij {restaurant}"])
        )
        return reserve
    }
}
