import Conversation
import Foundation
import IntentEvents
import IntentModel
import RecordLog
import Testing

/// The pages of the reference: `GOLDEN=write` writes them again.
@Suite("The reference of events and rejections") struct ReferencePageTests {
    private func check(_ text: String, _ page: String) throws {
        try Golden.check(text, "docs/reference/\(page)", writtenBy: "ReferencePageTests")
    }

    @Test func `the page of events is generated from the contract`() throws {
        try check(EventReference().markdown(), "events.md")
    }

    @Test(arguments: Contract.events)
    func `every event has a section with every member and an example of the event`(_ event: ContractEvent) throws {
        let page = try EventReference().markdown()
        let sections = page.split(separator: "\n### \(event.name)\n", omittingEmptySubsequences: false)
        try #require(sections.count == 2)
        let section = try #require(sections[1].split(separator: "\n### ").first)
        for member in event.members { #expect(section.contains("\n| `\(member.name)` | "), "\(member.name)") }
        let golden = try Golden(named: EventReference.example(of: event))
        #expect(golden.type == event.type.rawValue)
        #expect(event.topics.contains { $0.name(Topics()) == golden.topic })
    }

    @Test func `the page of rejections is generated from the readers, and has every reason`() throws {
        try check(RejectionReference.markdown, "rejections.md")
        for rejected in RejectionReference.unreadable { #expect(rejected.error != nil, "\(rejected.input)") }
        for reason in RejectionReason.allCases {
            #expect(RejectionReference.markdown.contains("\n| `\(reason.rawValue)` | "))
        }
    }
}

/// Compares the published documents with the contract. `GOLDEN=write` writes them again.
@Suite("The published contract") struct ContractDocumentTests {
    private static var examples: [ContractExample] {
        get throws {
            try Golden.stored.compactMap { name in
                let golden = try Golden(named: name)
                return ContractExample(name: name, try JSONView(parsing: Array(golden.text.utf8), limits: .journal))
            }
        }
    }

    private func check(_ document: JSON, _ path: String) throws {
        try Golden.check(document.indented + "\n", "deploy/contract/\(path)", writtenBy: "ContractDocumentTests")
    }

    @Test func `the JSON Schema of every event is in a file, and there are no others`() throws {
        for event in Contract.events { try check(Contract.jsonSchema(of: event), "schemas/\(event.name).json") }
        let folder = Golden.folder.appending(path: "../../deploy/contract/schemas").path
        let stored = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(Set(stored) == Set(Contract.events.map { "\($0.name).json" }))
    }

    @Test func `the AsyncAPI document is in a file, and its examples are the golden files`() throws {
        let document = Contract.asyncAPI(examples: try Self.examples)
        try check(document, "asyncapi.json")
        let messages = document.view["components"]?["messages"]?.members ?? []
        #expect(messages.count == Contract.events.count)
        let bare = messages.filter { $0.value["examples"]?.elements.isEmpty != false }
        #expect(bare.map(\.name) == [], "they have no example")
    }

    @Test func `the topics of the AsyncAPI document are those that the tool creates, with the same settings`() throws {
        let topics = Topics(prefix: "test")
        let channels = Contract.asyncAPI(topics, partitions: 7, replicationFactor: 3).view["channels"]?.members ?? []
        let specifications = topics.specifications(partitions: 7, replicationFactor: 3)
        #expect(channels.map { $0.value["address"]?.string } == specifications.map(\.name))
        for (channel, specification) in zip(channels, specifications) {
            let binding = try #require(channel.value["bindings"]?["kafka"])
            #expect(binding["topic"]?.string == specification.name)
            #expect(binding["partitions"]?.int == 7 && binding["replicas"]?.int == 3)
            let settings = (binding["topicConfiguration"]?.members ?? []).map { setting in
                let texts = setting.value.elements.compactMap(\.string)
                let joined = texts.isEmpty ? setting.value.json.description : texts.joined(separator: ",")
                return (setting.name, setting.value.string ?? joined)
            }
            #expect(Dictionary(uniqueKeysWithValues: settings) == specification.configuration, "\(specification.name)")
        }
    }

    @Test func `every reference of a schema leads to a definition beside it`() throws {
        for event in Contract.events {
            let schema = Contract.jsonSchema(of: event).view
            let definitions = Set(schema["$defs"]?.members.map(\.name) ?? [])
            let wanted = Set(
                schema.json.description.matches(of: /"\$ref":"#\/\$defs\/([A-Za-z]+)"/).map { String($0.output.1) })
            #expect(definitions == wanted, "\(event.name)")
        }
    }
}

/// The reference of rejections, a page of Markdown. What readers reject is what they say about the records here.
struct RejectionReference {
    /// Records that readers of requests and answers reject, and their faults; `nil` for a valid record.
    static let unreadable: [(input: String, error: EventError?)] = {
        let request = #"{"intent":"A"}"#
        let depth = String(repeating: "[", count: 32) + String(repeating: "]", count: 32)
        let records: KeyValuePairs<String, ConsumedRecord> = [
            "no JSON object, no UTF-8, or no value (a tombstone)": requestRecord("{"),
            "more than 64 KiB, 32 levels or 1,000 members":
                requestRecord(#"{"intent":"A","parameters":{"p":\#(depth)}}"#),
            "more than 64 headers, or 16,384 bytes of them":
                requestRecord(request, headers: (0...64).map { RecordHeader("h\($0)", "") }),
            "no key, or a key that is no session's id": requestRecord(request, key: nil),
            "an unknown type of event": requestRecord(request, type: "intent.dreamt.v1"),
            "a type that belongs to another topic": requestRecord(request, type: "intent.handle.v1"),
            "another version of an event": requestRecord(request, type: "intent.requested.v2"),
            "structured mode without type or data":
                requestRecord(#"{"specversion":"1.0","id":"e"}"#, headers: structured),
            "a member that is missing or of the wrong type": requestRecord(#"{"intent":1}"#),
            "a member that looks like a misspelt one": requestRecord(#"{"intent":"A","paramters":{}}"#),
            "control characters or marks of direction in an id or a name": requestRecord(#"{"intent":"a\nb"}"#),
            "half a principal: a type without an id, or an id without a type":
                requestRecord(request, headers: [RecordHeader("ce_authtype", "app_user")]),
            "`phases` that leave one out": requestRecord(#"{"intent":"A","phases":["handle"]}"#),
        ]
        return records.map { input, record in
            do throws(EventError) {
                _ = try RequestEvent(record)
                return (input, nil)
            } catch { return (input, error) }
        }
    }()

    /// Events that a coordinator rejects because of the state of the session, or because of the sender.
    private static let refused = """
        | an answer to a prompt that is not open; a cancel or a correction of nothing | `unexpected` |  |
        | a yes to the confirmation of an intent with another `value` than `true`; the prompt stays open \
        | `invalid` | `value` |
        | an unknown parameter, or a value of the wrong type, in an answer or a correction; the request goes on \
        | `invalid` | the parameter |
        | an event of another principal than the one who has opened the session | `unauthorized` | `authid` |
        | with `--trust separate`, an event on `intents.requests` that speaks for the person | `unauthorized` | `type` |
        | the same, of an answer that agrees to something | `unauthorized` | `prompt` or `parameters` |
        | completing or returning a handoff without the secret of its claim | `unauthorized` | `secret` |
        | more than 16 requests, or 256 KiB of them, waiting in a session | `busy` |  |
        | more than 16 forgettings of the person that are not confirmed yet | `busy` |  |
        | 1,000 events of a sender at once and 100 a second, or 1,000 sessions of a principal, exceeded in a partition \
        | `busy` |  |
        """

    /// The meaning of a reason.
    private static func meaning(of reason: RejectionReason) -> String {
        switch reason {
        case .unsupported: "No worker serves this intent, or this is no event."
        case .unauthorized: "The sender may not do this."
        case .unexpected: "The event does not fit the state, such as an answer to a prompt that is not open."
        case .invalid: "The event is readable and breaks a rule, such as an unknown parameter or a missing member."
        case .unparseable: "The record can't be read."
        case .deprecated: "The version is not supported, any longer or yet."
        case .internal: "A fault on the pipeline's side."
        case .complex: "The record is larger or deeper than the bounds."
        case .busy: "Too much load. Try again later; `retryAfter` says when, if that is known."
        case .outcomeUnknown: "The handler of an at-most-once intent was called, and its outcome was lost."
        }
    }

    /// The text of the page.
    static var markdown: String {
        var lines = [
            "# Rejections", "",
            "<!-- Generated from the readers: GOLDEN=write swift test --filter ReferencePageTests -->", "",
            """
            Bad input is rejected with a reason. No process crashes, and no bad record blocks a partition. For the topics of requests and \
            answers, [request.rejected.v1](events.md#requestrejectedv1) says what is wrong and what to do. An unreadable record also \
            becomes a [dead letter](../operating.md), with key, value and headers unchanged. A rejected event opens no session.
            """, "", "## What readers reject", "", "| input | reason | field | dead letter |", "|---|---|---|---|",
        ]
        for rejected in unreadable {
            guard let error = rejected.error else { continue }
            let field = error.rejection.field.map { "`\($0)`" } ?? ""
            lines.append(
                "| \(rejected.input) | `\(error.rejection.reason.rawValue)` | \(field) | \(error.isDeadLetter ? "yes" : "") |"
            )
        }
        lines += [
            "", "## What coordinators reject", "", "| input | reason | field |", "|---|---|---|", refused, "",
            """
            Other input leads to another result. An unknown intent completes as `unsupported`. A request with an unknown parameter or a \
            value of the wrong type completes as `failure` with the reason `invalid`. A value that is readable and can't be used leads to \
            a prompt for another one. The same event id in the same session again is the same request, and is ignored while the session is \
            open, for an hour after the session was forgotten, and for a day after the end of a request whose handler may be called once.
            """, "", "## Work and outcomes", "",
            """
            A record that can't be read on the topics of work and outcomes becomes a dead letter. A request that waits for this outcome \
            fails if the outcome has its ticket. An outcome has at most 256 KiB, 32 levels and 10,000 members. An outcome of the open step \
            with another ticket, without a ticket or of another phase becomes a dead letter with the reason `unauthorized`. \
            Past 1,000 unreadable records at once and 500 a second in a partition, records are only counted, and once a second a dead \
            letter names the range of their offsets.
            """, "", "## Reasons", "", "| reason | meaning |", "|---|---|",
        ]
        lines += RejectionReason.allCases.map { "| `\($0.rawValue)` | \(meaning(of: $0)) |" }
        return lines.joined(separator: "\n") + "\n"
    }
}
