import HTTPTypes
import Hummingbird

/// The paths of the interface, to distinguish a wrong method from a wrong path.
struct KnownPaths: Sendable {
    /// The paths that are read. In both lists, a star stands for a name.
    static let queries = [
        "me", "overview", "overview/events", "overview/history", "catalog", "inbox", "sessions", "sessions/*",
        "sessions/*/events", "sessions/*/requests/*/steps", "events", "dead-letters/*",
    ]
    /// The paths by which callers send events.
    static let sends =
        ["requests", "dead-letters/*/replay", "dead-letters/*/drop"] + SayRoutes.events.map { "sessions/*/\($0.path)" }

    /// Returns the methods that a path allows; `nil` if the path is not one of the interface or allows the request's
    /// method.
    func methods(for request: Request) -> [String]? {
        let prefix = "/api/v1/"
        guard request.uri.path.hasPrefix(prefix) else { return nil }
        let parts = request.uri.path.dropFirst(prefix.count).split(separator: "/")
        func matches(_ pattern: String) -> Bool {
            let wanted = pattern.split(separator: "/")
            return wanted.count == parts.count && zip(wanted, parts).allSatisfy { $0 == "*" || $0 == $1 }
        }
        if Self.queries.contains(where: matches) {
            // A HEAD request would open a stream without a reader.
            let allowed: [HTTPRequest.Method] = parts.last == "events" ? [.get] : [.get, .head]
            return allowed.contains(request.method) ? nil : allowed.map(\.rawValue)
        }
        if Self.sends.contains(where: matches), request.method != .post { return ["POST"] }
        return nil
    }
}
