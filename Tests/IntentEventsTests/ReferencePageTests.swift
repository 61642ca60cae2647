import Foundation
import IntentEvents
import IntentModel
import Testing

/// The pages of the reference: `GOLDEN=write` writes them again.
@Suite("The reference of events and rejections")
struct ReferencePageTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(
        path: "../../docs/reference")

    private func check(_ text: String, _ path: String) throws {
        let file = Self.folder.appending(path: path)
        if Golden.isWriting {
            try FileManager.default.createDirectory(at: Self.folder, withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }
        let stored = try? String(contentsOf: file, encoding: .utf8)
        #expect(
            stored == text,
            "docs/reference/\(path) is not what the code says: GOLDEN=write swift test --filter ReferencePageTests writes it again"
        )
    }

    @Test("the page of events is what the contract says")
    func events() throws {
        try check(EventReference().markdown(), "events.md")
    }

    @Test(
        "every event has one section, with every member, and an example that shows the event",
        arguments: Contract.events)
    func isDescribed(_ event: ContractEvent) throws {
        let page = try EventReference().markdown()
        let sections = page.split(separator: "\n### \(event.name)\n", omittingEmptySubsequences: false)
        try #require(sections.count == 2)
        let section = String(
            sections[1].prefix(upTo: sections[1].firstRange(of: "\n### ")?.lowerBound ?? sections[1].endIndex))
        for member in event.members { #expect(section.contains("\n| `\(member.name)` | "), "\(member.name)") }
        let golden = try Golden(named: EventReference.example(of: event))
        #expect(golden.headers.contains { $0.name == "ce_type" && $0.value == event.type.rawValue })
        #expect(event.topics.contains { $0.name(Topics()) == golden.topic })
    }

    @Test("the page of rejections is what the readers say")
    func rejections() throws {
        try check(RejectionReference.markdown, "rejections.md")
        for rejected in RejectionReference.unreadable { #expect(rejected.error != nil, "\(rejected.input)") }
    }

    @Test("every reason is on the page of rejections", arguments: RejectionReason.allCases)
    func reason(_ reason: RejectionReason) {
        #expect(RejectionReference.markdown.contains("\n| `\(reason.rawValue)` | "))
    }
}
