public import IntentRuntime

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

/// The intents of a set of definition files: `*.intents.yaml`, `*.intents.yml` and `*.intents.json`, one file per
/// domain.
///
/// ```swift
/// let definitions = try DefinitionFiles(directory: "definitions")
/// let declared = try definitions.declarations { fulfilment, intent in try HTTPIntentFulfilment(…) }
/// let registry = try IntentRegistry(extensions, declared: declared)
/// ```
/// A file that breaks a limit is rejected as a whole. Limits per file: 1 MiB, 100,000 values, 32 levels, no anchors and
/// no aliases.
public struct DefinitionFiles: Sendable, Equatable {
    /// The intents, in the order of the files and of the intents in each file.
    public let intents: [FileIntent]
    /// The names under which the files were read.
    public let files: [String]

    public static let suffixes = [".intents.yaml", ".intents.yml", ".intents.json"]
    public static let maximumFiles = 1_000
    /// The maximum size of a catalogue in a file of its own, in bytes.
    public static let maximumCatalogueBytes = 16 << 20

    /// Reads all definition files of a folder in the order of their names. Subfolders are not read.
    ///
    /// - Throws: ``DefinitionError`` with all problems of all files.
    public init(directory: String) throws(DefinitionError) { try self.init(paths: [directory]) }

    /// Reads definition files, and all definition files of the given folders.
    ///
    /// - Throws: ``DefinitionError`` with all problems of all files.
    public init(paths: [String]) throws(DefinitionError) { try self.init(paths: paths) { _ in } }

    /// - Parameter onAttachment: Called with the path of each catalogue file that a definition file names, whether or
    ///   not the catalogue file exists.
    init(paths: [String], onAttachment: (String) -> Void) throws(DefinitionError) {
        var problems: [DefinitionProblem] = []
        var files: [String] = []
        for path in paths {
            do { files += try Self.files(at: path).filter { !files.contains($0) } } catch { problems += error.problems }
        }
        if files.count > Self.maximumFiles {
            let message = "there are \(files.count) definition files; \(Self.maximumFiles) are allowed"
            throw DefinitionError([DefinitionProblem(file: paths.first ?? "", message: message)])
        }
        var sources: [(name: String, bytes: [UInt8])] = []
        for file in files {
            do {
                sources.append(
                    (file, try Self.contents(of: file, atMost: TextGuard.maximumBytes, advice: ": split it")))
            } catch {
                problems.append(DefinitionProblem(file: file, message: "the file can't be read: \(error)"))
            }
        }
        do {
            try self.init(sources) { file, path in
                let path = Self.path(path, beside: file)
                onAttachment(path)
                return try Self.contents(of: path, atMost: Self.maximumCatalogueBytes)
            }
        } catch {
            throw DefinitionError(problems + error.problems)
        }
        if !problems.isEmpty { throw DefinitionError(problems) }
    }

    /// Parses files whose bytes were read already.
    ///
    /// - Parameters:
    ///   - sources: The names and bytes of the files. A file whose name ends with `.json` must be JSON.
    ///   - attachment: Reads a catalogue file that one of the sources names.
    /// - Throws: ``DefinitionError`` with all problems of all files.
    public init(
        _ sources: [(name: String, bytes: [UInt8])], attachment: (_ source: String, _ path: String) throws -> [UInt8]
    ) throws(DefinitionError) {
        var problems: [DefinitionProblem] = []
        var intents: [FileIntent] = []
        for source in sources {
            do {
                let root = try DefinitionParser.parse(source.bytes, file: source.name)
                let found = withoutActuallyEscaping(attachment) {
                    attachment -> (intents: [FileIntent], problems: [DefinitionProblem]) in
                    var reader = FileReader(source.name) { try attachment(source.name, $0) }
                    return (reader.read(root), reader.findings.problems)
                }
                for intent in found.intents {
                    if let other = intents.first(where: { $0.name == intent.name }) {
                        let mark = root.mark(of: ["intents", intent.name], from: root.mark)
                        problems.append(
                            DefinitionProblem(
                                file: source.name, line: mark.line, column: mark.column, path: "intents.\(intent.name)",
                                message:
                                    "'\(intent.name)' is already declared in \(other.declaration.source ?? "another file")"
                            ))
                    } else {
                        intents.append(intent)
                    }
                }
                problems += found.problems.sorted { ($0.line, $0.column) < ($1.line, $1.column) }
            } catch {
                problems += error.problems
            }
        }
        if !problems.isEmpty { throw DefinitionError(problems) }
        self.intents = intents
        files = sources.map(\.name)
    }

