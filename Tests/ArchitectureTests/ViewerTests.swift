import Foundation
import Testing

@Suite("What callers of the console see") struct ViewerTests {
    @Test func `no route makes a viewer of its own: one place decides for people, and one for agents`() throws {
        let repository = try Repository.shared.get()
        let files = repository.swiftFiles(in: "Sources/Console/Console/", "Sources/Console/MCPServer/")
        let pair: Set = ["Sources/Console/Console/Caller.swift", "Sources/Console/MCPServer/Calls/Viewer+Agent.swift"]
        #expect(files.count > 20 && pair.isSubset(of: files))
        for file in files where !pair.contains(file) {
            let text = try repository.text(of: file)
            #expect(!text.contains("Viewer(") && !text.contains(".unrestricted"), "\(file)")
        }
    }
}

@Suite("What commands write to a terminal") struct TerminalTests {
    @Test func `no command writes unescaped text to the terminal`() throws {
        let repository = try Repository.shared.get()
        let files = repository.swiftFiles(in: "Sources/Programs/IntentCommands/")
        let output = "Sources/Programs/IntentCommands/Operator/TerminalOutput.swift"
        #expect(files.contains(output))
        for file in files where file != output {
            #expect(!(try repository.text(of: file)).contains("Swift.print("), "\(file)")
        }
    }
}

/// Checks docker-compose.yml as text, because the tests have no YAML parser.
@Suite("The containers of docker-compose.yml") struct ComposeTests {
    /// The lines of each block that begins in this column, by its name.
    private static func blocks(_ lines: [Substring], indentation: Int) -> [String: [String]] {
        var blocks: [String: [String]] = [:]
        var name: String?
        for line in lines where !line.allSatisfy(\.isWhitespace) && !line.drop(while: { $0 == " " }).hasPrefix("#") {
            let column = line.prefix { $0 == " " }.count
            if column < indentation { name = nil }
            if column == indentation { name = line.split(separator: ":").first?.trimmingCharacters(in: .whitespaces) }
            if let name { blocks[name, default: []].append(line.trimmingCharacters(in: .whitespaces)) }
        }
        return blocks
    }

    private static func blocks() throws -> (top: [String: [String]], services: [String: [String]]) {
        let lines = try Repository.shared.get().text(of: "docker-compose.yml").split(
            separator: "\n", omittingEmptySubsequences: false)
        let start = try #require(lines.firstIndex(of: "services:"))
        let end = lines[(start + 1)...].firstIndex { !($0.first.map { " #".contains($0) } ?? true) } ?? lines.endIndex
        return (blocks(lines, indentation: 0), blocks(Array(lines[(start + 1)..<end]), indentation: 2))
    }

    @Test func `every container has a read-only disk, no capabilities, no way to more privileges, and limits`() throws {
        let (top, services) = try Self.blocks()
        #expect(
            Set(services.keys) == [
                "kafka", "topics", "coordinator", "resolver", "confirmer", "handler", "app-handler", "console", "tool",
            ])
        /// The lines of a block, and of the blocks that it merges.
        func lines(_ block: [String]) -> [String] {
            block.flatMap { line -> [String] in
                guard line.hasPrefix("<<: *") else { return [line] }
                return lines(top["x-\(line.dropFirst(5))"] ?? [])
            }
        }
        for (name, block) in services {
            let lines = lines(block)
            for line in ["read_only: true", "cap_drop: [ALL]", #"security_opt: ["no-new-privileges:true"]"#] {
                #expect(lines.contains(line), "\(name) lacks \(line)")
            }
            for limit in ["mem_limit: ", "cpus: ", "pids_limit: "] {
                #expect(lines.contains { $0.hasPrefix(limit) }, "\(name) lacks \(limit)")
            }
            #expect(
                !lines.contains { $0.hasPrefix("privileged") || $0.hasPrefix("cap_add") || $0 == "user: root" },
                "\(name)")
        }
    }

    @Test func `the image is built from every folder that has sources`() throws {
        let repository = try Repository.shared.get()
        let folders = Set(
            repository.paths.filter { $0.hasSuffix(".swift") && $0.contains("/") }.compactMap {
                $0.split(separator: "/").first
            })
        let image = try repository.text(of: "deploy/Dockerfile").split(separator: "\n")
        let sent = try repository.text(of: ".dockerignore").split(separator: "\n")
        #expect(folders.contains("Sources"))
        for folder in folders {
            #expect(image.contains("COPY \(folder) ./\(folder)"), "deploy/Dockerfile does not copy \(folder)")
            #expect(sent.contains("!\(folder)"), ".dockerignore leaves out \(folder)")
        }
        // The file that the plugin EmbedPage reads beside the sources.
        let embedded = "deploy/contract/asyncapi.json"
        #expect(try repository.text(of: "Plugins/EmbedPage/EmbedPage.swift").contains("\"\(embedded)\""))
        #expect(sent.contains("!\(embedded)") && image.contains("COPY \(embedded) ./deploy/contract/"))
    }
}
