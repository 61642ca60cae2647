import ArgumentParser
import IntentFiles
import IntentKit
import IntentRuntime
import PipelineService
import SampleDomains

struct CatalogCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "catalog", abstract: "Show the intents that the workers serve.",
        discussion: "Shows the intents that this tool is built with and those of --definitions. Does not connect to Kafka.",
        subcommands: [List.self, Show.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the intents: one name and title per line.")

        @OptionGroup var language: LanguageOptions

        @Flag(help: "Show all details, as one JSON array.")
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

        @Argument(help: "The intent's name, as in events.")
        var intent: String

        @OptionGroup var language: LanguageOptions

        @Flag(help: "Show it as JSON.")
        var json = false

        @Flag(help: "Show a JSON Schema (2020-12) of the parameters in a request: each is optional, and each may be plain words.")
        var jsonSchema = false

        @Flag(help: "With --json-schema: show the schema of the resolved parameters, as confirmers and handlers get them.")
        var resolved = false

        func validate() throws {
            if json, jsonSchema { throw ValidationError("--json and --json-schema can't be combined: use one of them.") }
            if resolved, !jsonSchema { throw ValidationError("--resolved requires --json-schema.") }
        }

        func run() async throws {
            let registry = try language.registry()
            guard let description = registry.describe(intent, in: language.locale) else {
                throw ValidationError("There is no intent '\(intent)'. The intents are \(registry.intents.joined(separator: ", ")).")
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
        @Option(help: ArgumentHelp("The language of the texts, where there are translations: nl, pt-BR.", valueName: "tag"))
        var locale: String?

        @Option(
            help: ArgumentHelp("Also show the intents of *.intents.yaml and *.intents.json in this folder.", valueName: "folder"))
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
