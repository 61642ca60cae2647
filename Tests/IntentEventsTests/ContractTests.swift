import Foundation
import IntentEvents
import IntentModel
import RecordLog
import Testing

/// Compares the table of the wire contract with the golden files.
@Suite("The wire contract, field by field") struct ContractTests {
    /// The golden files of an event.
    private static func goldens(_ event: ContractEvent) throws -> [Golden] {
        try Golden.stored.map { try Golden(named: $0) }.filter { golden in
            golden.type == event.type.rawValue && event.topics.contains { $0.name(Examples.topics) == golden.topic }
        }
    }

    @Test(arguments: Contract.events)
    func `every event has the required members and no members beyond the table's`(_ event: ContractEvent) throws {
        let known = Set(event.members.map(\.name))
        let required = Set(event.members.filter(\.isRequired).map(\.name))
        var seen: Set<String> = []
        for golden in try Self.goldens(event) {
            let names = Set(golden.value?.view.members.map(\.name) ?? [])
            #expect(required.subtracting(names).isEmpty, "\(golden.name) lacks something")
            if !golden.name.hasPrefix("accepted.") {
                #expect(names.subtracting(known).isEmpty, "\(golden.name) has more than the contract says")
            }
            seen.formUnion(names)
        }
        #expect(known.subtracting(seen) == [], "\(event.name): no golden file shows these")
        #expect(known.count == event.members.count, "\(event.name) has a member twice")
    }

    @Test func `every member of every shape is shown by a golden file`() throws {
        var walk = SchemaWalk()
        for event in Contract.events {
            walk.declare("\(event.name):", event.schema.json.view)
            for golden in try Self.goldens(event) {
                if let value = golden.value { walk.see("\(event.name):", event.schema.json.view, value.view) }
            }
        }
        for shape in ContractShape.allCases { walk.declare(shape.rawValue, shape.schema.json.view) }
        #expect(walk.declared.subtracting(walk.seen).sorted() == [], "no golden file shows these")
        #expect(walk.declared.count > 300)
    }

    @Test func `every type is in the table, once for each side that it is on`() {
        #expect(Set(Contract.events.map(\.type)) == Set(EventType.allCases))
        #expect(Set(Contract.events.map(\.name)).count == Contract.events.count)
        for topic in ContractTopic.allCases {
            let types = Contract.events.filter { $0.topics.contains(topic) }.map(\.type)
            #expect(Set(types).count == types.count, "\(topic)")
        }
    }

    @Test func `the topics of the table are the pipeline's, and writers of an event may write its topics`() {
        #expect(ContractTopic.allCases.map { $0.name(Examples.topics) } == Examples.topics.all)
        for event in Contract.events {
            for topic in event.topics {
                let strangers = Set(event.writers).subtracting(topic.writers)
                #expect(strangers.subtracting([.producer, .agent]).isEmpty, "\(event.name) on \(topic): \(strangers)")
            }
        }
        for topic in ContractTopic.allCases {
            let writers = Set(Contract.events.filter { $0.topics.contains(topic) }.flatMap(\.writers))
            #expect(writers.isDisjoint(with: topic.writers) || writers.isSuperset(of: topic.writers), "\(topic)")
        }
    }

    @Test func `an event is found by its type and its topic: the two sides of a claim are two events`() {
        #expect(Contract.event(of: .handoffClaimed, on: .answers)?.name == "requests.handoff.claimed.v1")
        #expect(Contract.event(of: .handoffClaimed, on: .results)?.name == "results.handoff.claimed.v1")
        #expect(Contract.event(of: .updated, on: .outcomes)?.name == "outcomes.intent.updated.v1")
        #expect(Contract.event(of: .resolve, on: .handle) == nil && Contract.events(of: .handoffClaimed).count == 2)
    }

