import IntentEvents
import IntentModel
import Pipeline
import PipelineService
import RecordLog
import Testing

@Suite("Who may do what at Kafka") struct AccessTests {
    private let topics = Topics(prefix: "home")

    func list(_ roles: [AccessRole], principal: (AccessRole) -> String = { "home-\($0.rawValue)" }) -> AccessList {
        var list = AccessList()
        for role in roles { list.add(role.access(topics).grants(), of: role, to: principal(role)) }
        return list
    }

    private func roles(_ may: (RoleAccess) -> [String], _ name: String) -> [AccessRole] {
        AccessRole.allCases.filter { may($0.access(topics)).contains(name) }
    }

    @Test func `the coordinator's row has the group and topics that coordinators really use`() throws {
        let access = AccessRole.coordinator.access(topics)
        let client = Coordinator.client("c", topics)
        let group = try #require(client.group)
        #expect(group.id == access.group && Set(group.topics).isSubset(of: access.reads))
        #expect(client.gaplessTopics.isSubset(of: access.writes) && client.gaplessTopics.isSubset(of: access.reads))
        let memory = try #require(MemoryKeeper.client("c", topics).group)
        #expect(access.otherGroups == [memory.id] && memory.id == "home.memory")
        #expect(memory.topics == [topics.memoryChanges])
        #expect(Set(memory.topics + [topics.memory]).isSubset(of: access.reads))
        #expect(access.grants().contains(AccessGrant([.read], .group, ["home.coordinator", "home.memory"])))
        #expect(AccessRole.allCases.filter { !$0.access(topics).otherGroups.isEmpty } == [.coordinator])
    }

    @Test(arguments: AccessRole.allCases)
    func `no role may open a transaction, which would withhold everyone's records behind it`(_ role: AccessRole) {
        let grants = role.access(topics).grants(idempotentWrite: true)
        // Kafka asks for Write on a transactional id, which is a separate kind of resource.
        #expect(grants.allSatisfy { [.topic, .group, .cluster].contains($0.kind) })
        #expect(grants.allSatisfy { $0.kind != .cluster || $0.operations == [.idempotentWrite] })
        let list = list([role])
        for text in [list.script(), list.strimzi(cluster: "c", authentication: .tls)] {
            #expect(!text.contains("transactional"))
        }
    }

    @Test func `a worker's row has the group and the work topic that the worker uses, and no other`() throws {
        let configurations = [false, true].flatMap { isInApp in
            [Phase.resolve, .confirm, .handle].map { WorkerConfiguration(topics: topics, phase: $0, isInApp: isInApp) }
        }
        #expect(configurations.map(\.role) == AccessRole.workers.map(\.rawValue))
        for configuration in configurations {
            let role = try #require(AccessRole(rawValue: configuration.role))
            let access = role.access(topics)
            #expect(access.group == configuration.group.id && configuration.group.topics == [configuration.topic])
            #expect(access.reads == [configuration.topic, topics.keys, topics.catalog])
            #expect(access.writes == [topics.outcomes, topics.catalog, topics.deadLetters])
            var other = configuration
            other.service = "tea"
            #expect(role.access(topics, service: "tea").group == "home.tea.\(configuration.role)")
            #expect(other.group.id == "home.tea.\(configuration.role)")
        }
    }

    @Test(arguments: ContractTopic.allCases)
    func `the published contract has each topic's writers, readers and groups by their rights`(_ topic: ContractTopic) {
        let name = topic.name(topics)
        #expect(Set(topic.writers.map(\.rawValue)) == Set(roles(\.writes, name).map(\.rawValue)))
        #expect(Set(topic.readers.map(\.rawValue)) == Set(roles(\.reads, name).map(\.rawValue)))
        for party in ContractParty.allCases {
            let access = AccessRole(rawValue: party.rawValue)?.access(topics, service: "tea")
            #expect(access?.group == party.group(topics, service: "tea"))
        }
    }

    @Test func `few roles may write work, journal, results, memory and keys, or read requests and memory`() {
        for topic in topics.work + [topics.sessions, topics.results, topics.memory, topics.memoryChanges] {
            #expect(roles(\.writes, topic) == [.coordinator])
        }
        for topic in [topics.memory, topics.memoryChanges] {
            #expect(roles(\.reads, topic) == [.coordinator, .operator])
        }
        #expect(roles(\.reads, topics.requests) == [.coordinator, .console, .operator])
        let publishers = [.coordinator] + AccessRole.workers
        #expect(roles(\.writes, topics.catalog) == publishers)
        let askers: [AccessRole] = [.producer, .agent, .person, .console, .observer, .operator]
        #expect(roles(\.reads, topics.catalog) == publishers + askers)
        #expect(roles(\.writes, topics.keys) == [.coordinator, .operator])
        let encrypted = topics.work + [topics.results, topics.sessions]
        for role in AccessRole.allCases {
            let reads = role.access(topics).reads
            #expect(reads.contains(topics.keys) == encrypted.contains(where: reads.contains), "\(role)")
        }
        #expect(AccessRole.allCases.filter { $0.access(topics).createsTopics } == [.topicAdmin])
    }

