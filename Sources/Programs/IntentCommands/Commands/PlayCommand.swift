import ArgumentParser
import Conversation
import Foundation
import IntentEvents
import IntentModel
import PipelineService

struct PlayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "play", abstract: "Play the person's side of the requests in a file, and count how they end.",
        usage: "\(PipelineProgram.tool) play <path> [<options>]",
        discussion: """
            Each line is a request with the answers of its person: {"session":…,"intent":…,"parameters":{…},"answers":{…}}. The answers are \
            named after the parameter of the prompt: a value, an option's title, yes or no, or a list of these, used one after the other. \
            "confirmIntent" answers the prompt before an intent is handled, and "handoff":"complete" claims and completes a handoff. A prompt \
            without an answer cancels the request.

            Ends with 0 if every request got exactly one completion and the results of no session skipped a sequence number, else with 4.
            """)

    @OptionGroup var kafka: KafkaOptions

    @Argument(help: ArgumentHelp("The file; - for standard input.", valueName: "path"))
    var file: String

    @Option(help: ArgumentHelp("How many requests may be open at the same time.", valueName: "count"))
    var window = 50

    @Option(help: ArgumentHelp("How long to wait for the next result, in seconds.", valueName: "seconds"))
    var timeout = 90

    @Flag(help: "Show only the table at the end.")
    var quiet = false

    @Option(help: ArgumentHelp("Where to write the figures of the table as JSON.", valueName: "path"))
    var report: String?

    func validate() throws {
        if window < 1 { throw ValidationError("--window must be at least 1.") }
    }

    func run() async throws {
        let requests = try RequestFile(path: file)
        let client = try PersonClient(kafka, name: "play")
        defer { client.close() }
        try await client.follow(fromBeginning: false)
        try await client.followOutcomes()
        var play = Play(lines: requests.lines)
        let text = ResultText()
        var deadline = ContinuousClock.now.advanced(by: .seconds(timeout))
        while !play.isOver, ContinuousClock.now < deadline {
            while play.open < window, let line = play.next() {
                try client.send(.requested(line.request), session: line.session, id: line.request.id)
            }
            for result in try client.results(timeout: .milliseconds(100)) {
                deadline = ContinuousClock.now.advanced(by: .seconds(timeout))
                guard let reactions = play.react(to: result) else { continue }
                if !quiet { print(text.line(result)) }
                for reaction in reactions {
                    try client.send(reaction, session: result.session ?? "", partition: result.partition)
                }
            }
        }
        // A second completion would follow the first one immediately.
        let silence = ContinuousClock.now.advanced(by: .seconds(1))
        while ContinuousClock.now < silence {
            for result in try client.results(timeout: .milliseconds(100)) { _ = play.react(to: result) }
        }
        let summary = PlaySummary(play, client)
        print(summary.table)
        if let report { try Data(summary.json.bytes).write(to: URL(fileURLWithPath: report)) }
        if !summary.isGood { throw ExitCode.failed }
    }
}
