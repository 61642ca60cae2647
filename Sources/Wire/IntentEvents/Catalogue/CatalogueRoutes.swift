public import Conversation
public import IntentModel

/// Where the work of each intent goes, made of a ``Catalogue`` once for all requests until it changes.
public struct CatalogueRoutes: Sendable {
    public enum Answer: Sendable, Hashable {
        /// To the workers of a service; `nil` for those of the default service.
        case served(IntentRoute?)
        /// No worker serves it.
        case unserved(Rejection)
    }

    private var routes: [Identifier: IntentRoute?] = [:]
    private var memories: [Identifier: IntentMemory] = [:]

    public init(_ entries: [Catalogue.Entry] = []) {
        for entry in entries {
            routes[entry.intent] = .some(entry.route == IntentRoute() ? nil : entry.route)
            memories[entry.intent] = entry.memory
        }
    }

    /// What is remembered about an intent's parameters; `nil` if its service has not published it.
    public func memory(of intent: Identifier) -> IntentMemory? { memories[intent] }

    /// Where the work of an intent goes. If no worker has published anything, it goes where it went before there was a catalogue.
    public func answer(for intent: Identifier) -> Answer {
        if let route = routes[intent] { return .served(route) }
        return routes.isEmpty ? .served(nil) : .unserved(refusal(of: intent))
    }

    private func refusal(of intent: Identifier) -> Rejection {
        let near = NearNames.of(intent.text, in: routes.keys.map(\.text))
        let advice =
            near.isEmpty
            ? "'intents catalog list' lists what is served" : "did you mean \(near.joined(separator: ", "))?"
        return Rejection(.unsupported, "no worker serves '\(intent.text.prefix(80))'; \(advice)", field: "intent")
    }
}
