import Conversation
import Foundation
import IntentEvents
import IntentModel
import PipelineService

/// Formats results for people.
struct ResultText {
    /// `true` to use colours: only on a terminal, and only if `NO_COLOR` is not set.
    let isColoured: Bool
    /// `true` to show the ids of prompts, which other commands take.
    private let showsIDs: Bool

    init(
        isColoured: Bool = isatty(STDOUT_FILENO) == 1 && ProcessInfo.processInfo.environment["NO_COLOR"] == nil,
        showsIDs: Bool = true
    ) {
        (self.isColoured, self.showsIDs) = (isColoured, showsIDs)
    }

    /// Returns one line of a stream of results of many sessions.
    func line(_ result: ReceivedResult) -> String {
        let time = Self.localTime(Instant(milliseconds: result.timestamp), "HH:mm:ss")
        let session = result.session?.printable ?? "-"
        return "\(dim(time))  \(session)  \(text(result))"
    }

    /// Returns a time in the zone of this machine.
    static func localTime(_ time: Instant, _ format: String) -> String {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.dateFormat = format
        return formatter.string(from: Date(timeIntervalSince1970: Double(time.milliseconds) / 1_000))
    }

    /// Returns the result without time and session.
    func text(_ result: ReceivedResult) -> String {
        let data = result.data
        let dialog = data["dialog"]?.shown
        switch result.type {
        case .promptIssued:
            var text = "\(colour("?", 33)) \(dialog ?? "")"
            for (index, option) in (data["options"]?.elements ?? []).enumerated() {
                let subtitle = option["subtitle"]?.shown.map { " (\($0))" } ?? ""
                text += "\(index == 0 ? " " : ", ")\(index + 1). \(option["title"]?.shown ?? "")\(subtitle)"
            }
            if let total = data["optionsTotal"]?.int { text += dim(" … of \(total)") }
            if data["secret"]?.bool == true { text += dim(" (secret)") }
            if result.promptKind == .confirmIntent, let summary = data["summary"]?.shown,
                dialog?.hasPrefix(summary) != true
            {
                text += " [\(summary)]"
            }
            if let signIn = data["signIn"] { text += Self.place(of: signIn).map { " [\($0)]" } ?? "" }
            text += approval(data)
            for (name, value) in data["proposed"]?.members ?? [] {
                text += " [\(name): \(value.shown ?? value.json.description.printable)]"
            }
            return text + id(of: result.prompt?.printable)
        case .promptReminded:
            return "\(colour("?", 33)) \(Self.reminder(data))\(dialog ?? "")\(approval(data))"
                + id(of: data["prompt"]?.shown)
        case .optionsListed:
            let titles = (data["options"]?.elements ?? []).map { $0["title"]?.shown ?? "" }
            return dim("options: \(titles.joined(separator: ", "))")
        case .answerRead:
            return dialog.map { "\(colour("?", 33)) \($0)" } ?? dim("read as: \(data["readAs"]?.shown ?? "")")
        case .progressed:
            let fraction = data["fraction"]?.double.map { " \(Int(($0 * 100).rounded())) %" } ?? ""
            if data["code"]?.string == ResponseCode.queued.rawValue {
                return "\(colour("…", 36)) waits until the session's other request is answered and has ended"
            }
            return "\(colour("…", 36)) \(dialog ?? data["phase"]?.shown ?? "")\(fraction)"
        case .handoffOffered:
            return
                "\(colour("→", 35)) \(data["mode"]?.shown ?? "") app: \(data["activity"]?["activityType"]?.shown ?? "")"
                + dim("  handoff \(result.offeredHandoff?.printable ?? "")")
        case .handoffClaimed:
            return "\(colour("→", 35)) claimed by \(data["claimant"]?.shown ?? "")"
        case .handoffCompleted:
            return "\(colour("→", 35)) completed by \(data["claimant"]?.shown ?? ""), \(data["code"]?.shown ?? "")"
                + (dialog.map { ": \($0)" } ?? "")
        case .completed:
            let isGood = result.status == .success
            let isPartial = data["code"]?.string == ResponseCode.partialSuccess.rawValue
            let why = dialog ?? data["error"]?["message"]?.shown
            let code = data["code"]?.shown ?? ""
            let status = data["status"]?.shown ?? ""
            let mark = isPartial ? colour("◐", 33) : colour(isGood ? "✓" : "✗", isGood ? 32 : 31)
            return "\(mark) \(data["intent"]?.shown ?? "") \(isPartial ? code : status)"
                + (code == status || isPartial ? "" : " (\(code))") + (why.map { ": \($0)" } ?? "")
                + agreement(data["agreement"]) + card(data["snippet"]) + results(data["results"])
                + items(data["items"], chosen: data["chosen"]?.string) + opens(data["opens"])
                + undo(data["undo"], of: result)
                + (data["updates"]?.bool == true ? dim("  updates: request \(result.request?.printable ?? "")") : "")
        case .updated:
            return "\(colour("…", 36)) \(dialog ?? data["phase"]?.shown ?? "")"
        case .updatesEnded:
            let why = data["error"]?["message"]?.shown.map { ", \($0)" } ?? ""
            return dim("no more updates: \(data["reason"]?.shown ?? "")\(why)")
        case .answeredLate:
            return "\(colour("✓", 32)) \(data["intent"]?.shown ?? "") succeeded after its timeout"
                + (dialog.map { ": \($0)" } ?? "")
        case .rejected:
            let field = data["field"]?.shown.map { " (\($0))" } ?? ""
            return
                "\(colour("!", 31)) rejected, \(data["reason"]?.shown ?? ""): \(data["message"]?.shown ?? "")\(field)"
        default: return result.type.rawValue
        }
    }

