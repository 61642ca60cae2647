import Foundation

/// The targets of the package, with their files' imports.
struct Codebase {
    struct File {
        var path: String
        /// The lines without comments.
        var lines: [String]
        var imports: Set<String>
    }

    let package: PackageDescription
    let files: [String: [File]]

    /// The package, read once for all tests.
    static let shared = Result { try Codebase() }

    init() throws {
        package = try PackageDescription.dump()
        var files: [String: [File]] = [:]
        for target in package.targets {
            // A folder in another target's folder is a target of its own.
            let inner = package.targets.map(\.folder).filter { $0.hasPrefix(target.folder + "/") }
            files[target.name] = try Self.files(in: target.folder).filter { file in
                !inner.contains { file.path.hasPrefix($0 + "/") }
            }
        }
        self.files = files
    }

    func target(_ name: String) -> PackageDescription.Target? { package.targets.first { $0.name == name } }

    /// The modules that the files of a target import.
    func imports(of name: String) -> Set<String> { (files[name] ?? []).reduce(into: []) { $0.formUnion($1.imports) } }

    /// A target and all its direct and indirect dependencies.
    func closure(of name: String) -> Set<String> {
        var found: Set<String> = []
        var open = [name]
        while let next = open.popLast() {
            guard let target = target(next), found.insert(next).inserted else { continue }
            open += target.dependencies.filter { $0.kind != "product" }.map(\.name)
        }
        return found
    }

    /// The products of other packages that these targets depend on.
    func packageProducts(of targets: Set<String>) -> Set<String> {
        targets.reduce(into: []) { found, name in
            for dependency in target(name)?.dependencies ?? [] where dependency.kind == "product" {
                found.insert(dependency.name)
            }
        }
    }

    private static func files(in folder: String) throws -> [File] {
        let url = PackageDescription.root.appending(path: folder)
        guard let paths = FileManager.default.enumerator(atPath: url.path) else { return [] }
        // Code in a documentation catalogue belongs to its own targets, or to none.
        return try paths.compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") && !$0.contains(".docc/") }
            .sorted().map { path in
                let text = try String(contentsOf: url.appending(path: path), encoding: .utf8)
                let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
                    line.range(of: "//").map { String(line[..<$0.lowerBound]) } ?? String(line)
                }
                return File(path: "\(folder)/\(path)", lines: lines, imports: Set(lines.compactMap(importedModule)))
            }
    }

    /// The module that a line imports: `@preconcurrency public import struct Foundation.Date` imports Foundation.
    static func importedModule(_ line: String) -> String? {
        let words = line.split { $0 == " " || $0 == "\t" }
        guard let position = words.firstIndex(of: "import"), position + 1 < words.count,
            words[..<position].allSatisfy({ $0.hasPrefix("@") || accessLevels.contains(String($0)) })
        else { return nil }
        let kinds: Set<String> = ["struct", "class", "enum", "protocol", "typealias", "func", "let", "var"]
        let name =
            kinds.contains(String(words[position + 1])) && position + 2 < words.count
            ? words[position + 2] : words[position + 1]
        return name.split(separator: ".").first.map(String.init)
    }

    private static let accessLevels: Set<String> = ["public", "package", "internal", "fileprivate", "private"]
}

extension Codebase {
    /// A type that a file declares at its top level.
    struct DeclaredType {
        var name: String
        /// `true` if other modules see the type: it is `public`, `open` or `package`.
        var isOpen: Bool
        var path = ""
    }

    func types(in target: String) -> [DeclaredType] {
        (files[target] ?? []).flatMap { file in
            file.lines.compactMap(Self.declaredType).map {
                DeclaredType(name: $0.name, isOpen: $0.isOpen, path: file.path)
            }
        }
    }

    /// The modules whose types the files of a target see: imported modules, and modules that these re-export.
    func visibleModules(in target: String) -> Set<String> {
        var found: Set<String> = []
        var open = Array(imports(of: target))
        while let next = open.popLast() {
            guard found.insert(next).inserted else { continue }
            open += (files[next] ?? []).flatMap {
                $0.lines.filter { $0.contains("@_exported") }.compactMap(Self.importedModule)
            }
        }
        return found
    }

    /// The type that a line declares; `nil` if there is none. Nested declarations are indented, and are not found.
    static func declaredType(_ line: String) -> DeclaredType? {
        guard line.first?.isWhitespace == false else { return nil }
        let words = line.split { !$0.isLetter && !$0.isNumber && $0 != "_" && $0 != "@" }
        let kinds: Set<Substring> = ["struct", "class", "enum", "protocol", "actor", "typealias"]
        let modifiers: Set<Substring> = [
            "public", "open", "package", "internal", "fileprivate", "private", "final", "indirect",
        ]
        guard let position = words.firstIndex(where: kinds.contains), position + 1 < words.count,
            words[..<position].allSatisfy({ $0.hasPrefix("@") || modifiers.contains($0) })
        else { return nil }
        return DeclaredType(
            name: String(words[position + 1]),
            isOpen: words[..<position].contains { ["public", "open", "package"].contains($0) })
    }
}
