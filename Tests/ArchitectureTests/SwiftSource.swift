/// The declarations of a Swift file in this repository's format, read from its text.
struct SwiftSource {
    struct Function {
        var name: String
        var isMutating: Bool
        var parameters: Int
        var returnsBool: Bool

        var firstWord: String { String(name.prefix { !$0.isUppercase }) }
    }

    struct DeclaredType {
        var name: String
        var storedProperties: Int
    }

    private let lines: [String]

    init(_ text: String) {
        let code = String(decoding: Self.withoutTextsAndComments(Array(text.utf8)), as: UTF8.self)
        lines = code.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    // MARK: Functions

    var functions: [Function] {
        lines.indices.compactMap { index in
            let line = lines[index]
            guard line.utf8.contains(UInt8(ascii: "(")) else { return nil }
            let words = line.prefix { $0 != "(" }.split(separator: " ")
            let name: Substring
            if let position = words.firstIndex(of: "func"), position + 1 < words.count {
                name = words[position + 1]
            } else if let last = words.last, ["init", "init?", "init!"].contains(last.prefix { $0 != "<" }) {
                name = "init"
            } else {
                return nil
            }
            let head = words.prefix { $0 != "func" }
            guard head.allSatisfy({ $0.first == "@" || $0.allSatisfy(\.isLowercase) || $0.hasPrefix("init") }) else {
                return nil
            }
            let (parameters, rest) = parameters(from: index)
            return Function(
                name: String(name.prefix { $0 != "<" }), isMutating: head.contains("mutating"), parameters: parameters,
                returnsBool: rest.contains("-> Bool") && !rest.contains("-> Bool?"))
        }
    }

    /// The number of parameters of the function that a line declares, and the text from their end to the body.
    private func parameters(from first: Int) -> (count: Int, rest: String) {
        var (depth, commas, isEmpty, rest) = (0, 0, true, "")
        var previous: Character = " "
        var isPast = false
        for line in lines[first...] {
            for character in line {
                defer { previous = character }
                if isPast {
                    if character == "{" { return (count(commas, isEmpty), rest) }
                    rest.append(character)
                    continue
                }
                switch character {
                case "(", "[", "{": depth += 1
                case "<" where depth > 0: depth += 1
                case ">" where depth > 0 && previous != "-": depth -= 1
                case ")", "]", "}":
                    depth -= 1
                    isPast = depth == 0
                case "," where depth == 1: commas += 1
                default: if depth > 0, !character.isWhitespace { isEmpty = false }
                }
            }
            // A requirement of a protocol has no body.
            if isPast, !rest.hasSuffix(" "), !line.hasSuffix(")") { return (count(commas, isEmpty), rest) }
        }
        return (count(commas, isEmpty), rest)
    }

    private func count(_ commas: Int, _ isEmpty: Bool) -> Int { isEmpty ? 0 : commas + 1 }

    // MARK: Types

    var types: [DeclaredType] {
        lines.indices.compactMap { index in
            let line = lines[index]
            let words = line.split { !$0.isLetter && !$0.isNumber && $0 != "_" && $0 != "@" }
            guard let kind = words.firstIndex(where: { $0 == "struct" || $0 == "class" || $0 == "actor" }),
                kind + 1 < words.count, words[..<kind].allSatisfy({ $0.first == "@" || $0.allSatisfy(\.isLowercase) })
            else { return nil }
            let indentation = String(line.prefix { $0 == " " })
            let body = lines[(index + 1)...].prefix { $0 != indentation + "}" }
            let count = body.reduce(0) { $0 + Self.storedProperties(of: $1, in: indentation + "    ") }
            return DeclaredType(name: String(words[kind + 1]), storedProperties: count)
        }
    }

    /// The number of stored properties that a line of a type's body declares.
    private static func storedProperties(of line: String, in indentation: String) -> Int {
        guard line.hasPrefix(indentation) else { return 0 }
        let text = line.dropFirst(indentation.count)
        if text.first == " " { return 0 }
        let words = text.split(separator: " ")
        guard let keyword = words.firstIndex(where: { $0 == "let" || $0 == "var" }),
            words[..<keyword].allSatisfy({ $0 != "static" && $0 != "case" && !$0.hasPrefix("func") })
        else { return 0 }
        let declared = text.prefix { $0 != "=" && $0 != "{" }
        // A property with braces and no value is computed, unless the braces observe it.
        let isComputed = declared.endIndex < text.endIndex && text[declared.endIndex] == "{" && !text.contains("Set {")
        if isComputed { return 0 }
        var (depth, names) = (0, 1)
        for character in declared {
            switch character {
            case "(", "[", "<": depth += 1
            case ")", "]", ">": depth -= 1
            case "," where depth == 0: names += 1
            default: break
            }
        }
        return names
    }

    // MARK: Texts and comments

    /// The bytes of a file without its comments and the contents of its texts.
    private static func withoutTextsAndComments(_ bytes: [UInt8]) -> [UInt8] {
        var code: [UInt8] = []
        code.reserveCapacity(bytes.count)
        var position = 0
        while position < bytes.count {
            let byte = bytes[position]
            let next = position + 1 < bytes.count ? bytes[position + 1] : 0
            if byte == UInt8(ascii: "/"), next == byte {
                while position < bytes.count, bytes[position] != UInt8(ascii: "\n") { position += 1 }
            } else if byte == UInt8(ascii: "#"), next == UInt8(ascii: "/") || next == UInt8(ascii: "\"") {
                position += 2
                while position + 1 < bytes.count, bytes[position] != next || bytes[position + 1] != byte {
                    position += 1
                }
                position += 2
            } else if byte == UInt8(ascii: "\"") {
                position = end(ofTextAt: position, in: bytes)
            } else {
                code.append(byte)
                position += 1
            }
        }
        return code
    }

    private static func end(ofTextAt start: Int, in bytes: [UInt8]) -> Int {
        let quote = UInt8(ascii: "\"")
        let isLong = start + 2 < bytes.count && bytes[start + 1] == quote && bytes[start + 2] == quote
        var position = start + (isLong ? 3 : 1)
        while position < bytes.count {
            if bytes[position] == UInt8(ascii: "\\") {
                guard position + 1 < bytes.count, bytes[position + 1] == UInt8(ascii: "(") else {
                    position += 2
                    continue
                }
                position = end(ofInterpolationAt: position + 1, in: bytes)
            } else if bytes[position] == quote {
                if !isLong { return position + 1 }
                if position + 2 < bytes.count, bytes[position + 1] == quote, bytes[position + 2] == quote {
                    return position + 3
                }
                position += 1
            } else {
                position += 1
            }
        }
        return position
    }

    private static func end(ofInterpolationAt start: Int, in bytes: [UInt8]) -> Int {
        var (depth, position) = (0, start)
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "("): depth += 1
            case UInt8(ascii: ")"):
                depth -= 1
                if depth == 0 { return position + 1 }
            case UInt8(ascii: "\""):
                position = end(ofTextAt: position, in: bytes)
                continue
            default: break
            }
            position += 1
        }
        return position
    }
}
