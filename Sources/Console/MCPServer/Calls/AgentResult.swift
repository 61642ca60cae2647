package import IntentModel

/// The result of a request, for a model to read.
package struct AgentResult: Sendable {
    /// The text for the person.
    package var text: String
    /// The status, the code and all values, as JSON.
    package var structured: JSON
    /// `true` if the request failed, so that the model may try something else.
    package var isError: Bool

    /// - Parameters:
    ///   - completion: The data of `intent.completed.v1`.
    ///   - session: The session, so that the agent can continue it.
    package init(completion: JSON, session: Identifier) {
        let data = completion.view
        let status = data["status"]?.string ?? "failure"
        isError = ["failure", "timedOut", "unsupported"].contains(status)
        var lines: [String] = []
        let reason = data["error"]?["message"]?.string ?? data["error"]?["reason"]?.string
        let said = data["dialog"]?.string?.shown(4_000)
        switch status {
        case "success": lines.append(said ?? "Done.")
        case "cancelled":
            lines.append("\(said ?? "It was cancelled.") It is not done. Ask the person before you try again.")
        case "timedOut": lines.append("\(said ?? "It took too long, or the person did not answer.") It is not done.")
        case "deferredToApp": lines.append(said ?? "The person goes on in an app.")
        case "unsupported":
            lines.append(said ?? "This can't be done: \((reason ?? data["code"]?.string ?? "").shown(500))")
        default: lines.append(said ?? "It failed: \((reason ?? data["code"]?.string ?? "").shown(500))")
        }
        if said != nil, isError, let reason { lines.append("(\(reason.shown(500)))") }
        for each in (data["results"]?.elements ?? []).prefix(50) {
            let title = each["title"]?.string ?? each["id"]?.string ?? ""
            lines.append("- \(title.shown(100)): \((each["dialog"]?.string ?? each["code"]?.string ?? "").shown(200))")
        }
        for item in (data["items"]?.elements ?? []).prefix(50) {
            let subtitle = item["subtitle"]?.string.map { " (\($0))" } ?? ""
            lines.append("- \("\(item["title"]?.string ?? "")\(subtitle)".shown(200))")
        }
        if let url = data["activity"]?["webpageURL"]?.string?.webURL { lines.append("The person can go on at \(url)") }
        if let undo = data["undo"] {
            let until = undo["expires"]?.string.map { " until \($0)" } ?? ""
            lines.append(
                "The person can take it back\(until): \((undo["title"]?.string ?? undo["intent"]?.string ?? "").shown(100))."
            )
        }
        text = lines.joined(separator: "\n")
        structured = .make { writer in
            writer.beginObject()
            for name in Self.members where name != "activity" {
                writer.member(named: name, ifPresent: data[name]?.json)
            }
            if let url = data["activity"]?["webpageURL"]?.string?.webURL { writer.member("url", url) }
            writer.member("session", session)
            writer.endObject()
        }
    }

    /// - Parameter rejection: The data of `request.rejected.v1`.
    package init(rejection: JSON, session: Identifier) {
        let data = rejection.view
        let field = data["field"]?.string
        text = "Not accepted: \((data["message"]?.string ?? data["reason"]?.string ?? "").shown(1_000))"
        isError = true
        structured = .make { writer in
            writer.beginObject()
            writer.member("status", "rejected")
            writer.member("reason", ifPresent: data["reason"]?.string)
            writer.member("field", ifPresent: field)
            writer.member("session", session)
            writer.endObject()
        }
    }

    private static let members = [
        "status", "code", "request", "intent", "parameters", "provenance", "response", "items", "chosen", "results",
        "undo", "error",
        "opens",
        "turns",
    ]
}

extension JSONWriter {
    fileprivate mutating func member(named name: String, ifPresent value: JSON?) {
        if let value { member(named: name, value) }
    }
}
