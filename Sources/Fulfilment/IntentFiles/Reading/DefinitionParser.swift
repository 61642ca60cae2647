import IntentKit
internal import Yams

/// Parses the text of a file into nodes.
struct DefinitionParser {
    static let maximumNodes = 100_000

    private var nodes = 0
    private let file: String

    /// - Throws: ``DefinitionError`` with the problem that makes the text unreadable, or with all invalid keys.
    static func parse(_ bytes: [UInt8], file: String) throws(DefinitionError) -> DefinitionNode {
        func refuse(_ line: Int, _ column: Int, _ message: String) -> DefinitionError {
            DefinitionError([DefinitionProblem(file: file, line: line, column: column, message: message)])
        }
        if bytes.count > TextGuard.maximumBytes {
            throw refuse(0, 0, "the file has \(bytes.count) bytes; \(TextGuard.maximumBytes) are allowed: split it")
        }
        guard var text = String(validating: bytes, as: UTF8.self) else {
            throw refuse(0, 0, "the file is not UTF-8 text")
        }
        if file.hasSuffix(".json") {
            do { _ = try JSONView(parsing: bytes, limits: .journal) } catch {
                let place = Self.place(ofByte: error.offset, in: bytes)
                throw refuse(place.line, place.column, "this is not JSON: \(Self.explained(error))")
            }
            // JSON allows tabs only as white space between values, never inside a string.
            text = String(text.map { $0 == "\t" ? " " : $0 })
        }
        do { try TextGuard.check(text) } catch { throw refuse(error.line, error.column, error.message) }
        let root: Yams.Node?
        do {
            root = try Yams.Parser(yaml: text, resolver: .basic, encoding: .utf8).singleRoot()
        } catch let error as YamlError {
            let (mark, message) = Self.explained(error)
            throw refuse(mark?.line ?? 0, mark?.column ?? 0, message)
        } catch {
            throw refuse(0, 0, "the file can't be read: \(error)")
        }
        guard let root else { throw refuse(0, 0, "the file is empty: begin with 'version: 1'") }
        var parser = DefinitionParser(file: file)
        var problems: [DefinitionProblem] = []
        let node = parser.node(root, depth: 0, path: [], &problems)
        if parser.nodes > maximumNodes {
            throw refuse(
                0, 0, "the file has more than \(maximumNodes) values: split it, or move catalogues into separate files")
        }
        if !problems.isEmpty { throw DefinitionError(problems) }
        return node
    }

    private init(file: String) { self.file = file }

    private mutating func node(
        _ node: Yams.Node, depth: Int, path: [String], _ problems: inout [DefinitionProblem]
    ) -> DefinitionNode {
        nodes += 1
        let mark = Self.place(node.mark)
        if nodes > Self.maximumNodes { return DefinitionNode(content: .scalar("", isPlain: true), mark: mark) }
        if depth > TextGuard.maximumDepth {
            let message = "this is deeper than \(TextGuard.maximumDepth) levels"
            problems.append(DefinitionProblem(file: file, line: mark.line, column: mark.column, message: message))
            return DefinitionNode(content: .scalar("", isPlain: true), mark: mark)
        }
        switch node {
        case .scalar(let scalar):
            return DefinitionNode(content: .scalar(scalar.string, isPlain: scalar.style == .plain), mark: mark)
        case .alias: return DefinitionNode(content: .scalar("", isPlain: true), mark: mark)
        case .sequence(let sequence):
            var elements: [DefinitionNode] = []
            for (index, element) in sequence.enumerated() {
                elements.append(self.node(element, depth: depth + 1, path: path + ["\(index)"], &problems))
            }
            return DefinitionNode(content: .sequence(elements), mark: mark)
        case .mapping(let mapping):
            var members: [DefinitionNode.Member] = []
            for (key, value) in mapping {
                guard let name = key.scalar?.string else {
                    let place = Self.place(key.mark)
                    problems.append(
                        DefinitionProblem(
                            file: file, line: place.line, column: place.column, path: path.joined(separator: "."),
                            message: "a key must be a word, not a list or a mapping"))
                    continue
                }
                let value = self.node(value, depth: depth + 1, path: path + [name], &problems)
                members.append(.init(key: name, mark: Self.place(key.mark), value: value))
            }
            return DefinitionNode(content: .mapping(members), mark: mark)
        }
    }

    private static func place(_ mark: Mark?) -> DefinitionNode.Place {
        .init(line: mark?.line ?? 0, column: mark?.column ?? 0)
    }

    private static func place(ofByte offset: Int?, in bytes: [UInt8]) -> DefinitionNode.Place {
        guard let offset else { return .init(line: 0, column: 0) }
        let before = bytes.prefix(offset)
        let line = before.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        return .init(
            line: line.count, column: String(decoding: line.last ?? [], as: UTF8.self).unicodeScalars.count + 1)
    }

    private static func explained(_ error: JSONError) -> String {
        let message =
            error.message.hasPrefix("not JSON: ") ? error.message.dropFirst("not JSON: ".count) : error.message[...]
        guard let offset = error.offset, message.hasSuffix(", at byte \(offset)") else { return String(message) }
        return String(message.dropLast(", at byte \(offset)".count))
    }

    /// Returns the position and the message of a parser error.
    private static func explained(_ error: YamlError) -> (Mark?, String) {
        switch error {
        case .scanner(let context, let problem, let mark, _), .parser(let context, let problem, let mark, _):
            let situation = context.map { " (\($0.text.trimming(while: \.isWhitespace)))" } ?? ""
            return (mark, "this is not YAML: \(problem)\(situation)")
        case .composer(_, _, let mark, _): return (mark, "a second document begins here: a file is one")
        case .duplicatedKeysInMapping(let duplicates, let context):
            let names = duplicates.map { "'\($0)'" }.joined(separator: ", ")
            return (context.mark, "\(names) \(duplicates.count == 1 ? "is" : "are") there twice: keep one")
        case .reader(let problem, _, _, _): return (nil, "this is not YAML: \(problem)")
        default: return (nil, "this is not YAML: \(error)")
        }
    }
}

extension String {
    fileprivate func trimming(while predicate: (Character) -> Bool) -> String {
        String(self.drop(while: predicate).reversed().drop(while: predicate).reversed())
    }
}