    @Test func `each group has one role; console and operator describe all groups, and join none`() {
        let own = AccessRole.allCases.compactMap { $0.access(topics).group }
        #expect(Set(own).count == own.count && own.count == 7)
        let all = ["home.coordinator", "home.memory"] + AccessRole.workers.map { "home.tea.\($0.rawValue)" }
        for role in AccessRole.allCases {
            let access = role.access(topics, service: "tea")
            #expect(access.describesGroups == (role == .console || role == .operator ? all : []), "\(role)")
        }
        let grants = AccessRole.operator.access(topics, service: "tea").grants()
        #expect(grants.filter { $0.kind == .group } == [AccessGrant([.describe], .group, all)])
    }

    @Test func `the commands for kafka-acls.sh name each topic and group literally`() {
        let lines = list([.resolver]).script().split(separator: "\n").filter { !$0.hasPrefix("#") }
        let command = #""${KAFKA_ACLS:-kafka-acls.sh}" "$@" --add --allow-principal 'User:home-resolver'"#
        let all = topics.all.map { "--topic '\($0)'" }.joined(separator: " ")
        #expect(
            lines == [
                "set -eu", "\(command) --operation Describe --operation DescribeConfigs \(all)",
                "\(command) --operation Read --topic 'home.resolve' --topic 'home.keys' --topic 'home.catalog'",
                "\(command) --operation Write --topic 'home.outcomes' --topic 'home.catalog' --topic 'home.dead-letters'",
                "\(command) --operation Read --group 'home.resolver'",
            ])
        let removing = list([.resolver]).script(removing: true)
        #expect(removing.contains("--remove --force --allow-principal 'User:home-resolver'"))
        #expect(!removing.contains("--add") && list([.producer]) { _ in "it's" }.script().contains(#"'User:it'\''s'"#))
    }

    @Test func `a principal with several roles has the rights of all of them, each once`() {
        let script = list([.resolver, .confirmer]) { _ in "workers" }.script()
        #expect(script.contains("# resolver, confirmer\n"))
        #expect(script.split(separator: "\n").filter { $0.contains("--operation Write") }.count == 1)
        #expect(script.contains("--group 'home.resolver'") && script.contains("--group 'home.confirmer'"))
    }

    @Test func `writers at brokers before 2.8 need another right`() {
        let grant = AccessGrant([.idempotentWrite], .cluster, ["kafka-cluster"])
        #expect(AccessRole.producer.access(topics).grants(idempotentWrite: true).contains(grant))
        #expect(!AccessRole.producer.access(topics).grants().contains(grant))
        #expect(!AccessRole.observer.access(topics).grants(idempotentWrite: true).contains(grant))
        var list = AccessList()
        list.add([grant], of: .producer, to: "p")
        #expect(list.script().hasSuffix("--operation IdempotentWrite --cluster"))
    }

    @Test func `Strimzi gets one user for each principal, with each resource once`() {
        let text = list([.person]).strimzi(cluster: "kafka", authentication: .tls)
        let start = """
            ---
            # person
            apiVersion: kafka.strimzi.io/v1
            kind: KafkaUser
            metadata:
              name: "home-person"
              labels:
                strimzi.io/cluster: "kafka"
            spec:
              authentication:
                type: tls
              authorization:
                type: simple
                acls:
                  - resource:
                      type: topic
                      name: "home.requests"
                      patternType: literal
                    operations: [Describe, Write]
                  - resource:
                      type: topic
                      name: "home.answers"
                      patternType: literal
                    operations: [Describe, Write]
                  - resource:
                      type: topic
                      name: "home.results"
                      patternType: literal
                    operations: [Describe, Read]
            """
        #expect(text.hasPrefix(start), "\(text)")
        #expect(text.split(separator: "\n").filter { $0.hasPrefix("          name: ") }.count == topics.all.count)
    }

    @Test func `a principal that can't name a resource in Kubernetes is found`() {
        for name in ["Home", "a_b", "-a", "a-", "a..b", "CN=a", ""] {
            #expect(list([.person, .resolver]) { $0 == .resolver ? name : "fine.1-x" }.unfitForStrimzi == name)
        }
        #expect(list([.person]) { _ in "fine.1-x" }.unfitForStrimzi == nil)
    }
}
