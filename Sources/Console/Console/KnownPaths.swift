import HTTPTypes
import Hummingbird

/// The paths of the interface, so that a wrong method is told from a wrong path.
struct KnownPaths: Sendable {
    /// What is looked at, and what is said, with a star for a name.
    private static let look = [
        "me", "overview", "overview/events", "overview/history", "catalog", "inbox", "sessions", "sessions/*", "sessions/*/events",
        "events",
    ]
    private static let say =
        ["requests", "dead-letters/*/replay", "dead-letters/*/drop"] + SayRoutes.events.map { "sessions/*/\($0.path)" }

    /// The methods of a path, if it is one of the interface and the request's method is none of them.
    func methods(for request: Request) -> [String]? {
        let prefix = "/api/v1/"
        guard request.uri.path.hasPrefix(prefix) else { return nil }
        let parts = request.uri.path.dropFirst(prefix.count).split(separator: "/")
        func matches(_ pattern: String) -> Bool {
            let wanted = pattern.split(separator: "/")
            return wanted.count == parts.count && zip(wanted, parts).allSatisfy { $0 == "*" || $0 == $1 }
        }
        if Self.look.contains(where: matches) {
            // HEAD would open a stream without a reader.
            let allowed: [HTTPRequest.Method] = parts.last == "events" ? [.get] : [.get, .head]
            return allowed.contains(request.method) ? nil : allowed.map(\.rawValue)
        }
        if Self.say.contains(where: matches), request.method != .post { return ["POST"] }
        return nil
    }
}
