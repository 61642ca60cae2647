package import IntentModel

/// The settings for serving agents.
package struct AgentSettings: Sendable {
    /// The party whose agreement an agent's request needs.
    package enum Agreement: String, Sendable, Hashable, CaseIterable {
        /// The user of the client, whom the client asks.
        case client
        /// The person, on a channel that the agent can't use.
        case person
    }

    package var agreement: Agreement
    /// The URL of the console, without a slash at the end; `nil` if there is no console.
    package var consoleURL: String?
    /// The key that seals handles and states. All processes that serve the same agents need the same key.
    package var key: [UInt8]
    /// The time after which a call returns that the work is in progress. A call that has asked the user waits for
    /// ``lifetime`` instead.
    package var patience: Duration
    /// The time after which a call returns a task, if the client supports tasks.
    package var taskAfter: Duration
    /// The time for which handles, states and tasks are valid.
    package var lifetime: Duration
    /// The maximum number of concurrent calls of one connection.
    package var maximumCalls = 32
    /// The maximum number of sessions that one connection may open in an hour.
    package var maximumSessions = 1_000
    /// The server's version, as reported to clients.
    package var version: String

    package init(
        agreement: Agreement = .client, consoleURL: String? = nil, key: [UInt8], patience: Duration = .seconds(45),
        taskAfter: Duration = .seconds(3), lifetime: Duration = .seconds(3_600), version: String = "0"
    ) {
        self.agreement = agreement
        self.consoleURL = consoleURL.map { $0.hasSuffix("/") ? String($0.dropLast()) : $0 }
        self.key = key
        self.patience = patience
        self.taskAfter = taskAfter
        self.lifetime = lifetime
        self.version = version
    }

    /// Returns the URL of a session's page in the console; `nil` if there is no console.
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
