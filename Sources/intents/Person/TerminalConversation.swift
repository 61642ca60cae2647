import ArgumentParser
import Conversation
import Foundation
import IntentEvents
import IntentModel
import PipelineService

/// A conversation with the person at the terminal, until the request and the requests that it opens have ended.
struct TerminalConversation {
    let client: PersonClient
    let session: String
    let request: String
    let text = ResultText()

    /// - Returns: The exit code of the program.
    func run(timeout: Duration) throws -> ExitCode {
        var request = request
        var menu: ChoiceMenu?
        var deadline = ContinuousClock.now.advanced(by: timeout)
        while ContinuousClock.now < deadline {
            for result in try client.results(timeout: .milliseconds(200)) where result.session == session {
                deadline = ContinuousClock.now.advanced(by: timeout)
                if result.promptKind != nil || (result.type == .optionsListed && result.data["prompt"]?.string == menu?.prompt) {
                    let reply = reply(to: result, &menu) ?? .cancelled(request: request)
                    try client.send(reply, session: session, partition: result.partition)
                    try client.flush()
                } else {
                    if result.type != .optionsListed { print(text.text(result)) }
                    if result.type == .rejected, result.request == nil || result.request == request, result.data["event"]?.string == request
                    {
                        return .failed
                    }
                    if result.request == request, let next = result.data["opens"]?["request"]?.string {
                        request = next
                    } else if let status = result.status, result.request == request {
                        return status == .success ? .success : .failed
                    }
                }
            }
        }
        complain("No result from the pipeline within \(timeout).")
        return .timedOut
    }

    /// What the person says to a prompt, or to more options of it.
    ///
    /// - Returns: `nil` if the input has ended.
    private func reply(to result: ReceivedResult, _ menu: inout ChoiceMenu?) -> SessionEvent? {
        guard result.promptKind != .choice, result.type == .promptIssued else {
            if result.type == .promptIssued {
                print(text.colour("?", 33), result.data["dialog"]?.shown ?? "")
                menu = ChoiceMenu(result)
            }
            menu?.show(result)
            return menu?.reply()
        }
        menu = nil
        return result.promptKind.flatMap { ask(result, $0) }.map { .answered($0) }
    }

    /// - Returns: `nil` if the input has ended.
    private func ask(_ result: ReceivedResult, _ kind: Prompt.Kind) -> Answer? {
        guard let prompt = result.prompt else { return nil }
        print(text.colour("?", 33), result.data["dialog"]?.shown ?? "")
        switch kind {
        case .value:
            guard let line = read("> ") else { return nil }
            return line.isEmpty
                ? Answer(prompt: prompt, action: .decline) : Answer(prompt: prompt, action: .accept, value: JSON(argument: line))
        case .choice: return nil
        case .confirmValue, .confirmIntent:
            if kind == .confirmIntent, let summary = result.data["summary"]?.shown,
                result.data["dialog"]?.string?.hasPrefix(summary) != true
            {
                print("  \(summary)")
            }
            for (name, value) in result.data["proposed"]?.members ?? [] {
                print("  \(name.printable): \(value.shown ?? value.json.description.printable)")
            }
            while let line = read("y/n: ") {
                switch line.lowercased() {
                case "y", "yes": return Answer(prompt: prompt, action: .accept)
                case "n", "no": return Answer(prompt: prompt, action: .decline)
                case "q", "cancel": return Answer(prompt: prompt, action: .cancel)
                default: continue
                }
            }
            return nil
        }
    }
}

/// Reads a line of the person at the terminal; `nil` if the input has ended.
func read(_ prompt: String) -> String? {
    print(prompt, terminator: "")
    fflush(nil)
    return readLine()?.trimmingCharacters(in: .whitespaces)
}
