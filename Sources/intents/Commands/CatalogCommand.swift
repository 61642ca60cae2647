import ArgumentParser
import IntentFiles
import IntentKit
import IntentRuntime
import PipelineService
import SampleDomains

struct CatalogCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "catalog", abstract: "Show the intents that the workers serve.",
        discussion: "It shows those that this tool is built with, and those of --definitions; it asks neither Kafka nor a worker.",
        subcommands: [List.self, Show.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the intents: a name and a title a line.")

        @OptionGroup var language: LanguageOptions

        @Flag(help: "All that is known of them, as one JSON array.")
        var json = false

        func run() async throws {
            let catalog = try language.registry().catalog(in: language.locale)
            if json { return print(JSON.array(catalog.map(\.json)).indented) }
            for intent in catalog { print("\(intent.name)\t\(intent.title)") }
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show an intent with its parameters, their types and options, and its summary.")

        @Argument(help: "Its name, as in events.")
        var intent: String

        @OptionGroup var language: LanguageOptions

        @Flag(help: "The same as JSON.")
        var json = false

        @Flag(help: "A JSON Schema (2020-12) of the parameters in a request: any may be left out, and any may be words.")
        var jsonSchema = false

        @Flag(help: "With --json-schema: of the parameters as confirmers and handlers get them.")
        var resolved = false

        func validate() throws {
            if json, jsonSchema { throw ValidationError("--json and --json-schema are two different things: give one of them.") }
            if resolved, !jsonSchema { throw ValidationError("--resolved goes with --json-schema.") }
        }

        func run() async throws {
            let registry = try language.registry()
            guard let description = registry.describe(intent, in: language.locale) else {
                throw ValidationError("There is no intent '\(intent)'. There are \(registry.intents.joined(separator: ", ")).")
            }
            if jsonSchema {
                print(description.parametersSchema(for: resolved ? .resolved : .request).indented)
            } else if json {
                print(description.json.indented)
            } else {
                print(description.text, terminator: "")
            }
        }
    }

    struct LanguageOptions: ParsableArguments {
        @Option(help: ArgumentHelp("The reader's language, as far as there are translations: nl, pt-BR.", valueName: "tag"))
        var locale: String?

        @Option(
            help: ArgumentHelp("Show the intents that are defined in *.intents.yaml and *.intents.json here, too.", valueName: "folder"))
        var definitions: String?

        func registry() throws -> IntentRegistry {
            do {
                let declared = try definitions.map { try DefinitionFiles(directory: $0).declarations } ?? []
                return try IntentRegistry(sampleExtensions, declared: declared, dependencies: DependencyManager())
            } catch {
                complain("\(error)")
                throw ExitCode.usage
            }
        }
    }
}
