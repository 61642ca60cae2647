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
            abstract: "Say everything that is wrong with definition files.",
            discussion: """
                A line for each intent that is right, and to standard error one for each mistake, with its file, line, column and field. Asks neither Kafka \
                nor anybody who fulfils the intents. Exit codes: 0 all is right, 2 there are mistakes.
                """)

        @Argument(help: ArgumentHelp("Definition files, or folders with some; here unless given.", valueName: "file-or-folder"))
        var paths: [String] = ["."]

        func run() async throws {
            do {
                let definitions = try DefinitionFiles(paths: paths)
                // Side by side with those that the workers are built with, as they will be served.
                _ = try IntentRegistry(sampleExtensions, declared: definitions.declarations, dependencies: DependencyManager())
                for intent in definitions.intents {
                    print("\(intent.declaration.source ?? "")\t\(intent.name)\t\(intent.declaration.title.original)")
                }
            } catch let error as DefinitionError {
                for problem in error.problems { complain(problem.description) }
                complain(error.problems.count == 1 ? "There is 1 mistake." : "There are \(error.problems.count) mistakes.")
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
