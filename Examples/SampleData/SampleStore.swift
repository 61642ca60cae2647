import Synchronization

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Stores the sample domains' state between phases: documents by collection and key.
///
/// Phases run in different processes. Handlers therefore have no state of their own and use this store, as a service in
/// production uses its database. A handler may run again, so it writes under its idempotency key, or makes a change
/// that has no effect the second time.
public struct SampleStore: Sendable {
    private let shelf: any Shelf

    /// Stores documents in the files of a directory, which several processes may share.
    public init(directory: URL) { shelf = DirectoryShelf(directory: directory) }

    /// Stores documents in memory, for tests in which all phases run in one process.
    public init() { shelf = MemoryShelf() }

    /// The store in the directory that the environment variable `INTENTS_SAMPLE_DATA` names; defaults to
    /// `intents-sample-data` in the temporary directory.
    public static func shared() -> SampleStore {
        let named = ProcessInfo.processInfo.environment["INTENTS_SAMPLE_DATA"].flatMap {
            $0.isEmpty ? nil : URL(filePath: $0)
        }
        return SampleStore(directory: named ?? URL.temporaryDirectory.appending(path: "intents-sample-data"))
    }

    /// The document; `nil` if there is none.
    public func read<Document: Codable>(_ key: String, in collection: String, as type: Document.Type = Document.self)
        throws -> Document?
    {
        try shelf.read(Self.plain(key), in: collection).map { try JSONDecoder().decode(type, from: $0) }
    }

    /// Reads and writes a document atomically. Setting the document to `nil` removes the document.
    public func update<Document: Codable, Result>(
        _ key: String, in collection: String, as type: Document.Type = Document.self,
        _ change: (inout Document?) throws -> Result
    ) throws -> Result {
        try shelf.update(Self.plain(key), in: collection) { data in
            var document = try data.map { try JSONDecoder().decode(type, from: $0) }
            let result = try change(&document)
            data = try document.map { try JSONEncoder().encode($0) }
            return result
        }
    }

    /// The key in ASCII, with escapes for other characters. Two keys that only look equal, such as "é" in one character
    /// and in two, then differ as keys of a dictionary too.
    public static func plain(_ key: String) -> String { key.unicodeScalars.map { $0.escaped(asASCII: true) }.joined() }

    /// Writes a document, replacing an existing one.
    public func write<Document: Codable>(_ document: Document, _ key: String, in collection: String) throws {
        try update(key, in: collection, as: Document.self) { $0 = document }
    }
}

/// A storage of documents, as the bytes of their JSON.
protocol Shelf: Sendable {
    func read(_ key: String, in collection: String) throws -> Data?
    func update<Result>(_ key: String, in collection: String, _ change: (inout Data?) throws -> Result) throws -> Result
}

final class MemoryShelf: Shelf {
    private let documents = Mutex<[String: Data]>([:])

    func read(_ key: String, in collection: String) -> Data? { documents.withLock { $0["\(collection)/\(key)"] } }

    func update<Result>(_ key: String, in collection: String, _ change: (inout Data?) throws -> Result) throws -> Result
    {
        var result: Swift.Result<Result, any Error>?
        documents.withLock { documents in
            result = Swift.Result { try change(&documents["\(collection)/\(key)"]) }
        }
        guard let result else { preconditionFailure("the lock runs its body") }
        return try result.get()
    }
}
