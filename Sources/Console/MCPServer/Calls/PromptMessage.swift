import IntentEvents
import IntentModel

/// Puts a prompt into words: the question, and everything that the person agrees to.
package enum PromptMessage {
    private static let maximum = 4_000

    package static func text(of question: RequestStanding.Question) -> String {
        let prompt = question.prompt.view
        var lines: [String] = []
        if let complaint = question.complaint, !question.isRefused {
            lines.append("Not accepted: \(complaint.shown(500))")
        }
        lines.append((prompt["dialog"]?.string ?? prompt["summary"]?.string ?? "").shown(1_000))
        switch prompt["kind"]?.string {
        case "confirmIntent": lines += agreement(prompt)
        case "confirmValue":
            let shown = row(of: prompt["parameter"]?.string, prompt)?["text"]?.string ?? prompt["value"].flatMap(words)
            if let shown, prompt["dialog"]?.string?.contains(shown) != true { lines.append(shown.shown(500)) }
        case "signIn":
            if let code = prompt["signIn"]?["code"]?.string { lines.append("Code: \(code.onOneLine.shown(100))") }
        default: break
        }
        if prompt["kind"]?.string == "choice", let total = prompt["optionsTotal"]?.int {
            let shown = (question.page?.view ?? prompt)["options"]?.elements.count ?? 0
            lines.append("\(shown) of \(total) options are shown.")
        }
        return lines.filter { !$0.isEmpty }.joined(separator: "\n").shown(maximum)
    }

    /// Returns everything that accepting the intent agrees to.
    private static func agreement(_ prompt: JSONView) -> [String] {
        var lines: [String] = []
        if let approval = prompt["approval"].flatMap(ShownApproval.init) {
            lines.append("Others than the requester have to agree, or may: \(approval.inWords.shown(500)).")
        }
        if let summary = prompt["summary"]?.string, summary != prompt["dialog"]?.string {
            lines.append(summary.shown(1_000))
        }
        for line in prompt["snippet"]?["lines"]?.elements ?? [] {
            lines.append(labelled(line["title"]?.string, line["text"]?.string ?? ""))
        }
        for row in prompt["parameters"]?.elements ?? [] {
            // Some workers give no text for a value. The person must see the value in any case, because accepting
            // agrees to it.
            guard let text = row["text"]?.string ?? row["value"].flatMap(words) else { continue }
            let reason =
                row["reason"]?.string.map { " (\($0))" } ?? row["source"].map { _ in " (not said by the person)" } ?? ""
            lines.append(labelled(row["title"]?.string ?? row["parameter"]?.string, text + reason))
        }
        for (name, value) in prompt["proposed"]?.members ?? [] {
            let title = row(of: name, prompt)?["title"]?.string ?? name
            lines.append(labelled("\(title), proposed", value["title"]?.string ?? words(value) ?? "null"))
        }
        if prompt["action"]?["destructive"]?.bool == true { lines.append("This can't be taken back.") }
        return lines
    }

    /// Returns a value as text; `nil` for `null`.
    private static func words(_ value: JSONView) -> String? {
        value.string ?? (value.isNull ? nil : value.json.description)
    }

    private static func labelled(_ title: String?, _ text: String) -> String {
        let text = text.onOneLine.shown(500)
        return title.map { "\($0.onOneLine.shown(100)): \(text)" } ?? text
    }

    private static func row(of parameter: String?, _ prompt: JSONView) -> JSONView? {
        prompt["parameters"]?.elements.first { $0["parameter"]?.string == parameter && parameter != nil }
    }
}
