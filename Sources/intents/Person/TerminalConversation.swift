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
        var deadline = ContinuousClock.now.advanced(by: timeout)
        while ContinuousClock.now < deadline {
            for result in try client.results(timeout: .milliseconds(200)) where result.session == session {
                deadline = ContinuousClock.now.advanced(by: timeout)
                guard let answer = result.promptKind.flatMap({ ask(result, $0) }) else {
                    if result.promptKind != nil {
                        try client.send(.cancelled(request: request), session: session, partition: result.partition)
                        try client.flush()
                        continue
                    }
                    print(text.text(result))
                    if result.type == .rejected, result.request == nil || result.request == request, result.data["event"]?.string == request
                    {
                        return .failed
                    }
                    if result.request == request, let next = result.data["opens"]?["request"]?.string {
                        request = next
                        continue
                    }
                    if let status = result.status, result.request == request { return status == .success ? .success : .failed }
                    continue
                }
                try client.send(.answered(answer), session: session, partition: result.partition)
                try client.flush()
            }
        }
        complain("No result from the pipeline within \(timeout).")
        return .timedOut
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
        case .choice:
            let options = result.data["options"]?.elements ?? []
            for (index, option) in options.enumerated() {
                print("  \(index + 1). \(option["title"]?.shown ?? "")\(option["subtitle"]?.shown.map { "  \($0)" } ?? "")")
            }
            // A choice that is not about a parameter accepts only the listed options.
            let isFree = result.data["parameter"] != nil
            while let line = read("1-\(options.count)\(isFree ? ", or something else" : ""): ") {
                if line.isEmpty { return Answer(prompt: prompt, action: .decline) }
                guard let number = Int(line) else {
                    let isNamed = options.contains { $0["title"]?.string?.lowercased() == line.lowercased() }
                    if isFree || isNamed { return Answer(prompt: prompt, action: .accept, value: .string(line)) }
                    print("There is no '\(line)'.")
                    continue
                }
                if options.indices.contains(number - 1) {
                    return Answer(prompt: prompt, action: .accept, option: options[number - 1]["id"]?.string)
                }
                print("There is no \(number).")
            }
            return nil
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

    private func read(_ prompt: String) -> String? {
        print(prompt, terminator: "")
        fflush(nil)
        return readLine()?.trimmingCharacters(in: .whitespaces)
    }
}
