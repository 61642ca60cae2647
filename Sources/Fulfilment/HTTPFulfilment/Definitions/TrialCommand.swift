package import ArgumentParser
import Foundation
import IntentFiles
import IntentKit
import IntentRuntime
import PipelineService
import Synchronization
package import WorkerService

/// The command `intents try`: calls the service of a declared intent as the workers of `Program` would, without Kafka.
package struct TrialCommand<Program: WorkerProgram>: AsyncParsableCommand {
    package static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "\(PipelineProgram.tool) try",
            abstract: "Try an intent of definition files on its service, without Kafka.",
            discussion: """
                Checks the definition files, calls the service as the workers do, and prints what each phase answers: resolve, confirm and, with --handle, handle, \
                which does what the intent is for. The person is taken to agree.

                Exit codes: 0 every phase that was called has gone well, 2 wrong arguments or definitions, 3 a value is missing or ambiguous, 4 a phase has failed, \
                or the service did not answer as it should.
                """)
    }

    @Argument(
        help: ArgumentHelp("The intent. May be left out if the files declare one intent.", valueName: "intent"))
    var name: String?

    @Option(
        help: ArgumentHelp(
            "The folder with *.intents.yaml and *.intents.json. Defaults to the current folder.", valueName: "folder"))
    var definitions = "."

    @Option(
        name: [.customShort("p"), .customLong("parameter")],
        help: ArgumentHelp("A parameter. May be repeated.", valueName: "name=value"))
    var parameters: [String] = []

    @Option(help: ArgumentHelp("The person's language, such as nl or en-GB.", valueName: "tag"))
    var locale: String?

    @Flag(help: "Call handle as well.")
    var handle = false

    @OptionGroup var calls: CallOptions

    package init() {}

    package func validate() throws {
        for argument in parameters where ParameterState(argument: argument) == nil {
            throw ValidationError("'\(argument)' is not name=value.")
        }
    }

    package func run() async throws {
        let problem = LastProblem()
        // Nothing listens for a later outcome: no name ends with .invalid (RFC 2606).
        let client = try calls.client({ _ in "https://callback.invalid/try" }) { problem.text = $1 }
        do {
            try await perform(try trial(client, problem))
            await client.close()
        } catch {
            await client.close()
            throw error
        }
    }

    private func perform(_ trial: Trial) async throws {
        let resolved = try await trial.resolve(parameters.compactMap(ParameterState.init(argument:)))
        guard let agreed = try await trial.confirm(resolved) else { return }
        if handle { return try await trial.handle(agreed) }
        print("handle    not called; --handle calls it, too")
    }

    /// Reads and checks the files as a worker does.
    private func trial(_ client: HTTPFulfilmentClient, _ problem: LastProblem) throws -> Trial {
        let files: DefinitionFiles
        let registry: IntentRegistry
        do {
            files = try DefinitionFiles(directory: definitions)
            registry = try IntentRegistry(
                [], declared: files.declarations(fulfilledBy: client.fulfiller()), spokenValues: Program.spokenValues)
        } catch {
            complain("\(error)")
            throw ExitCode.usage
        }
        let names = files.intents.map(\.name)
        guard let name = name ?? (names.count == 1 ? names[0] : nil) else {
            throw ValidationError("Name one of the intents: \(names.joined(separator: ", ")).")
        }
        guard let found = files.intents.first(where: { $0.name == name }) else {
            throw ValidationError("There is no intent '\(name)'. The intents are \(names.joined(separator: ", ")).")
        }
        return Trial(intent: found, registry: registry, locale: locale, lastProblem: problem)
    }
}

/// The last failed call, with its address.
final class LastProblem: Sendable {
    private let stored = Mutex<String?>(nil)

    var text: String? {
        get { stored.withLock { $0 } }
        set { stored.withLock { $0 = newValue } }
    }
}
