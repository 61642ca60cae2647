import Foundation

/// The package as `swift package dump-package` prints it.
struct PackageDescription {
    struct Target {
        var name: String
        var type: String
        /// The folder of the target's sources, relative to the package's root.
        var folder: String
        /// The dependencies: their kinds are `byName`, `target` or `product`.
        var dependencies: [(kind: String, name: String)]
        var upcomingFeatures: [String]

        /// The module name that an import uses.
        var moduleName: String { name.replacing("-", with: "_") }
        var isExecutable: Bool { type == "executable" }
        var isTest: Bool { type == "test" }
    }

    private typealias Members = [String: Any]

    let targets: [Target]
    /// The targets of the library products.
    let libraryTargets: [String]

    private init(parsing data: Data) throws {
        guard let package = try JSONSerialization.jsonObject(with: data) as? Members,
            let targets = package["targets"] as? [Members], let products = package["products"] as? [Members]
        else { throw CocoaError(.coderReadCorrupt) }
        self.targets = targets.map(Self.target)
        libraryTargets = products.flatMap { product -> [String] in
            let isLibrary = (product["type"] as? Members)?["library"] != nil
            return isLibrary ? product["targets"] as? [String] ?? [] : []
        }
    }

    private static func target(_ target: Members) -> Target {
        let (name, type) = (target["name"] as? String ?? "", target["type"] as? String ?? "")
        let dependencies = (target["dependencies"] as? [Members] ?? []).compactMap(\.first)
        let settings = (target["settings"] as? [Members] ?? []).compactMap { $0["kind"] as? Members }
        return Target(
            name: name, type: type,
            folder: target["path"] as? String ?? "\(type == "test" ? "Tests" : "Sources")/\(name)",
            dependencies: dependencies.map { ($0.key, ($0.value as? [Any])?.first as? String ?? "") },
            upcomingFeatures: settings.compactMap { ($0["enableUpcomingFeature"] as? Members)?["_0"] as? String })
    }

    /// Runs the command in a separate scratch directory, so that it does not wait for a build.
    static func dump() throws -> PackageDescription {
        let scratch = FileManager.default.temporaryDirectory.appending(path: "architecture-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: scratch) }
        let (data, _) = try run([
            "swift", "package", "--package-path", root.path, "--scratch-path", scratch.path, "--disable-sandbox",
            "dump-package",
        ])
        return try PackageDescription(parsing: data)
    }

    /// Runs a program of the path to its end.
    static func run(_ arguments: [String]) throws -> (output: Data, status: Int32) {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = arguments
        let output = Pipe()
        (process.standardOutput, process.standardError) = (output, FileHandle.nullDevice)
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (data, process.terminationStatus)
    }

    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
}

/// The files of the repository, as git lists them.
struct Repository {
    /// Every file, relative to the repository's root: tracked files, and new files that are not ignored.
    let paths: [String]
    /// All files and folders.
    let places: Set<String>

    /// The repository, read once for all tests.
    static let shared = Result { try Repository() }

    init() throws {
        let root = PackageDescription.root
        paths = try Self.listed(in: root).filter {
            FileManager.default.fileExists(atPath: root.appending(path: $0).path)
        }.sorted()
        var places: Set<String> = []
        for path in paths {
            var place = path
            while !place.isEmpty, places.insert(place).inserted {
                place = place.lastIndex(of: "/").map { String(place[..<$0]) } ?? ""
            }
        }
        self.places = places
    }

    func swiftFiles(in folders: String...) -> [String] {
        paths.filter { path in path.hasSuffix(".swift") && folders.contains { path.hasPrefix($0) } }
    }

    func text(of path: String) throws -> String {
        try String(contentsOf: PackageDescription.root.appending(path: path), encoding: .utf8)
    }

    /// Returns `true` if a path names a file or a folder. A `*` matches anything but a slash.
    func has(_ path: String) -> Bool {
        let path = path.hasSuffix("/") ? String(path.dropLast()) : path
        guard path.contains("*") else { return places.contains(path) }
        let parts = path.split(separator: "/")
        return places.contains { place in
            let others = place.split(separator: "/")
            return others.count == parts.count && zip(parts, others).allSatisfy { matches($0, $1) }
        }
    }

    private func matches(_ pattern: Substring, _ name: Substring) -> Bool {
        guard let star = pattern.firstIndex(of: "*") else { return pattern == name }
        let (head, tail) = (pattern[..<star], pattern[pattern.index(after: star)...])
        guard name.hasPrefix(head) else { return false }
        let rest = name.dropFirst(head.count)
        return rest.indices.contains { matches(tail, rest[$0...]) } || matches(tail, "")
    }

    /// The files that `git ls-files` lists, including deleted ones. If the sources are not a clone, all files except
    /// build products.
    private static func listed(in root: URL) throws -> [String] {
        let (data, status) = try PackageDescription.run([
            "git", "-C", root.path, "ls-files", "-z", "--cached", "--others", "--exclude-standard",
        ])
        if status == 0 { return data.split(separator: 0).map { String(decoding: $0, as: UTF8.self) } }
        let all = FileManager.default.enumerator(atPath: root.path)?.compactMap { $0 as? String } ?? []
        return all.filter { !$0.hasPrefix(".build") && !$0.hasPrefix(".git/") && !$0.hasPrefix(".swiftpm") }
    }
}