    /// Returns the declarations with their fulfilments. An intent whose file names no fulfilment gets none and can only
    /// be resolved.
    ///
    /// - Parameter fulfil: Makes the fulfilment of an intent.
    /// - Throws: Any error of `fulfil`.
    public func declarations(
        fulfilledBy fulfil: (_ fulfilment: FulfilmentDeclaration, _ intent: IntentDeclaration) throws ->
            any IntentFulfilment
    ) rethrows -> [IntentDeclaration] {
        try intents.map { intent in
            var declaration = intent.declaration
            if let fulfilment = intent.fulfilment {
                declaration.fulfilment = try fulfil(fulfilment, intent.declaration)
            }
            return declaration
        }
    }

    /// The declarations without fulfilments, for inspection.
    public var declarations: [IntentDeclaration] { intents.map(\.declaration) }
}

extension DefinitionFiles {
    /// The differences between two sets of definition files, by the names of the intents.
    public struct Changes: Sendable, Hashable {
        public var added: [String] = []
        public var changed: [String] = []
        public var removed: [String] = []

        public var isEmpty: Bool { added.isEmpty && changed.isEmpty && removed.isEmpty }

        public init() {}
    }

    /// Returns the differences from an earlier set.
    ///
    /// - Parameter earlier: The set that was read before.
    public func changes(since earlier: DefinitionFiles) -> Changes {
        var changes = Changes()
        for intent in intents {
            guard let before = earlier.intents.first(where: { $0.name == intent.name }) else {
                changes.added.append(intent.name)
                continue
            }
            if before != intent { changes.changed.append(intent.name) }
        }
        changes.removed = earlier.intents.map(\.name).filter { name in !intents.contains { $0.name == name } }
        return changes
    }
}

extension DefinitionFiles {
    /// Returns the definition files of a folder, sorted by name, or the file itself.
    static func files(at path: String) throws(DefinitionError) -> [String] {
        func refuse(_ message: String) -> DefinitionError {
            DefinitionError([DefinitionProblem(file: path, message: message)])
        }
        var isDirectory = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
            throw refuse("there is no such file or folder")
        }
        guard isDirectory else { return [path] }
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else {
            throw refuse("the folder can't be read")
        }
        let found = names.filter { name in !name.hasPrefix(".") && suffixes.contains { name.hasSuffix($0) } }.sorted()
        if found.isEmpty {
            throw refuse(
                "there is no definition file in this folder; their names end with \(suffixes.joined(separator: ", "))")
        }
        let folder = path.hasSuffix("/") ? path : "\(path)/"
        return found.map { folder + $0 }
    }

    /// Returns the path of a file that a definition file names relative to itself.
    static func path(_ path: String, beside file: String) -> String {
        (file.lastIndex(of: "/").map { file[...$0] } ?? "") + path
    }

    /// Reads a file that may be anything, and may change meanwhile.
    static func contents(of path: String, atMost most: Int, advice: String = "") throws -> [UInt8] {
        // Without O_NONBLOCK, a named pipe would wait for its writer.
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileProblem.lastError }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw FileProblem(description: "it is not a file")
        }
        guard status.st_size <= most else {
            throw FileProblem(description: "it has \(status.st_size) bytes; \(most) are allowed\(advice)")
        }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 65_536)
        while bytes.count <= most {
            let count = read(descriptor, &part, part.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw FileProblem.lastError }
            if count == 0 { return bytes }
            bytes += part[..<count]
        }
        throw FileProblem(description: "it has more than \(most) bytes, which are allowed\(advice)")
    }

    struct FileProblem: Error, CustomStringConvertible {
        var description: String

        fileprivate static var lastError: FileProblem {
            let code = errno
            if code == ENOENT { return FileProblem(description: "there is no such file") }
            return FileProblem(description: String(cString: strerror(code)).lowercased())
        }
    }
}
