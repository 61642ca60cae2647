import IntentKit

/// Handles a declared intent by calling its fulfilment.
struct DeclaredHandler: IntentHandling {
    typealias IntentType = DeclaredIntent

    private let name: String
    private let source: String
    private let asksConfirm: Bool
    private let fulfilment: (any IntentFulfilment)?
    private let choice: IntentDeclaration.Choice?
    private let opens: [Identifier]
    private let isOnce: Bool
    private let values: DeclaredValues
    let steps: ResolutionSteps<DeclaredIntent>

    init(
        _ declaration: IntentDeclaration, _ bindings: [any AnyParameterBinding<DeclaredIntent>],
        _ summary: CompiledSummary<DeclaredIntent>,
        _ parameters: [any DeclaredParameter]
    ) {
        name = declaration.name
        source = declaration.source.map { " in \($0)" } ?? ""
        fulfilment = declaration.fulfilment
        choice = declaration.choice
        opens = declaration.opens.map { Identifier($0) }
        isOnce = declaration.policy.effect == .atMostOnce
        asksConfirm = declaration.phases.contains(.confirm)
        let values = DeclaredValues(intent: declaration.name, bindings: bindings, summary: summary)
        self.values = values
        let fulfilment = declaration.fulfilment
        let missing = Self.missing(name, source)
        steps = ResolutionSteps(
            all: declaration.parameters.filter(\.isResolvedByFulfilment).compactMap { parameter in
                let others = parameter.after.compactMap { other in parameters.first { $0.name == other }?.identity }
                return parameters.first { $0.name == parameter.name }?.step(after: others) { intent, context in
                    guard let fulfilment else { throw missing }
                    return try await fulfilment.resolve(parameter.name, of: values.call(intent, context))
                }
            })
    }

    // `return` turns the result builder off. The builder would add the steps as a step of its own.
    var resolution: ResolutionSteps<DeclaredIntent> { return steps }

    func confirm(_ intent: DeclaredIntent, context: Context) async throws -> ConfirmResponse {
        guard asksConfirm else { return .ready }
        return ConfirmResponse(
            try checked(try await requireFulfilment().confirm(values.call(intent, context)), context))
    }

    func handle(_ intent: DeclaredIntent, context: Context) async throws -> HandleResponse {
        let response = try await requireFulfilment().handle(values.call(intent, context))
        do { return HandleResponse(try checked(response, context)) } catch {
            guard isOnce, !response.code.isFailure else { throw error }
            var failure = error
            failure.reason = .outcomeUnknown
            failure.message += "; it may have been done, and is not retried"
            throw failure
        }
    }

    /// Applies the declaration to an immediate or deferred response of its fulfilment.
    ///
    /// - Throws: A failure if the response has something that the declaration does not allow.
    func checked(_ response: IntentResponse, _ context: Context) throws(IntentFailure) -> IntentResponse {
        let phase = context.phase.rawValue
        if let unknown = response.proposed.keys.sorted().first(where: { !values.names.contains($0) }) {
            let all = values.names.joined(separator: ", ")
            let message =
                "\(phase) of \(name) proposed a value for '\(unknown.prefix(80))', which is none of its parameters: \(all)"
            throw IntentFailure(.failure(.failure), reason: .unexpected, message: message, field: "proposed")
        }
        if let opened = response.opensIntent?.intent, !opens.contains(opened) {
            let message =
                "\(phase) of \(name) opens '\(opened.text.prefix(80))', which its declaration does not allow: add it to 'opens'"
            throw IntentFailure(.failure(.failure), reason: .unauthorized, message: message, field: "opens")
        }
        if let inverse = response.undo?.intent.intent, !opens.contains(inverse) {
            let message =
                "\(phase) of \(name) is taken back by '\(inverse.text.prefix(80))', which its declaration does not allow: add it to 'opens'"
            throw IntentFailure(.failure(.failure), reason: .unauthorized, message: message, field: "undo")
        }
        guard let choice, context.phase == .handle, response.choice == nil, response.code == .success,
            !response.items.isEmpty
        else {
            return response
        }
        var response = response
        response.choice = ItemChoice(dialog: choice.dialog?.text(in: context.locale), remembers: choice.remembers)
        return response
    }

    private func requireFulfilment() throws(IntentFailure) -> any IntentFulfilment {
        guard let fulfilment else { throw Self.missing(name, source) }
        return fulfilment
    }

    private static func missing(_ name: String, _ source: String) -> IntentFailure {
        let message = "'\(name)' is declared\(source) without a fulfilment, so it can't be handled"
        return IntentFailure(.reject, reason: .unsupported, message: message, field: "intent")
    }
}

/// Converts a declared intent into a fulfilment's call.
struct DeclaredValues: Sendable {
    let intent: String
    let names: [String]
    private let bindings: [any AnyParameterBinding<DeclaredIntent>]
    private let summary: CompiledSummary<DeclaredIntent>

    init(intent: String, bindings: [any AnyParameterBinding<DeclaredIntent>], summary: CompiledSummary<DeclaredIntent>)
    {
        self.intent = intent
        self.bindings = bindings
        self.summary = summary
        names = bindings.map(\.name)
    }

    func call(_ declared: DeclaredIntent, _ context: Context) -> FulfilmentCall {
        var parameters: [String: JSON] = [:]
        parameters.reserveCapacity(names.count)
        for index in 0..<names.count {
            if let value = bindings[index].value(in: declared) { parameters[names[index]] = JSON(value) }
        }
        return FulfilmentCall(
            phase: context.phase, intent: intent, parameters: parameters,
            summary: summary.text(for: declared, locale: context.locale),
            context: context.scope.invocation)
    }
}

/// Serves one declared intent.
struct DeclaredExtension: IntentExtension {
    let handler: DeclaredHandler

    var intents: [any Intent.Type] { [] }
    func handler(for intent: any Intent) -> (any IntentHandler)? { handler }
}
