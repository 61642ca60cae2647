import Foundation
import IntentEvents
import IntentModel
import Testing

/// Compares the readers' errors with MalformedEvents.json. deploy/contract.py checks the schemas with the same file.
@Suite("Malformed events")
struct MalformedEventTests {
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

    @Test("the file has cases of all three readers")
    func complete() {
        let topics = Set(Self.cases.compactMap { Self.topic($0.type) })
        #expect(topics == [.requests, .outcomes, .resolve] && Self.cases.count > 100)
    }

    @Test("what is wrong with an event is named", arguments: cases)
    func read(_ each: Case) {
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
