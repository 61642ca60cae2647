import AgentConversation
import IntentEvents
import IntentModel

/// What other agents are told of this one.
package struct AgentCard: Sendable {
    /// Where both bindings are mounted, without a slash at the end.
    package var url: String
    package var version: String
    /// Whether callers need a bearer token.
    package var needsBearer: Bool

    package init(url: String, version: String, needsBearer: Bool) {
        self.url = url
        self.version = version
        self.needsBearer = needsBearer
    }

    static let modes = JSON.array([.string("application/json"), .string("text/plain")])

    /// - Parameter entries: what is served now: each intent is a skill.
    func json(_ entries: [Catalogue.Entry]) -> JSON {
        func interface(_ binding: String) -> JSON {
            .object(["url": .string(url), "protocolBinding": .string(binding), "protocolVersion": .string("1.0")])
        }
        return .make { writer in
            writer.beginObject()
            writer.member("name", "IntentPipeline")
            writer.member(
                "description",
                """
                Does things in the real world on behalf of a person. Ask with a data part {"intent": …, "parameters": {…}}. What is missing or ambiguous is asked \
                (TASK_STATE_INPUT_REQUIRED), and the person agrees before anything is done.
                """)
            writer.member("supportedInterfaces", .array([interface("JSONRPC"), interface("HTTP+JSON")]))
            writer.member("version", version)
            writer.member(
                "capabilities",
                .object(["streaming": .bool(true), "pushNotifications": .bool(false), "extendedAgentCard": .bool(false)]))
            if needsBearer {
                let scheme = JSON.object(["scheme": .string("Bearer"), "bearerFormat": .string("JWT")])
                writer.member("securitySchemes", .object(["bearer": .object(["httpAuthSecurityScheme": scheme])]))
                writer.member(
                    "securityRequirements", .array([.object(["schemes": .object(["bearer": .object(["list": .array([])])])])]))
            }
            writer.member("defaultInputModes", Self.modes)
            writer.member("defaultOutputModes", Self.modes)
            writer.member("skills", .array(entries.map(\.skill)))
            writer.endObject()
        }
    }
}

extension Catalogue.Entry {
    fileprivate var skill: JSON {
        let details = published?.details ?? [:]
        let phrases = (details["phrases"]?.view.elements ?? []).prefix(5).compactMap { $0.string.map { JSON.string($0.shown(200)) } }
        let secrets = SecretParameters.names(of: published)
        let parameters = (details["parameters"]?.view.elements ?? []).compactMap { parameter -> String? in
            guard let name = parameter["name"]?.string, !secrets.contains(name) else { return nil }
            return parameter["type"]?["description"]?.string.map { "\(name) (\($0))" } ?? name
        }
        let description = details["description"]?.view.string ?? published?.title ?? intent.text
        let takes = parameters.isEmpty ? "" : " Parameters: \(parameters.joined(separator: ", "))."
        return .make { writer in
            writer.beginObject()
            writer.member("id", intent)
            writer.member("name", (published?.title ?? intent.text).shown(200))
            writer.member("description", (description + takes).shown(2_000))
            writer.member("tags", .array([.string("intent")]))
            if !phrases.isEmpty { writer.member("examples", .array(phrases)) }
            writer.endObject()
        }
    }
}
