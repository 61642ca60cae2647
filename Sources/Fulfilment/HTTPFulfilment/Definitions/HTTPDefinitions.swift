import ArgumentParser
import Conversation
import Foundation
import IntentFiles
import IntentModel
import IntentRuntime
import Logging
import PipelineService
import ServiceLifecycle
public import WorkerService

/// Serves the intents of definition files, fulfilled over HTTP, beside a worker's extensions:
///
/// ```swift
/// @main
/// struct Greenhouse: WorkerProgram {
///     typealias Source = HTTPDefinitions
///     static let extensions: [any IntentExtension] = [GreenhouseExtension()]
/// }
/// ```
/// The source adds `--definitions`, the options of calls, and the options of deferred outcomes to the worker's command
/// line.
public struct HTTPDefinitions: IntentSource {
    @Option(
        help: ArgumentHelp(
            "Serve the intents of *.intents.yaml and *.intents.json in this folder. Read again on SIGHUP.",
            valueName: "folder")
    )
    var definitions: String?

    @OptionGroup var calls: CallOptions
    @OptionGroup var callback: CallbackOptions

    public init() {}

    public func open(_ environment: WorkerEnvironment) throws -> (any OpenIntentSource)? {
        guard let directory = definitions else {
            if callback.callbackURL != nil { throw ValidationError("--callback-url requires --definitions.") }
            return nil
        }
        if callback.sendsInTheClear, !calls.fulfilmentPlainHTTP {
            throw ValidationError(
                "--callback-url is neither https nor on this machine: use https, or set --fulfilment-plain-http if the network between can be trusted."
            )
        }
        let tokens = try callback.tokens(logger: environment.logger)
        var url: (@Sendable (_ replyTo: String) -> String)?
        if let tokens { url = { tokens.url(for: $0, now: .now) } }
        let client = try calls.client(url) { [logger = environment.logger] call, problem in
            logger.warning(
                "a call to a service has failed",
                metadata: [
                    "intent": "\(call.intent)", "phase": "\(call.phase.rawValue)", "session": "\(call.context.session)",
                    "request": "\(call.context.request)", "problem": "\(problem)",
                ])
        }
        return OpenHTTPDefinitions(
            directory: directory, client: client, callback: callback, tokens: tokens, environment: environment)
    }
}

/// The open source of ``HTTPDefinitions``, with its connections.
struct OpenHTTPDefinitions: OpenIntentSource {
    let directory: String
    let client: HTTPFulfilmentClient
    let callback: CallbackOptions
    let tokens: CallbackTokens?
    let environment: WorkerEnvironment

    func read(after accepted: (any Sendable)?) throws -> IntentSourceReading {
        let definitions = try DefinitionFiles(directory: directory)
        let changes = (accepted as? DefinitionFiles).map { definitions.changes(since: $0) } ?? DefinitionFiles.Changes()
        return IntentSourceReading(
            declarations: try definitions.declarations(fulfilledBy: client.fulfiller()),
            changes: IntentChanges(added: changes.added, changed: changes.changed, removed: changes.removed),
            state: definitions)
    }

    func services(_ served: @escaping @Sendable () -> IntentRegistry) throws -> [any Service] {
        try callback.services(tokens, environment, served)
    }

    func problems(_ error: any Error) -> [String] {
        "\(error)".split(separator: "\n").map(String.init)
    }

    func close() async { await client.close() }
}
