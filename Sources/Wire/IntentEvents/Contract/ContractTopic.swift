import IntentModel

/// A topic of the contract: what is on it, who writes it and who reads it. Its name is its raw value behind the prefix.
public enum ContractTopic: String, Sendable, Hashable, CaseIterable {
    case requests, answers, results, resolve, confirm, handle
    case resolveInApp = "resolve-in-app"
    case confirmInApp = "confirm-in-app"
    case handleInApp = "handle-in-app"
    case outcomes, sessions, catalog, memory
    case memoryChanges = "memory-changes"
    case keys
    case deadLetters = "dead-letters"

    static let work: [ContractTopic] = [.resolve, .confirm, .handle, .resolveInApp, .confirmInApp, .handleInApp]

    public func name(_ topics: Topics) -> String { "\(topics.prefix).\(rawValue)" }

    public var about: String {
        switch self {
        case .requests:
            "Requests of producers, and answers that fill in values. Unless coordinators run with --trust separate, it also takes all that answers takes."
        case .answers:
            "What the person's channel says: requests too, and answers, corrections, cancels, claims of handoffs."
        case .results: "What the coordinator tells the person's side: prompts, progress, handoffs, completions."
        case .resolve, .confirm, .handle: "Work of the phase \(rawValue), for workers of any service."
        case .resolveInApp, .confirmInApp, .handleInApp:
            "Work of the phase \(rawValue.dropLast("-in-app".count)), for the app's workers."
        case .outcomes: "What workers report for their work."
        case .sessions: "The journal of sessions. Its format is the coordinators' own and no part of the contract."
        case .catalog: "What workers serve, and which processes run. The broker dates its records."
        case .memory:
            "What is remembered about people beyond their sessions. Its format is the coordinators' own and no part of the contract."
        case .memoryChanges:
            "The changes of what is remembered about people, in the order in which they count. Its format is no part of the contract."
        case .keys: "The wrapped keys of sessions, if values are encrypted. Its format is no part of the contract."
        case .deadLetters:
            "Records that could not be read, with key, value and headers unchanged, and headers intents-error-* that say where they were and why; and the "
                + "operators' marks with the header intents-dead-letter. Their values follow no schema."
        }
    }

    public var writers: [ContractParty] {
        switch self {
        case .requests: [.producer, .agent, .person, .console, .operator]
        case .answers: [.person, .console, .operator]
        case .results, .resolve, .confirm, .handle, .resolveInApp, .confirmInApp, .handleInApp, .sessions, .memory,
            .memoryChanges:
            [.coordinator]
        case .outcomes: ContractParty.workers + [.callback]
        case .catalog: [.coordinator] + ContractParty.workers
        case .keys: [.coordinator, .operator]
        case .deadLetters: [.coordinator] + ContractParty.workers + [.console, .operator]
        }
    }

    public var readers: [ContractParty] {
        switch self {
        case .requests, .answers: [.coordinator, .console, .operator]
        case .outcomes: [.coordinator, .console, .operator]
        case .sessions, .memory, .memoryChanges: [.coordinator, .operator]
        case .results: [.coordinator, .agent, .person, .console, .observer, .operator]
        case .resolve: [.resolver, .console, .operator]
        case .confirm: [.confirmer, .console, .operator]
        case .handle: [.handler, .console, .operator]
        case .resolveInApp: [.appResolver, .console, .operator]
        case .confirmInApp: [.appConfirmer, .console, .operator]
        case .handleInApp: [.appHandler, .console, .operator]
        case .catalog:
            [.coordinator] + ContractParty.workers + [.producer, .agent, .person, .console, .observer, .operator]
        case .keys: [.coordinator] + ContractParty.workers + [.agent, .person, .console, .observer, .operator]
        case .deadLetters: [.console, .operator]
        }
    }

    /// The key of its records.
    var key: ContractSchema {
        switch self {
        case .catalog:
            .text(matching: "^(intent|worker)/[a-z0-9-]{1,64}/.+$").about(
                "intent/SERVICE/INTENT or worker/SERVICE/INSTANCE; the default service is 'default'.")
        case .memory, .memoryChanges:
            .text.about("A list as JSON that begins with the type of the principal and their id.")
        case .deadLetters, .sessions, .keys: .text.about("The session, or a key of the coordinators' own.")
        default:
            .name(EventBounds.session).about(
                "The id of the session, \(EventBounds.session.lowerBound) to \(EventBounds.session.upperBound) bytes. All topics are partitioned by "
                    + "murmur2 of it, as Java's clients do.")
        }
    }
}
