import ArgumentParser
import IntentFiles
import IntentKit
import IntentRuntime
import PipelineService
import SampleDomains

struct DefinitionsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "definitions", abstract: "Check files that define intents, and show their format.",
        subcommands: [Check.self, Schema.self])

    struct Check: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Report all problems of definition files.",
            discussion: """
                Prints one line per valid intent to standard output, and one line per error, with file, line, column and field, to standard error. \
                Connects neither to Kafka nor to the services that fulfil the intents. Exit codes: 0 no errors, 2 errors.
                """)

        @Argument(
            help: ArgumentHelp(
                "Definition files, or folders that contain some. Defaults to the current folder.",
                valueName: "file-or-folder"))
        var paths: [String] = ["."]

        func run() async throws {
            do {
                let definitions = try DefinitionFiles(paths: paths)
                try definitions.check()
                for intent in definitions.intents {
                    print("\(intent.declaration.source ?? "")\t\(intent.name)\t\(intent.declaration.title.original)")
                }
            } catch {
                complain("\(error)")
                let count = "\(error)".split(separator: "\n").count
                complain(count == 1 ? "There is 1 error." : "There are \(count) errors.")
                throw ExitCode.usage
            }
        }
    }

    struct Schema: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print the JSON Schema (2020-12) of the format, for editors.",
            discussion: "In a file: # yaml-language-server: $schema=intents.schema.json")

        func run() async throws { print(DefinitionSchema.text, terminator: "") }
    }
}

extension DefinitionFiles {
    /// Checks the definitions together, as a worker's registry does.
    ///
    /// - Throws: An `IntentRegistryError`.
    func check() throws {
        _ = try IntentRegistry([], declared: declarations, dependencies: AppDependencyManager())
    }
}
