import ArgumentParser
import IntentEvents
import IntentFiles
import IntentKit
import IntentRuntime
import PipelineService
import SampleDomains

struct CatalogCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "catalog", abstract: "Show the intents that the workers serve.",
        discussion: """
            Reads intents.catalog, where each worker says what it serves while it runs, in whatever language it is written. With --built-in or --definitions it does \
            not connect to Kafka.
            """,
        subcommands: [List.self, Show.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the intents: one name and title per line, and the service that gets its work.",
            usage: "\(PipelineProgram.tool) catalog list [<options>]")

        @OptionGroup var source: SourceOptions

        @Flag(help: "Show all details, as one JSON array.")
        var json = false

        func run() async throws {
            let listed = try await source.intents()
            if json { return print(JSON.array(listed.map(\.json)).indented) }
            var table = TextTable(ListedIntent.head(isServed: source.isServed))
            for intent in listed { table.add(intent.row) }
            table.finish()
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show an intent with its parameters, their types and options, its summary, and who serves it.",
            usage: "\(PipelineProgram.tool) catalog show <intent> [<options>]")

        @Argument(help: "The intent's name, as in events.", completion: .custom(IntentNames.completion))
        var intent: String

        @OptionGroup var source: SourceOptions

        @Flag(help: "Show it as JSON.")
        var json = false

        @Flag(
            help:
                "Show a JSON Schema (2020-12) of the parameters in a request: each is optional, and each may be plain words."
        )
        var jsonSchema = false

        @Flag(
            help: "With --json-schema: show the schema of the resolved parameters, as confirmers and handlers get them."
        )
        var resolved = false

        func validate() throws {
            if json, jsonSchema {
                throw ValidationError("--json and --json-schema can't be combined: use one of them.")
            }
            if resolved, !jsonSchema { throw ValidationError("--resolved requires --json-schema.") }
        }

        func run() async throws {
            let listed = try await source.intents()
            guard let found = listed.first(where: { $0.description.name == intent }) else {
                if listed.isEmpty {
                    throw ValidationError("There is no intent '\(intent)': no worker has published any.")
                }
                let near = NearNames.of(intent, in: listed.map(\.description.name))
                let advice =
                    near.isEmpty
                    ? "The intents are \(listed.map(\.description.name).joined(separator: ", "))."
                    : "Did you mean \(near.joined(separator: ", "))?"
                throw ValidationError("There is no intent '\(intent)'. \(advice)")
            }
            if jsonSchema {
                print(found.schema(for: resolved ? .resolved : .request).indented)
            } else if json {
                print(found.json.indented)
            } else {
                print(found.text, terminator: "")
            }
        }
    }

    struct SourceOptions: ParsableArguments {
        @OptionGroup var kafka: KafkaOptions

        @Option(
            help: ArgumentHelp("The language of the texts, where there are translations: nl, pt-BR.", valueName: "tag"))
        var locale: String?

        @Flag(help: "Show the intents of the sample domains, which this tool is built with, without Kafka.")
        var builtIn = false

        @Option(
            help: ArgumentHelp(
                "Show the intents of *.intents.yaml and *.intents.json in this folder, without Kafka; with --built-in, both.",
                valueName: "folder"))
        var definitions: String?

        /// `true` if the intents are those of the catalogue.
        fileprivate var isServed: Bool { !builtIn && definitions == nil }

        /// Returns the intents by name. Intents without Kafka have the order of their declaration.
        fileprivate func intents() async throws -> [ListedIntent] {
            if !isServed {
                return try registry().catalog(in: locale).map { ListedIntent(description: $0) }
            }
            let entries = try await CatalogueReader(kafka).read(timeout: .seconds(10)).entries(at: .now)
            for entry in entries where entry.isContested {
                let others = (entry.isInApp ? entry.appServices : entry.services).map(\.name)
                complain(
                    "Several services serve \(entry.intent): \(others.joined(separator: ", ")). Only \(others[0]) gets its work."
                )
            }
            return entries.map { ListedIntent($0, in: locale) }
        }

        private func registry() throws -> IntentRegistry {
            do {
                let declared = try definitions.map { try DefinitionFiles(directory: $0).declarations } ?? []
                return try IntentRegistry(
                    builtIn ? sampleExtensions : [], declared: declared, dependencies: AppDependencyManager())
            } catch {
                complain("\(error)")
                throw ExitCode.usage
            }
        }
    }
}
