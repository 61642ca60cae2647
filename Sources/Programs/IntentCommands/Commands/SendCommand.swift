import ArgumentParser
import Conversation
import Foundation
import IntentEvents
import IntentKit
import IntentModel
import PipelineService

struct SendCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "send", abstract: "Request an intent, or those in a file.",
        usage: """
            \(PipelineProgram.tool) send RequestRide -p dropOff=Airport --wait
            \(PipelineProgram.tool) send --file requests.jsonl
            """,
        discussion: """
            A value that is valid JSON is sent as JSON, anything else as text. With --wait, the results are printed to standard output until the \
            request has ended; if it needs an answer, the exit code is 3 ('\(PipelineProgram.tool) reply' answers, '\(PipelineProgram.tool) chat' asks you).

            Each line of a file is {"session":…,"intent":…,"parameters":{…}}; other members are ignored.
            """)

    @OptionGroup var kafka: KafkaOptions

    @OptionGroup var person: PrincipalOption

    @Argument(help: "The intent's name.", completion: .custom(IntentNames.completion))
    var intent: Identifier?

    @Option(name: .shortAndLong, help: "The session of the request. Defaults to a new one.")
    var session: Identifier?

    @OptionGroup var said: RequestOptions

    @Option(
        help: "What to do if the session is busy: queue, replace, reject or interrupt.", transform: SendCommand.whenBusy
    )
    var whenBusy: IntentRequest.WhenBusy = .queue

    @Option(help: "The event's id. A repeated id means the same request.")
    var id: Identifier?

    @Option(
        help: ArgumentHelp("A file of requests, one JSON object per line; - for standard input.", valueName: "path"))
    var file: String?

    @Flag(help: "Wait until the request has ended.")
    var wait = false

    @Option(help: ArgumentHelp("How long to wait for the next result, in seconds.", valueName: "seconds"))
    var timeout: Int = 60

    private static func whenBusy(_ text: String) throws -> IntentRequest.WhenBusy {
        guard let whenBusy = IntentRequest.WhenBusy(rawValue: text) else {
            throw ValidationError(
                "'\(text)' is none of \(IntentRequest.WhenBusy.allCases.map(\.rawValue).joined(separator: ", ")).")
        }
        return whenBusy
    }

    func validate() throws {
        guard (intent == nil) != (file == nil) else { throw ValidationError("Use either an intent's name or --file.") }
        if file != nil, wait {
            throw ValidationError(
                "--wait is for a single request; '\(PipelineProgram.tool) play' answers those of a file.")
        }
    }

    func run() async throws {
        let client = try PersonClient(kafka, principal: person.principal)
        defer { client.close() }
        if let file { return try sendFile(file, client) }
        let session = session ?? "cli-\(PersonClient.newID().prefix(8))"
        let id = id ?? Identifier(PersonClient.newID())
        let request = said.request(id, intent ?? "", whenBusy: whenBusy)
        if wait { try await client.follow(fromBeginning: false) }
        try client.send(.requested(request), session: session, id: id)
        try client.flush()
        guard wait else { return print(JSON.object(["session": .string(session), "request": .string(id)])) }
        try waitForEnd(client, session: session, request: id)
    }

    private func waitForEnd(_ client: PersonClient, session: Identifier, request: Identifier) throws {
        let isTerminal = isatty(STDOUT_FILENO) == 1
        let text = ResultText()
        var deadline = ContinuousClock.now.advanced(by: .seconds(timeout))
        while ContinuousClock.now < deadline {
            for result in try client.results(timeout: .milliseconds(200)) where result.session == session {
                deadline = ContinuousClock.now.advanced(by: .seconds(timeout))
                print(isTerminal ? text.text(result) : ResultText.json(result))
                if result.type == .rejected, result.data["event"]?.identifier == request { throw ExitCode.failed }
                guard result.request == request else { continue }
                if result.prompt != nil {
                    complain(
                        "It needs an answer: \(PipelineProgram.tool) reply --session \(session) …, or start over with '\(PipelineProgram.tool) chat'."
                    )
                    throw ExitCode.needsInput
                }
                if let status = result.status {
                    if status == .success { return }
                    throw ExitCode.failed
                }
            }
        }
        complain("No result in \(timeout) seconds.")
        throw ExitCode.timedOut
    }

    private func sendFile(_ file: String, _ client: PersonClient) throws {
        let requests = try RequestFile(path: file)
        let started = ContinuousClock.now
        var bar = ProgressBar(total: requests.lines.count)
        for line in requests.lines {
            try client.send(.requested(line.request), session: line.session, id: line.request.id)
            bar.step()
        }
        try client.flush()
        bar.finish(in: started.duration(to: .now))
    }
}
