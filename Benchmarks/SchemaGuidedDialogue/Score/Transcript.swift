import Conversation
import IntentEvents
import IntentModel

/// The transcript of a dialogue, one line for each event.
struct Transcript: Sendable {
    private(set) var lines: [String] = []

    mutating func append(_ event: SessionEvent) {
        switch event {
        case .requested(let request):
            lines.append("person    asks for \(request.intent)" + Self.words(request.parameters))
        case .answered(let answer):
            let what = answer.value.map { $0.view.string ?? $0.description } ?? answer.option.map { "option \($0)" }
            lines.append(
                "person    " + ([answer.action.rawValue] + [what].compactMap(\.self)).joined(separator: " ")
                    + Self.words(answer.parameters)
            )
        default: lines.append("person    \(event)")
        }
    }

    mutating func append(_ result: ReceivedResult) {
        let data = result.data
        func text(_ member: String) -> String { data[member]?.string ?? "" }
        switch result.type {
        case .promptIssued where data["items"]?.bool == true:
            lines.append("pipeline  offers \(data["options"]?.elements.count ?? 0) items")
        case .promptIssued:
            let proposed = (data["proposed"]?.members ?? []).map { "\($0.name)=\($0.value.string ?? "")" }.joined(
                separator: " ")
            lines.append("pipeline  \(text("kind")) \(text("parameter"))\(proposed): \(text("dialog"))")
        case .completed:
            lines.append("pipeline  \(text("intent")): \(text("status")) \(data["error"]?["message"]?.string ?? "")")
        case .rejected: lines.append("pipeline  rejected, \(text("reason")): \(text("message"))")
        default: lines.append("pipeline  \(result.type.rawValue)")
        }
    }

    private static func words(_ parameters: [ParameterState]) -> String {
        parameters.isEmpty
            ? "" : ", " + parameters.map { "\($0.name)=\($0.value?.view.string ?? "")" }.joined(separator: " ")
    }
}
