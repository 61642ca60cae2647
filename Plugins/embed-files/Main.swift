import Foundation

/// Writes a Swift file with the texts of files: `embed-files OUTPUT FILE…`. The build runs it (Plugins/EmbedPage).
@main
struct Main {
    static func main() throws {
        let arguments = CommandLine.arguments.dropFirst()
        guard let output = arguments.first, arguments.count > 1 else {
            FileHandle.standardError.write(Data("usage: embed-files OUTPUT FILE…\n".utf8))
            exit(2)
        }
        var source = "// Made by embed-files.\nenum EmbeddedFiles {\n    static let texts: [String: String] = [\n"
        for path in arguments.dropFirst() {
            let text = try String(contentsOfFile: path, encoding: .utf8)
            // The number of signs exceeds any run in the text, so no part of the text ends the string or is an escape.
            let signs = String(repeating: "#", count: longestRun(of: "#", in: text) + 1)
            source +=
                "        \(signs)\"\(URL(fileURLWithPath: path).lastPathComponent)\"\(signs): \(signs)\"\"\"\n\(text)\n\"\"\"\(signs),\n"
        }
        source += "    ]\n}\n"
        try Data(source.utf8).write(to: URL(fileURLWithPath: output))
    }

    private static func longestRun(of character: Character, in text: String) -> Int {
        var (longest, current) = (0, 0)
        for each in text {
            current = each == character ? current + 1 : 0
            longest = max(longest, current)
        }
        return longest
    }
}