    @Test func `the pipeline writes CloudEvents 1.0 in binary mode`() throws {
        for golden in try Examples.records() where golden.name != "dead-letter" {
            let found = Dictionary(golden.headers.map { ($0.name, $0.value) }, uniquingKeysWith: { _, _ in "twice" })
            #expect(found["ce_specversion"] == "1.0" && found["content-type"] == "application/json", "\(golden.name)")
            #expect(found["ce_time"] == "2026-03-01T12:00:00.250Z", "\(golden.name)")
            let required = Contract.headers.filter(\.isRequired).map(\.name)
            #expect(required.allSatisfy { found[$0]?.isEmpty == false }, "\(golden.name)")
            if golden.topic != "intents.requests", golden.topic != "intents.answers" {
                #expect(found["ce_subject"] == golden.value?.view["request"]?.string, "\(golden.name)")
            }
            #expect(Set(found.keys).isSubset(of: Contract.headers.map(\.name)), "\(golden.name)")
        }
    }
}

/// The members that schemas declare, and the declared members that values have.
private struct SchemaWalk {
    private(set) var declared: Set<String> = []
    private(set) var seen: Set<String> = []

    private static let groups = ["anyOf", "allOf", "oneOf"]

    /// Adds the members of a schema.
    ///
    /// - Parameter place: The name of the shape or event, and the members on the path.
    mutating func declare(_ place: String, _ schema: JSONView) {
        for member in schema["properties"]?.members ?? [] {
            declared.insert("\(place).\(member.name)")
            declare("\(place).\(member.name)", member.value)
        }
        for name in ["items", "additionalProperties"] { if let part = schema[name] { declare(place, part) } }
        for group in Self.groups { for part in schema[group]?.elements ?? [] { declare(place, part) } }
    }

    mutating func see(_ place: String, _ schema: JSONView, _ value: JSONView) {
        let reference = schema["$ref"]?.string ?? ""
        if let shape = ContractShape(rawValue: String(reference.dropFirst("#/$defs/".count))) {
            see(shape.rawValue, shape.schema.json.view, value)
        }
        for member in schema["properties"]?.members ?? [] {
            guard let part = value[member.name] else { continue }
            seen.insert("\(place).\(member.name)")
            see("\(place).\(member.name)", member.value, part)
        }
        if let items = schema["items"] { for element in value.elements { see(place, items, element) } }
        if let others = schema["additionalProperties"] {
            for member in value.members { see(place, others, member.value) }
        }
        for group in Self.groups { for part in schema[group]?.elements ?? [] { see(place, part, value) } }
    }
}

/// Compares the readers' errors with MalformedEvents.json. deploy/contract.py checks the schemas with the same file.
@Suite("Malformed events") struct MalformedEventTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var rule: String
        var type: String
        var value: JSON
        /// The reader's error, in the form of ``problem(_:)``.
        var read: String

        var testDescription: String { "\(rule): \(type) \(value.description.prefix(200))" }
    }

    static let cases: [Case] = {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "MalformedEvents.json")
        guard let text = try? Data(contentsOf: file), let rules = try? JSONView(parsing: Array(text), limits: .journal)
        else { return [] }
        return rules.elements.flatMap { rule in
            (rule["cases"]?.elements ?? []).map { each in
                Case(
                    rule: rule["rule"]?.string ?? "", type: each["type"]?.string ?? "",
                    value: each["value"]?.compact ?? .null, read: each["read"]?.string ?? "")
            }
        }
    }()

    @Test func `the file has cases of all three readers`() {
        let topics = Set(Self.cases.compactMap { Self.topic($0.type) })
        #expect(topics == [.requests, .outcomes, .resolve] && Self.cases.count > 100)
    }

    @Test(arguments: cases)
    func `the fault of a malformed event is named`(_ each: Case) {
        let event = outcomeRecord(each.value.description, type: each.type)
        switch Self.topic(each.type) {
        case .requests:
            #expect(problem(requestRecord(each.value.description, type: each.type, id: "e")) == each.read)
            // Without headers, the type is a member.
            let members = each.value.description.dropFirst()
            let bare = "{\"type\":\"\(each.type)\"" + (members == "}" ? members : "," + members)
            #expect(problem(requestRecord(bare)) == each.read)
        case .outcomes: #expect(problem(event, OutcomeEvent.init) == each.read)
        default: #expect(problem(event, WorkEvent.init) == each.read)
        }
    }

    private static func topic(_ type: String) -> ContractTopic? {
        EventType(rawValue: type).flatMap { Contract.events(of: $0).first?.topics.first }
    }
}