    private func id(of prompt: String?) -> String { showsIDs ? dim("  prompt \(prompt ?? "")") : "" }

    /// Returns the items of the result, one per line. If the person has chosen an item, returns only that item.
    private func items(_ items: JSONView?, chosen: String?) -> String {
        (items?.elements ?? []).filter { chosen == nil || $0["id"]?.string == chosen }.map { item in
            "\n  - \(item["title"]?.shown ?? "")" + (item["subtitle"]?.shown.map { " (\($0))" } ?? "")
        }.joined()
    }

    /// Returns those who have agreed.
    private func agreement(_ agreement: JSONView?) -> String {
        guard let consents = agreement?["by"]?.elements else { return "" }
        return dim(
            "  agreed: \(consents.map { $0["principal"]?["id"]?.shown ?? "the requester" }.joined(separator: ", "))")
    }

    /// Returns those who have to agree.
    private func approval(_ data: JSONView) -> String {
        data["approval"].flatMap(ShownApproval.init).map { " [to agree: \($0.inWords)]" } ?? ""
    }

    /// Returns the reason for a reminder, where its dialog does not say it.
    private static func reminder(_ data: JSONView) -> String {
        switch data["reason"]?.string.flatMap(PromptReminder.Reason.init) {
        case .escalated: "Others may agree now as well: "
        case .delegated: "Another one may agree instead: "
        case .agreed: ""
        case .reminder, nil: "Still open: "
        }
    }

    /// Returns the page where a person signs in, with the code.
    static func place(of signIn: JSONView) -> String? {
        let parts = [signIn["url"]?.shown, signIn["code"]?.shown.map { "code \($0)" }].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }

    /// Returns the snippet that is shown beside the dialog.
    private func card(_ snippet: JSONView?) -> String {
        guard let snippet else { return "" }
        var text = "\n  \(snippet["title"]?.shown ?? "")" + (snippet["subtitle"]?.shown.map { " (\($0))" } ?? "")
        for line in snippet["lines"]?.elements ?? [] {
            text += "\n    \(line["title"]?.shown ?? ""): \(line["text"]?.shown ?? "")"
        }
        return text
    }

    /// Returns the results of the elements, one per line.
    private func results(_ results: JSONView?) -> String {
        (results?.elements ?? []).map { result in
            let code = result["code"]?.shown ?? ""
            let isGood = code == ResponseCode.success.rawValue
            return "\n  \(colour(isGood ? "✓" : "✗", isGood ? 32 : 31)) \(result["title"]?.shown ?? "")"
                + (isGood ? "" : " (\(code))") + (result["dialog"]?.shown.map { ": \($0)" } ?? "")
        }.joined()
    }

    /// Returns the command that undoes the request.
    private func undo(_ undo: JSONView?, of result: ReceivedResult) -> String {
        guard let undo else { return "" }
        let what = undo["title"]?.shown ?? undo["intent"]?.shown ?? ""
        let time = undo["expires"]?.string.flatMap(Instant.init(rfc3339:)).map { Self.localTime($0, "HH:mm") } ?? ""
        return dim(
            "\n  \(what) until \(time): \(PipelineProgram.tool) undo --session \(result.session?.printable ?? "")")
    }

    /// Returns the request that follows this request.
    private func opens(_ opens: JSONView?) -> String {
        opens.map { dim("  then \($0["intent"]?.shown ?? "") \($0["request"]?.shown ?? "")") } ?? ""
    }

    /// Returns the result as one line of JSON: its type, its id and all of its data.
    static func json(_ result: ReceivedResult) -> String {
        let json = JSON.make { writer in
            writer.beginObject()
            writer.member("type", result.type.rawValue)
            writer.member("id", ifPresent: result.id)
            for (name, value) in result.data.members { writer.member(named: name, value.json) }
            writer.endObject()
        }
        return json.description
    }

    func dim(_ text: String) -> String { isColoured ? "\u{1B}[2m\(text)\u{1B}[0m" : text }
    func colour(_ text: String, _ code: Int) -> String { isColoured ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text }
}

extension JSONView {
    /// The text without control characters, for a terminal.
    var shown: String? { string?.printable }
}
