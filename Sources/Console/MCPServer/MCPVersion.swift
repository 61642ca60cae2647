/// A version of the protocol that is spoken here.
package enum MCPVersion: String, Sendable, Hashable, CaseIterable {
    /// Each request carries the version and what the client can do. Nothing is remembered between requests.
    case july2026 = "2026-07-28"
    /// With `initialize`, and requests from the server to the client.
    case november2025 = "2025-11-25"
    case june2025 = "2025-06-18"

    /// Whether it needs `initialize`.
    package var hasHandshake: Bool { self != .july2026 }
}
