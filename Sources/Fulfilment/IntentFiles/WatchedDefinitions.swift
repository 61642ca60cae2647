#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The definition files of a folder, which are read again after a change.
///
/// Polling finds the changes, because not every file system reports them. Files are read once two polls in a row have
/// found the same, so that an editor is not interrupted while it writes.
package struct WatchedDefinitions: Sendable {
    package typealias Reading = Result<DefinitionFiles, DefinitionError>

    /// The properties of a file that change when it is written or replaced.
    private struct Stamp: Sendable, Equatable {
        let properties: [String]

        /// - Returns: `nil` if there is no such file.
        init?(of path: String) {
            // A link has the properties of its target.
            let target = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
            guard let attributes = try? FileManager.default.attributesOfItem(atPath: target) else { return nil }
            let time = (attributes[.modificationDate] as? Date)?.timeIntervalSinceReferenceDate
            // Numbers have another type on each platform.
            let numbers = [FileAttributeKey.size, .systemFileNumber].map { "\(attributes[$0] ?? "")" }
            properties = ["\(time ?? 0)"] + numbers
        }
    }

    /// The files of a folder by path; a file that is named and does not exist has no stamp.
    private typealias Stamps = [String: Stamp?]

    private let directory: String
    /// The last reading, accepted or not, and the catalogue files that it has named.
    private var last: Reading
    private var attachments: Set<String>
    /// The files at the last poll, and before the last reading.
    private var seen, read: Stamps

    /// Reads the files for the first time.
    ///
    /// - Throws: ``DefinitionError`` with all problems of all files.
    package init(directory: String) throws(DefinitionError) {
        self.directory = directory
        read = Self.stamps(in: directory, attachments: [])
        seen = read
        (last, attachments) = Self.reading(of: directory)
        _ = try last.get()
    }

    /// The files of the last reading; `nil` if it has found problems.
    package var files: DefinitionFiles? { try? last.get() }

    /// Reads the files again if they have changed since the last reading and are the same as at the last poll.
    ///
    /// - Returns: The new reading; `nil` if it has the same result as the last one.
    package mutating func poll() -> Reading? {
        let now = Self.stamps(in: directory, attachments: attachments)
        defer { seen = now }
        guard now == seen, now != read else { return nil }
        let earlier = last
        (last, attachments) = Self.reading(of: directory)
        // A catalogue that is named for the first time has no stamp yet, which leads to another reading with the same
        // result.
        read = now
        return last == earlier ? nil : last
    }

    private static func reading(of directory: String) -> (Reading, attachments: Set<String>) {
        var attachments: Set<String> = []
        do throws(DefinitionError) {
            let files = try DefinitionFiles(paths: [directory]) {
                if attachments.count < DefinitionFiles.maximumFiles { attachments.insert($0) }
            }
            return (.success(files), attachments)
        } catch { return (.failure(error), attachments) }
    }

    private static func stamps(in directory: String, attachments: Set<String>) -> Stamps {
        let files = (try? DefinitionFiles.files(at: directory)) ?? []
        let paths = files.prefix(DefinitionFiles.maximumFiles + 1) + attachments
        return Dictionary(paths.map { ($0, Stamp(of: $0)) }) { first, _ in first }
    }
}
