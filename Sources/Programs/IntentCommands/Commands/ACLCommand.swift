import ArgumentParser
import IntentEvents
import PipelineService

extension AccessRole: ExpressibleByArgument {}
extension StrimziAuthentication: ExpressibleByArgument {}

struct ACLCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "acl", abstract: "Print the rights that each role needs at Kafka.", subcommands: [Print.self])

    enum Format: String, ExpressibleByArgument, CaseIterable { case kafkaACLs = "kafka-acls", strimzi }

    struct Print: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print the ACLs of each role, for kafka-acls.sh or for Strimzi.",
            usage: "\(PipelineProgram.tool) acl print [<options>]",
            discussion: """
                With --format kafka-acls, prints a script that runs kafka-acls.sh with the arguments that it is given, such as sh acls.sh \
                --bootstrap-server kafka1:9092 --command-config admin.properties. With --format strimzi, prints KafkaUser resources. Does not connect \
                to Kafka.

                Each role has a principal of its own, named after it. A principal that has several roles gets the rights of all of them.
                """)

        @Option(help: "The form: kafka-acls or strimzi.")
        var format: Format = .kafkaACLs

        @Option(name: .customLong("role"), help: "Only this role. May be repeated.")
        var roles: [AccessRole] = []

        @Option(help: "The prefix of the names of topics and groups. [environment: INTENTS_TOPIC_PREFIX]")
        var topicPrefix: String?

        @Option(
            help: ArgumentHelp(
                "What the name of each principal begins with, before the role's. Defaults to the topic prefix and '-'.",
                valueName: "text")
        )
        var principalPrefix: String?

        @Option(
            name: .customLong("principal"),
            help: ArgumentHelp("The principal of a role, without 'User:'. May be repeated.", valueName: "role=name"),
            transform: RoleName.reading)
        var principals: [RoleName] = []

        @Option(
            name: .customLong("group"),
            help: ArgumentHelp(
                "A consumer group that a role's own programs join. May be repeated.", valueName: "role=name"),
            transform: RoleName.reading)
        var groups: [RoleName] = []

        @Option(
            name: .customLong("service"),
            help: ArgumentHelp(
                "The service whose workers get rights, with groups and principals of their own; default for the default service, which it is if none is named. May be repeated.",
                valueName: "name"))
        var services: [String] = []

        @Flag(help: "Also for brokers before 2.8: IdempotentWrite on the cluster.")
        var idempotentWrite = false

        @Flag(help: "Print the commands that take the rights back. For kafka-acls.")
        var remove = false

        @Option(help: ArgumentHelp("The name of the Kafka resource. For strimzi.", valueName: "name"))
        var cluster: String?

        @Option(help: "How users authenticate. For strimzi.")
        var authentication: StrimziAuthentication?

        private var topics: Topics { KafkaOptions.topics(prefix: topicPrefix) }
        private func principal(of role: AccessRole, _ service: String?) -> String {
            principals.last { $0.role == role }?.name
                ?? (principalPrefix ?? "\(topics.prefix)-") + (service.map { "\($0)-" } ?? "") + role.rawValue
        }

        /// Returns the services of a role; `nil` is the default service.
        private func services(of role: AccessRole) -> [String?] {
            AccessRole.workers.contains(role) ? namedServices : [nil]
        }

        private var namedServices: [String?] {
            services.isEmpty ? [nil] : services.map { $0 == ServiceName.ofDefault ? nil : $0 }
        }

        private var list: AccessList {
            var list = AccessList()
            for role in AccessRole.allCases where roles.isEmpty || roles.contains(role) {
                for service in services(of: role) {
                    var access = role.access(topics, service: service)
                    if !access.describesGroups.isEmpty {
                        access.describesGroups = AccessRole.groups(topics, namedServices)
                    }
                    let grants = access.grants(
                        groups: groups.filter { $0.role == role }.map(\.name), idempotentWrite: idempotentWrite)
                    list.add(grants, of: role, to: principal(of: role, service))
                }
            }
            return list
        }

        func validate() throws {
            if let unfit = services.first(where: { !ServiceName.isName($0) }) {
                throw ValidationError("--service '\(unfit)' is not 1 to 64 lower-case letters, digits and hyphens.")
            }
            let own = AccessRole.allCases.flatMap { role in
                services(of: role).compactMap { role.access(topics, service: $0).group }
            }
            if let taken = groups.first(where: { own.contains($0.name) }) {
                throw ValidationError("'\(taken.name)' is a group of the pipeline: who may join it can take its work.")
            }
            switch format {
            case .kafkaACLs:
                if cluster != nil || authentication != nil {
                    throw ValidationError("--cluster and --authentication are for --format strimzi.")
                }
            case .strimzi:
                if remove {
                    throw ValidationError(
                        "--remove is for --format kafka-acls: delete the KafkaUser resources instead.")
                }
                if cluster == nil {
                    throw ValidationError("--format strimzi needs --cluster, the name of the Kafka resource.")
                }
                if let unfit = list.unfitForStrimzi {
                    throw ValidationError(
                        "'\(unfit)' can't be the name of a KafkaUser, which has lower-case letters, digits, - and . only: use --principal-prefix or "
                            + "--principal.")
                }
            }
        }

        func run() async throws {
            switch format {
            case .kafkaACLs: print(list.script(removing: remove))
            case .strimzi: print(list.strimzi(cluster: cluster ?? "", authentication: authentication ?? .scram))
            }
        }
    }
}

/// A role and a name, written as `role=name`.
struct RoleName {
    var role: AccessRole
    var name: String

    static func reading(_ text: String) throws -> RoleName {
        let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
        guard parts.count == 2, let role = AccessRole(rawValue: parts[0]) else {
            throw ValidationError(
                "'\(text)' is not role=name; the roles are \(AccessRole.allCases.map(\.rawValue).joined(separator: ", "))."
            )
        }
        return RoleName(role: role, name: parts[1])
    }
}
