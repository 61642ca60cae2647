import Foundation

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
        let (data, status) = try Command.run([
            "git", "-C", root.path, "ls-files", "-z", "--cached", "--others", "--exclude-standard",
        ])
        if status == 0 { return data.split(separator: 0).map { String(decoding: $0, as: UTF8.self) } }
        let all = FileManager.default.enumerator(atPath: root.path)?.compactMap { $0 as? String } ?? []
        return all.filter { !$0.hasPrefix(".build") && !$0.hasPrefix(".git/") && !$0.hasPrefix(".swiftpm") }
    }
}
