import Conversation
import Foundation
import IntentEvents
import IntentModel

/// Formats results for people.
struct ResultText {
    /// Whether to use colours: only on a terminal, and only if `NO_COLOR` is not set.
    let isColoured: Bool

    init(isColoured: Bool = isatty(STDOUT_FILENO) == 1 && ProcessInfo.processInfo.environment["NO_COLOR"] == nil) {
        self.isColoured = isColoured
    }

    /// One line of a stream of results of many sessions.
    func line(_ result: ReceivedResult) -> String {
        let time = Instant(milliseconds: result.timestamp).description.dropFirst(11).prefix(8)
        let session = result.session ?? "-"
        return "\(dim(String(time)))  \(session)  \(text(result))"
    }

    /// The result without time and session.
    func text(_ result: ReceivedResult) -> String {
        let data = result.data
        let dialog = data["dialog"]?.string
        switch result.type {
        case .promptIssued:
            var text = "\(colour("?", 33)) \(dialog ?? "")"
            for (index, option) in (data["options"]?.elements ?? []).enumerated() {
                let subtitle = option["subtitle"]?.string.map { " (\($0))" } ?? ""
                text += "\(index == 0 ? " " : ", ")\(index + 1). \(option["title"]?.string ?? "")\(subtitle)"
            }
            if data["secret"]?.bool == true { text += dim(" (secret)") }
            if let summary = data["summary"]?.string, dialog?.hasPrefix(summary) != true { text += " [\(summary)]" }
            for (name, value) in data["proposed"]?.members ?? [] { text += " [\(name): \(value.string ?? value.json.description)]" }
            return text + dim("  prompt \(result.prompt ?? "")")
        case .progressed:
            let fraction = data["fraction"]?.double.map { " \(Int(($0 * 100).rounded())) %" } ?? ""
            return "\(colour("…", 36)) \(dialog ?? data["phase"]?.string ?? "")\(fraction)"
        case .handoffOffered:
            return "\(colour("→", 35)) \(data["mode"]?.string ?? "") app: \(data["activity"]?["activityType"]?.string ?? "")"
                + dim("  handoff \(result.offeredHandoff ?? "")")
        case .handoffClaimed:
            return "\(colour("→", 35)) claimed by \(data["claimant"]?.string ?? "")"
        case .completed:
            let isGood = result.status == .success
            let why = dialog ?? data["error"]?["message"]?.string
            let code = data["code"]?.string ?? ""
            let status = data["status"]?.string ?? ""
            return "\(colour(isGood ? "✓" : "✗", isGood ? 32 : 31)) \(data["intent"]?.string ?? "") \(status)"
                + (code == status ? "" : " (\(code))") + (why.map { ": \($0)" } ?? "")
                + items(data["items"], chosen: data["chosen"]?.string) + opens(data["opens"])
                + (data["updates"]?.bool == true ? dim("  updates: request \(result.request ?? "")") : "")
        case .updated:
            return "\(colour("…", 36)) \(dialog ?? data["phase"]?.string ?? "")"
        case .updatesEnded:
            let why = data["error"]?["message"]?.string.map { ", \($0)" } ?? ""
            return dim("no more updates: \(data["reason"]?.string ?? "")\(why)")
        case .answeredLate:
            return "\(colour("✓", 32)) \(data["intent"]?.string ?? "") succeeded after its timeout"
                + (dialog.map { ": \($0)" } ?? "")
        case .rejected:
            let field = data["field"]?.string.map { " (\($0))" } ?? ""
            return "\(colour("!", 31)) rejected, \(data["reason"]?.string ?? ""): \(data["message"]?.string ?? "")\(field)"
        default: return result.type.rawValue
        }
    }

    /// The items of the result, one per line. If the person has chosen an item, only that one.
    private func items(_ items: JSONView?, chosen: String?) -> String {
        (items?.elements ?? []).filter { chosen == nil || $0["id"]?.string == chosen }.map { item in
            "\n  - \(item["title"]?.string ?? "")" + (item["subtitle"]?.string.map { " (\($0))" } ?? "")
        }.joined()
    }

    /// The request that follows this one.
    private func opens(_ opens: JSONView?) -> String {
        opens.map { dim("  then \($0["intent"]?.string ?? "") \($0["request"]?.string ?? "")") } ?? ""
    }

    /// The result as one line of JSON: its type, its id and all of its data.
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
