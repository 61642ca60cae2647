#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Stores documents in files: up to 256 files for each collection, each file with a lock of its own.
///
/// A file holds the newest 1,000 of its documents. The document that was written longest ago is removed first.
struct DirectoryShelf: Shelf {
    let directory: URL
    private static let capacity = 1_000
    private static let files: UInt64 = 256

    private struct Contents: Codable {
        var written = 0
        var documents: [String: Document] = [:]

        struct Document: Codable {
            var written: Int
            var json: Data
        }
    }

    func read(_ key: String, in collection: String) throws -> Data? {
        try contents(file(of: key, in: collection)).documents[key]?.json
    }

    func update<Result>(_ key: String, in collection: String, _ change: (inout Data?) throws -> Result) throws -> Result
    {
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        let file = file(of: key, in: collection)
        return try locked(file) {
            var contents = try contents(file)
            let before = contents.documents[key]?.json
            var json = before
            let result = try change(&json)
            guard json != before else { return result }
            contents.written += 1
            contents.documents[key] = json.map { Contents.Document(written: contents.written, json: $0) }
            if contents.documents.count > Self.capacity,
                let oldest = contents.documents.min(by: { $0.value.written < $1.value.written })
            {
                contents.documents[oldest.key] = nil
            }
            try JSONEncoder().encode(contents).write(to: file, options: .atomic)
            return result
        }
    }

    private func contents(_ file: URL) throws -> Contents {
        guard FileManager.default.fileExists(atPath: file.path) else { return Contents() }
        return try JSONDecoder().decode(Contents.self, from: try Data(contentsOf: file))
    }

    private func file(of key: String, in collection: String) -> URL {
        // FNV-1a.
        let hash = key.utf8.reduce(14_695_981_039_346_656_037 as UInt64) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }
        return directory.appending(path: "\(collection)-\(hash % Self.files).json")
    }

    /// Runs a function under the file's lock. The lock is a separate file, because each write replaces the file itself.
    /// A process that crashes loses its lock.
    private func locked<Result>(_ file: URL, _ body: () throws -> Result) throws -> Result {
        let descriptor = open(file.path + ".lock", O_CREAT | O_RDWR, 0o600)
        guard descriptor >= 0 else { throw SampleStoreError(path: file.path, errno: errno) }
        defer { close(descriptor) }
        while flock(descriptor, LOCK_EX) != 0 {
            guard errno == EINTR else { throw SampleStoreError(path: file.path, errno: errno) }
        }
        return try body()
    }
}

/// Thrown if the store's directory is not usable.
struct SampleStoreError: Error, CustomStringConvertible {
    let path: String
    let errno: Int32

    var description: String {
        "can't lock \(path) (\(String(cString: strerror(errno)))): set INTENTS_SAMPLE_DATA to a writable directory"
    }
}
