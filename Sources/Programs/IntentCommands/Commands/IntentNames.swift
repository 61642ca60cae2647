import ArgumentParser
import IntentEvents
import IntentModel
import PipelineService

/// The names of the served intents, for shell completion.
enum IntentNames {
    /// The time limit of a completion, while the person waits after pressing Tab.
    private static let patience: Duration = .seconds(1)

    /// Reads the catalogue with the connection on the command line so far, or in the environment.
    @Sendable static func completion(_ words: [String], _ index: Int, _ prefix: String) async -> [String] {
        let (found, tell) = AsyncStream<[String]>.makeStream()
        // The first value is the answer. The process then ends, and the other task with it.
        Task { tell.yield(await names(connection(words))) }
        Task {
            try await ContinuousClock().sleep(for: patience)
            tell.yield([])
        }
        for await names in found { return names.filter { $0.hasPrefix(prefix) } }
        return []
    }

    /// Returns the names of the served intents; empty if the catalogue can't be read.
    private static func names(_ connection: [String]) async -> [String] {
        guard let options = try? KafkaOptions.parse(connection), let reader = try? CatalogueReader(options),
            let catalogue = try? await reader.read(timeout: patience)
        else { return [] }
        return catalogue.entries.map(\.intent.text)
    }

    /// Returns the connection options among these words.
    private static func connection(_ words: [String]) -> [String] {
        let named: Set<String> = ["-b", "--bootstrap-servers", "-X", "--kafka-config", "--topic-prefix"]
        var found: [String] = []
        for (word, next) in zip(words, words.dropFirst() + [""]) {
            let name = word.split(separator: "=", maxSplits: 1).first.map(String.init) ?? ""
            if named.contains(word), !next.isEmpty {
                found += [word, next]
            } else if name.hasPrefix("--"), named.contains(name), name != word {
                found.append(word)
            }
        }
        return found
    }
}
