import IntentKit

/// How a handler goes on telling how things stand.
extension IntentBinding {
    /// - Returns: `success` once the handler has told all there is to tell.
    func sendUpdates(
        _ handler: any IntentHandling, _ intent: Subject, _ given: [GivenParameter], _ context: Context,
        _ report: @escaping @Sendable (IntentProgress) -> Void
    ) async throws -> PhaseOutcome {
        guard let handler = handler as? any LiveUpdating else {
            let message = "the handler of '\(name)' tells nothing more once it has succeeded"
            throw IntentFailure(.reject, reason: .unsupported, message: message, field: "intent")
        }
        let observer = UpdateObserver { update in
            var progress = IntentProgress()
            progress.update = update
            report(progress)
        }
        try await follow(handler, try complete(intent, given, context), observer, context)
        return .responded(IntentResponse(.success))
    }

    private func follow<Handler: LiveUpdating>(
        _ handler: Handler, _ intent: Subject, _ observer: UpdateObserver, _ context: Context
    ) async throws {
        guard let intent = intent as? Handler.IntentType else {
            let message = "\(Handler.self) was returned for '\(name)' but handles \(Handler.IntentType.self)"
            throw IntentFailure(.failure(.failure), reason: .internal, message: message)
        }
        try await handler.sendUpdates(for: intent, to: observer, context: context)
    }
}
