import Foundation

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
