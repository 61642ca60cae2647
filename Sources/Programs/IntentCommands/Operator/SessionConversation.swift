import Conversation
import IntentEvents
import IntentModel
import PipelineService
import RecordLog

/// The records of a session as a conversation: what the person's side has said, and what the pipeline has answered.
struct SessionConversation {
    private let history: SessionHistory
    private let topics: Topics
    private let text = ResultText(showsIDs: false)

    init(_ history: SessionHistory, _ topics: Topics) { (self.history, self.topics) = (history, topics) }

    /// Returns the record in a line, without secrets; `nil` for work and outcomes, which nobody has said.
    func line(_ entry: SessionHistory.Entry) -> String? {
        let time = text.dim(ResultText.localTime(Instant(milliseconds: entry.record.timestamp), "yyyy-MM-dd HH:mm:ss"))
        switch entry.topic {
        case topics.requests, topics.answers: return "\(time)  \(speaker(entry))  \(said(entry))"
        case topics.results: return "\(time)  \(told(entry))"
        case topics.deadLetters:
            return
                "\(time)  \(text.colour("!", 31)) a record could not be read: '\(PipelineProgram.tool) dead-letters list'"
        default: return nil
        }
    }

    private func speaker(_ entry: SessionHistory.Entry) -> String {
        let id = entry.record.header("ce_authid").map { String(decoding: $0, as: UTF8.self).printable }
        return text.colour(id ?? "person", 36)
    }

    private func told(_ entry: SessionHistory.Entry) -> String {
        var record = entry.record
        record.value = history.data(record)?.bytes
        return (try? ReceivedResult(record)).map(text.text) ?? entry.type.printable
    }

    private func said(_ entry: SessionHistory.Entry) -> String {
        guard let view = history.data(entry.record)?.view else { return entry.type.printable }
        let data = view["data"].flatMap { view["type"] == nil ? nil : $0 } ?? view
        switch EventType(rawValue: entry.type) {
        case .requested: return "\(data["intent"]?.shown ?? "an intent")\(parameters(data))"
        case .promptAnswered: return answer(data) + parameters(data)
        case .parameterCorrected:
            return "changes \(data["parameter"]?.shown ?? "a value") to \(value(data["value"]) ?? "nothing")"
        case .cancelled: return "cancels the request"
        default: return entry.type.printable
        }
    }

    private func answer(_ data: JSONView) -> String {
        if let words = data["utterance"]?.shown { return "“\(words)”" }
        let option = data["option"]?.shown.map { "the option \($0)" }
        return option ?? value(data["value"]) ?? data["action"]?.shown ?? "answers"
    }

    private func parameters(_ data: JSONView) -> String {
        (data["parameters"]?.members ?? []).map { ", \($0.name.printable) \(value($0.value) ?? "empty")" }.joined()
    }

    private func value(_ view: JSONView?) -> String? {
        guard let view, !view.isNull else { return nil }
        return view.shown ?? view.json.description.printable
    }
}
