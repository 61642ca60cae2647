import Foundation
import SampleDomains
import Testing

@Suite("The sample store") struct SampleStoreTests {
    struct Note: Codable, Hashable { var text: String }

    /// Calls `body` with a store in memory twice, and with two stores that share a directory, as two processes do.
    private func withStores(_ body: (SampleStore, SampleStore) throws -> Void) throws {
        let memory = SampleStore()
        try body(memory, memory)
        let directory = URL.temporaryDirectory.appending(path: "sample-store-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: directory) }
        try body(SampleStore(directory: directory), SampleStore(directory: directory))
    }

    @Test func `a document that one process writes can be read by another`() throws {
        try withStores { one, other in
            try one.write(Note(text: "milk"), "me/1", in: "notes")
            #expect(try other.read("me/1", in: "notes") == Note(text: "milk"))
            #expect(try other.read("me/1", in: "lists", as: Note.self) == nil)
            #expect(try other.read("you", in: "notes", as: Note.self) == nil)
        }
    }

    @Test func `an update gets the document, can remove it, and changes nothing if it throws`() throws {
        struct Stop: Error {}
        try withStores { one, other in
            try one.write(Note(text: "milk"), "me", in: "notes")
            let before = try other.update("me", in: "notes", as: Note.self) { note in
                defer { note?.text += " and eggs" }
                return note?.text
            }
            #expect(before == "milk")
            #expect(throws: Stop.self) { try one.update("me", in: "notes", as: Note.self) { _ in throw Stop() } }
            #expect(try one.read("me", in: "notes") == Note(text: "milk and eggs"))
            try one.update("me", in: "notes", as: Note.self) { $0 = nil }
            #expect(try other.read("me", in: "notes", as: Note.self) == nil)
        }
    }

    @Test func `concurrent updates are made one after the other`() async throws {
        let directory = URL.temporaryDirectory.appending(path: "sample-store-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: directory) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    let store = SampleStore(directory: directory)
                    for _ in 0..<25 { try store.update("count", in: "numbers", as: Int.self) { $0 = ($0 ?? 0) + 1 } }
                }
            }
            try await group.waitForAll()
        }
        #expect(try SampleStore(directory: directory).read("count", in: "numbers", as: Int.self) == 100)
    }
}
