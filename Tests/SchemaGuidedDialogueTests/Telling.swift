import Conversation
import IntentEvents
import IntentModel
import RecordLog

@testable import sgd_replay

extension RecordedPerson {
    /// The person of a dialogue with the boats service, in the session `me`.
    init(_ dialogue: Dialogue) { self.init(dialogue, session: "me", Boats.services) }

    /// Passes a result to the person in its wire form. Returns the events that the person sends.
    mutating func hear(_ body: SessionResult.Body, about request: String = "me-1") throws -> [SessionEvent] {
        let result = EncodedResult(
            SessionResult(sequence: 1, request: Identifier(request), body: body), session: "me", event: nil,
            at: Instant(milliseconds: 0))
        let record = ConsumedRecord(
            topic: "intents.results", partition: 0, offset: 0, timestamp: 0, key: Array("me".utf8),
            value: result.data.bytes,
            headers: [RecordHeader("ce_type", result.type.rawValue)])
        return hear(try ReceivedResult(record))
    }

    /// Prompts for a value.
    mutating func asked(for parameter: String, about request: String = "me-1") throws -> [SessionEvent] {
        try hear(.prompted(prompt(.value, parameter)), about: request)
    }

    /// Prompts to confirm a value.
    mutating func asked(whether parameter: String, is value: String) throws -> [SessionEvent] {
        var prompt = prompt(.confirmValue, parameter)
        prompt.value = .string(value)
        return try hear(.prompted(prompt))
    }

    /// Prompts to confirm the intent.
    mutating func askedToConfirm(about request: String = "me-1") throws -> [SessionEvent] {
        try hear(.prompted(prompt(.confirmIntent)), about: request)
    }

    /// Prompts for a choice of items, whose ids are their indices.
    mutating func offered(_ items: [String: String]..., about request: String = "me-1") throws -> [SessionEvent] {
        var prompt = prompt(.choice)
        prompt.isAboutItems = true
        prompt.options = items.enumerated().map { place, item in
            let value = JSON.make { writer in
                writer.beginObject()
                for (name, value) in item.sorted(by: { $0.key < $1.key }) { writer.member(named: name, .string(value)) }
                writer.endObject()
            }
            return ParameterOption(id: "\(place)", title: item["boat"] ?? "", value: value)
        }
        return try hear(.prompted(prompt), about: request)
    }

    mutating func ended(_ status: Completion.Status = .success, _ request: String = "me-1") throws -> [SessionEvent] {
        let code: ResponseCode = status == .success ? .success : .failure
        return try hear(
            .completed(Completion(intent: "Boats", status: status, code: code, parameters: [], turns: 0)),
            about: request)
    }

    private func prompt(_ kind: Prompt.Kind, _ parameter: String? = nil) -> Prompt {
        Prompt(
            id: "p", intent: "Boats", kind: kind, parameter: parameter, dialog: "Well?",
            expires: Instant(milliseconds: 1_000))
    }
}

/// A request of the session `me`.
func asks(_ intent: String, _ parameters: [String: String] = [:], number: Int = 1) -> SessionEvent {
    .requested(IntentRequest(id: "me-\(number)", intent: "Boats.\(intent)", parameters: states(parameters)))
}

/// An answer to the prompt that was just issued.
func answers(
    _ action: Answer.Action, _ value: String? = nil, option: String? = nil, more: [String: String] = [:]
) -> SessionEvent {
    .answered(
        Answer(prompt: "p", action: action, value: value.map { .string($0) }, option: option, parameters: states(more)))
}

private func states(_ values: [String: String]) -> [ParameterState] {
    values.sorted { $0.key < $1.key }.map { ParameterState(name: $0.key, value: .string($0.value)) }
}
