package import IntentModel

/// How agents are served.
package struct AgentSettings: Sendable {
    /// Who says yes to what an agent has asked for.
    package enum Agreement: String, Sendable, Hashable, CaseIterable {
        /// The user of the agent's host, whom the host asks.
        case client
        /// The person, on a channel that the agent has no part in.
        case person
    }

    package var agreement: Agreement
    /// Where the console is, without a slash at the end; `nil` if there is none.
    package var consoleURL: String?
    /// What handles and states are sealed with. All processes that serve the same agents need the same key.
    package var key: [UInt8]
    /// How long one call may take before it says that work goes on.
    package var patience: Duration
    /// How long work may take before it becomes a task, if the client knows tasks.
    package var taskAfter: Duration
    /// How long handles and states can be used.
    package var lifetime: Duration
    /// How many calls of one connection may go on at once.
    package var maximumCalls: Int
    /// How many sessions one connection may open in an hour.
    package var maximumSessions: Int
    /// The version of the server that clients are told.
    package var version: String

    package init(
        agreement: Agreement = .client, consoleURL: String? = nil, key: [UInt8], patience: Duration = .seconds(45),
        taskAfter: Duration = .seconds(3), lifetime: Duration = .seconds(3_600), maximumCalls: Int = 32, maximumSessions: Int = 1_000,
        version: String = "0"
    ) {
        self.agreement = agreement
        self.consoleURL = consoleURL.map { $0.hasSuffix("/") ? String($0.dropLast()) : $0 }
        self.key = key
        self.patience = patience
        self.taskAfter = taskAfter
        self.lifetime = lifetime
        self.maximumCalls = maximumCalls
        self.maximumSessions = maximumSessions
        self.version = version
    }

    /// The page of a session in the console.
    package func page(of session: Identifier) -> String? {
        guard let consoleURL else { return nil }
        let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8)
        let digits = Array("0123456789ABCDEF")
        let path = session.utf8.map { byte in
            plain.contains(byte) ? String(UnicodeScalar(byte)) : "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
        }
        return "\(consoleURL)/#/sessions/\(path.joined())"
    }
}
