import ArgumentParser
import Conversation
import Foundation
import IntentEvents
import Intents
import PipelineService
import RecordLog

struct SendCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "send", abstract: "Ask for an intent, or for those in a file.",
        usage: """
            intents send RequestRide -p dropOff=Airport --wait
            intents send --file requests.jsonl
            """,
        discussion: """
            A value that is JSON is sent as that, anything else as text. With --wait the results follow on standard output until the request has ended; \
            if it needs an answer, the exit code is 3 ('intents reply' answers, 'intents chat' asks you).

            Each line of a file is {"session":…,"intent":…,"parameters":{…}}; other members are left out.
            """)

    @OptionGroup var kafka: KafkaOptions

    @Argument(help: "The intent's name.")
    var intent: String?

    @Option(name: .shortAndLong, help: "The session to ask in. A new one unless given.")
    var session: String?

    @Option(
        name: [.customShort("p"), .customLong("parameter")], help: ArgumentHelp("A parameter. May be repeated.", valueName: "name=value"))
    var parameters: [String] = []

    @Option(help: "What to do if the session is busy: queue, replace, reject or interrupt.", transform: SendCommand.whenBusy)
    var whenBusy: IntentRequest.WhenBusy = .queue

    @Option(help: "The event's id. The same id again is the same request.")
    var id: String?

    @Option(help: ArgumentHelp("A file of requests, one JSON object a line; - for standard input.", valueName: "path"))
    var file: String?

    @Flag(help: "Wait until the request has ended.")
    var wait = false

    @Option(help: ArgumentHelp("How long to wait for the next result, in seconds.", valueName: "seconds"))
    var timeout: Int = 60

    private static func whenBusy(_ text: String) throws -> IntentRequest.WhenBusy {
        guard let whenBusy = IntentRequest.WhenBusy(rawValue: text) else {
            throw ValidationError("'\(text)' is none of \(IntentRequest.WhenBusy.allCases.map(\.rawValue).joined(separator: ", ")).")
        }
        return whenBusy
    }

    func validate() throws {
        guard (intent == nil) != (file == nil) else { throw ValidationError("Give either an intent's name or --file.") }
        if file != nil, wait { throw ValidationError("--wait goes with one request; 'intents play' answers those of a file.") }
        for parameter in parameters where ParameterState(argument: parameter) == nil {
            throw ValidationError("'\(parameter)' is not name=value.")
        }
    }

    func run() async throws {
        let client = try PersonClient(kafka)
        defer { client.close() }
        if let file { return try sendFile(file, client) }
        let session = session ?? "cli-\(PersonClient.newID().prefix(8))"
        let id = id ?? PersonClient.newID()
        let request = IntentRequest(
            id: id, intent: intent ?? "", parameters: parameters.compactMap(ParameterState.init(argument:)), whenBusy: whenBusy)
        if wait { try await client.follow(fromBeginning: false) }
        try client.send(.requested(request), session: session, id: id)
        try client.flush()
        guard wait else { return print(JSON.object(["session": .string(session), "request": .string(id)])) }
        try waitForEnd(client, session: session, request: id)
    }

    private func waitForEnd(_ client: PersonClient, session: String, request: String) throws {
        let isTerminal = isatty(STDOUT_FILENO) == 1
        let text = ResultText()
        var deadline = ContinuousClock.now.advanced(by: .seconds(timeout))
        while ContinuousClock.now < deadline {
            for result in try client.results(timeout: .milliseconds(200)) where result.session == session {
                deadline = ContinuousClock.now.advanced(by: .seconds(timeout))
                print(isTerminal ? text.text(result) : ResultText.json(result))
                if result.type == .rejected, result.data["event"]?.string == request { throw ExitCode.failed }
                guard result.request == request else { continue }
                if result.prompt != nil {
                    complain("It needs an answer: intents reply --session \(session) …, or start over with 'intents chat'.")
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

/// Requests in a file, a JSON object a line.
struct RequestFile {
    struct Line {
        var number: Int
        var session: String
        var request: IntentRequest
        /// Everything on the line, by name.
        var members: [String: JSONView]
    }

    var lines: [Line] = []

    /// - Throws: a `ValidationError` that names the line and what is wrong with it.
    init(path: String) throws {
        let data = path == "-" ? FileHandle.standardInput.readDataToEndOfFile() : FileManager.default.contents(atPath: path)
        guard let data else { throw ValidationError("The file '\(path)' can't be read.") }
        for (index, bytes) in data.split(separator: UInt8(ascii: "\n")).enumerated() {
            let view: JSONView
            do { view = try JSONView(parsing: Array(bytes)) } catch { throw ValidationError("\(path), line \(index + 1): \(error)") }
            let members = Dictionary(view.members.map { ($0.name, $0.value) }) { $1 }
            guard let intent = members["intent"]?.string else { throw ValidationError("\(path), line \(index + 1): 'intent' is missing.") }
            let id = members["id"]?.string ?? PersonClient.newID()
            let parameters = (members["parameters"]?.members ?? []).map { ParameterState(name: $0.name, value: $0.value.json) }
            let attributes = Dictionary((members["attributes"]?.members ?? []).map { ($0.name, $0.value.json) }) { $1 }
            lines.append(
                Line(
                    number: index + 1, session: members["session"]?.string ?? "file-\(id.prefix(8))",
                    request: IntentRequest(
                        id: id, intent: intent, parameters: parameters, locale: members["locale"]?.string, attributes: attributes),
                    members: members))
        }
    }
}

/// How far something is, on standard error if that is a terminal.
struct ProgressBar {
    let total: Int
    private var done = 0
    private var shown = -1
    private let started = ContinuousClock.now
    private let isTerminal = isatty(STDERR_FILENO) == 1

    init(total: Int) { self.total = total }

    mutating func step(to count: Int? = nil) {
        done = count ?? done + 1
        let percent = total == 0 ? 100 : done * 100 / total
        guard isTerminal, percent != shown else { return }
        shown = percent
        let filled = percent * 30 / 100
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: 30 - filled)
        FileHandle.standardError.write(Data("\r\(bar) \(percent) %  \(done)/\(total)  \(rate(started.duration(to: .now)))/s ".utf8))
    }

    func finish(in duration: Duration) {
        complain(
            "\(isTerminal ? "\n" : "")\(done) sent in \(duration.formatted(.units(allowed: [.seconds], fractionalPart: .show(length: 2)))), \(rate(duration))/s"
        )
    }

    private func rate(_ duration: Duration) -> Int { Int(Double(done) / max(duration / .seconds(1), 0.001)) }
}
