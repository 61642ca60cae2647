import ArgumentParser
import Foundation
import IntentEvents
import IntentModel
import PipelineService

struct ContractCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "contract",
        abstract: "Print the contract of the wire: an AsyncAPI document, and the JSON Schema of each event.",
        discussion: "Connects to nothing. deploy/contract of the source code has the same documents.",
        subcommands: [AsyncAPI.self, Schemas.self, Schema.self])

    struct AsyncAPI: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "asyncapi", abstract: "Print an AsyncAPI 3.0 document of all topics and events, as JSON.",
            usage: "\(PipelineProgram.tool) contract asyncapi [<options>]",
            discussion: "Topics have the settings that '\(PipelineProgram.tool) topics apply' gives them.")

        @Option(help: "The prefix of the names of topics and groups. [environment: INTENTS_TOPIC_PREFIX]")
        var topicPrefix: String?

        @Option(help: ArgumentHelp("Partitions of every topic.", valueName: "count"))
        var partitions: Int32 = Topics.usualPartitions

        @Option(help: ArgumentHelp("Copies of each partition; left out without it.", valueName: "count"))
        var replicationFactor: Int?

        @Option(
            help: ArgumentHelp(
                "A folder of records to show as examples: JSON files with topic, headers and value, such as the golden files of the source code, with the prefix 'intents'.",
                valueName: "folder"))
        var examples: String?

        func validate() throws {
            if partitions < 1 { throw ValidationError("--partitions must be at least 1.") }
            if let replicationFactor, replicationFactor < 1 {
                throw ValidationError("--replication-factor must be at least 1.")
            }
        }

        func run() async throws {
            let topics = KafkaOptions.topics(prefix: topicPrefix)
            let examples = try examples.map { try Self.examples(in: $0) } ?? []
            print(
                Contract.asyncAPI(
                    topics, partitions: partitions, replicationFactor: replicationFactor, examples: examples
                ).indented)
        }

        private static func examples(in folder: String) throws -> [ContractExample] {
            let names: [String]
            do {
                let files = try FileManager.default.contentsOfDirectory(atPath: folder)
                names = files.filter { $0.hasSuffix(".json") }.map { String($0.dropLast(".json".count)) }.sorted()
            } catch {
                throw ValidationError("\(folder) can't be read: --examples names a folder of JSON files.")
            }
            let examples = try names.compactMap { name in
                guard let bytes = FileManager.default.contents(atPath: "\(folder)/\(name).json"),
                    let record = try? JSONView(parsing: Array(bytes), limits: .journal)
                else { throw ValidationError("\(folder)/\(name).json can't be read as JSON.") }
                return ContractExample(name: name, record)
            }
            if examples.isEmpty {
                complain(
                    "none of the files in \(folder) shows an event: each has 'topic', 'headers' with 'ce_type', and 'value'"
                )
            }
            return examples
        }
    }

    struct Schemas: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract:
                "Write the JSON Schema (2020-12) of each event to a file of its name, and print the names of the files."
        )

        @Option(help: ArgumentHelp("Where to write them. It is made if it does not exist.", valueName: "folder"))
        var output: String

        func run() async throws {
            do {
                try FileManager.default.createDirectory(atPath: output, withIntermediateDirectories: true)
                for event in Contract.events {
                    let path = "\(output)/\(event.name).json"
                    try Data((Contract.jsonSchema(of: event).indented + "\n").utf8).write(to: URL(filePath: path))
                    print(path)
                }
            } catch {
                throw ValidationError("\(output) can't be written: \(error.localizedDescription)")
            }
        }
    }

    struct Schema: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print the JSON Schema (2020-12) of the value of an event.")

        @Argument(help: ArgumentHelp("Such as prompt.issued.v1.", valueName: "type"))
        var type: String

        func run() async throws {
            if let event = Contract.events.first(where: { $0.name == type }) {
                return print(Contract.jsonSchema(of: event).indented)
            }
            let sides = Contract.events.filter { $0.type.rawValue == type }.map(\.name)
            if !sides.isEmpty {
                throw ValidationError("'\(type)' is two events: ask for \(sides.joined(separator: " or ")).")
            }
            let names = Contract.events.map(\.name)
            let near = NearNames.of(type, in: names)
            let advice =
                near.isEmpty
                ? "one of \(names.joined(separator: ", "))" : "did you mean \(near.joined(separator: " or "))?"
            throw ValidationError("'\(type)' is no event of the contract: \(advice)")
        }
    }
}
