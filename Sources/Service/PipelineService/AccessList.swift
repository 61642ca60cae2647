/// The ACLs of principals, with their two printed forms.
package struct AccessList: Sendable {
    /// The grants of a principal, which may have several roles.
    struct Entry: Sendable {
        /// The principal's name without `User:`.
        var principal: String
        var roles: [AccessRole]
        var grants: [AccessGrant]
    }

    private(set) var entries: [Entry] = []

    package init() {}

    /// Adds the grants of a role. Grants that the principal has already are not repeated.
    package mutating func add(_ grants: [AccessGrant], of role: AccessRole, to principal: String) {
        let index = entries.firstIndex { $0.principal == principal } ?? entries.endIndex
        if index == entries.endIndex { entries.append(Entry(principal: principal, roles: [], grants: [])) }
        entries[index].roles.append(role)
        for grant in grants where !entries[index].grants.contains(grant) { entries[index].grants.append(grant) }
    }

    /// Returns a script of `kafka-acls.sh` commands. The script's arguments are the connection's.
    ///
    /// - Parameter removing: `true` removes the ACLs instead.
    package func script(removing: Bool = false) -> String {
        var lines = [
            "#!/bin/sh",
            "# \(removing ? "Removes" : "Adds") the ACLs of an intent pipeline. Run it with the connection of an administrator:",
            "#   sh acls.sh --bootstrap-server kafka1:9092 --command-config admin.properties",
            "# KAFKA_ACLS names kafka-acls.sh if it is not in the PATH.", "set -eu",
        ]
        for entry in entries {
            lines += ["", "# \(entry.roles.map(\.rawValue).joined(separator: ", "))"]
            for grant in entry.grants {
                let resources =
                    grant.kind == .cluster
                    ? ["--cluster"] : grant.names.map { "--\(grant.kind.rawValue) \(Self.quoted($0))" }
                let words =
                    [#""${KAFKA_ACLS:-kafka-acls.sh}" "$@""#, removing ? "--remove --force" : "--add"]
                    + ["--allow-principal \(Self.quoted("User:\(entry.principal)"))"]
                    + grant.operations.map { "--operation \($0.rawValue)" }
                    + resources
                lines.append(words.joined(separator: " "))
            }
        }
        return lines.joined(separator: "\n")
    }

    /// Quotes a word for a POSIX shell.
    private static func quoted(_ text: String) -> String { "'\(text.replacing("'", with: #"'\''"#))'" }
}
