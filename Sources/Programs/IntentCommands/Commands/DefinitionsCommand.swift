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
                // The registry checks the definitions as a worker does.
                _ = try IntentRegistry([], declared: definitions.declarations, dependencies: AppDependencyManager())
                for intent in definitions.intents {
                    print("\(intent.declaration.source ?? "")\t\(intent.name)\t\(intent.declaration.title.original)")
                }
            } catch let error as DefinitionError {
                for problem in error.problems { complain(problem.description) }
                complain(error.problems.count == 1 ? "There is 1 error." : "There are \(error.problems.count) errors.")
                throw ExitCode.usage
            } catch let error as IntentRegistryError {
                complain("\(error)")
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
