import IntentModel

/// The authentication of a Strimzi cluster's users.
package enum StrimziAuthentication: String, Sendable, CaseIterable {
    case scram = "scram-sha-512"
    case tls
    case tlsExternal = "tls-external"
}

extension AccessList {
    /// Returns one `KafkaUser` for each principal, as YAML. Kubernetes rejects it if a principal is
    /// ``unfitForStrimzi``.
    ///
    /// - Parameter cluster: The name of the `Kafka` resource.
    package func strimzi(cluster: String, authentication: StrimziAuthentication) -> String {
        entries.map { entry in
            var lines = [
                "---", "# \(entry.roles.map(\.rawValue).joined(separator: ", "))", "apiVersion: kafka.strimzi.io/v1",
                "kind: KafkaUser",
                "metadata:", "  name: \(Self.text(entry.principal))", "  labels:",
                "    strimzi.io/cluster: \(Self.text(cluster))", "spec:",
                "  authentication:", "    type: \(authentication.rawValue)", "  authorization:", "    type: simple",
                "    acls:",
            ]
            for (kind, name, operations) in Self.resources(entry.grants) {
                lines += ["      - resource:", "          type: \(kind.rawValue)"]
                if kind != .cluster {
                    lines += ["          name: \(Self.text(name))", "          patternType: literal"]
                }
                lines.append("        operations: [\(operations.map(\.rawValue).joined(separator: ", "))]")
            }
            return lines.joined(separator: "\n")
        }.joined(separator: "\n")
    }

    /// The first principal that is not a valid name of a `KafkaUser`; `nil` if all are valid. A valid name has at most
    /// 253 lower-case letters, digits, `-` and `.`, with a letter or digit at both ends.
    package var unfitForStrimzi: String? {
        entries.map(\.principal).first { name in
            name.count > 253
                || name.wholeMatch(of: #/[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/#) == nil
        }
    }

    /// Returns each resource once, with all operations on it.
    private static func resources(_ grants: [AccessGrant]) -> [(AccessGrant.Kind, String, [AccessGrant.Operation])] {
        var resources: [(kind: AccessGrant.Kind, name: String, operations: [AccessGrant.Operation])] = []
        for grant in grants {
            for name in grant.names {
                if let index = resources.firstIndex(where: { $0.kind == grant.kind && $0.name == name }) {
                    resources[index].operations += grant.operations.filter { !resources[index].operations.contains($0) }
                } else {
                    resources.append((grant.kind, name, grant.operations))
                }
            }
        }
        return resources.map { ($0.kind, $0.name, $0.operations) }
    }

    /// Quotes a string. A JSON string is also a YAML string.
    private static func text(_ text: String) -> String { JSON.string(text).description }
}
