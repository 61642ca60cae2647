/// A version of the Model Context Protocol that the server supports.
package enum MCPVersion: String, Sendable, Hashable, CaseIterable {
    /// Each request has the version and the client's capabilities. The server has no state between requests.
    case july2026 = "2026-07-28"
    /// The client begins with `initialize`, and the server may send requests to the client.
    case november2025 = "2025-11-25"
    case june2025 = "2025-06-18"

    /// `true` if the version requires `initialize`.
    package var hasHandshake: Bool { self != .july2026 }
}
