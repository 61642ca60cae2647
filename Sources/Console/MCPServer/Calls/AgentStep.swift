package import Conversation
package import IntentModel

/// The next step for a request that waits: a form to fill in, or an action that only the person can take.
package enum AgentStep: Sendable {
    /// A form to fill in.
    ///
    /// - Parameter isAgreement: `true` if accepting the form agrees to something. Only the person may do so, never a
    ///   model. See ``Conversation/Prompt/isAgreement(_:)``.
    case form(PromptForm, RequestStanding.Question, isAgreement: Bool)
    /// An action of the person on a channel of their own: at the URL, if there is one.
    case person(message: String, url: String?, key: String)

    /// - Returns: `nil` if the request waits for nothing.
    package init?(_ standing: RequestStanding, session: Identifier, settings: AgentSettings) {
        let page = settings.page(of: session)
        if let question = standing.question {
            let prompt = question.prompt.view
            let isAgreement = Prompt.isAgreement(prompt)
            let isForOthers =
                prompt["approval"].map { approval in
                    approval["includesRequester"]?.bool != true
                        || approval["agreed"]?.elements.contains { $0["requester"]?.bool == true } == true
                } ?? false
            let isForPerson = question.isRefused || isForOthers || settings.agreement == .person && isAgreement
            if !isForPerson, let form = PromptForm(question) {
                self = .form(form, question, isAgreement: isAgreement)
                return
            }
            let signIn = prompt["signIn"]?["url"]?.string.flatMap(\.webURL)
            let message = PromptMessage.text(of: question)
            self = .person(
                message: prompt["secret"]?.bool == true
                    ? "\(message)\nThe answer is secret: only the person may enter it." : message,
                url: page ?? signIn, key: question.key)
            return
        }
        guard case .handedOff(let offer, let isClaimed) = standing.state else { return nil }
        let activity = offer.view["activity"]
        let title = activity?["title"]?.string ?? activity?["interaction"]?["intent"]?.string ?? ""
        let text = isClaimed ? "An app goes on with it." : "The person goes on in an app."
        self = .person(
            message: "\(text) \(title.shown(200))".trimmed,
            url: activity?["webpageURL"]?.string.flatMap(\.webURL) ?? page,
            key: standing.waitsFor ?? "")
    }
}

extension Prompt {
    /// `true` if answering the prompt does more than fill in a value: it agrees to something, reveals a secret, or
    /// identifies the person.
    package static func isAgreement(_ prompt: JSONView) -> Bool {
        guard let kind = prompt["kind"]?.string.flatMap(Kind.init), kind == .value || kind == .choice else {
            return true
        }
        return prompt["parameter"] == nil || prompt["secret"]?.bool == true || prompt["items"]?.bool == true
            || prompt["intents"]?.bool == true
    }
}

extension String {
    /// The text if it is the URL of a web page, with `http` or `https` and without a user; `nil` otherwise, such as for
    /// scripts and local files.
    package var webURL: String? {
        let text = lowercased()
        guard text.hasPrefix("https://") || text.hasPrefix("http://"), utf8.count <= 2_048,
            utf8.allSatisfy({ 0x21...0x7E ~= $0 }),
            let authority = split(separator: "/", omittingEmptySubsequences: true).dropFirst().first,
            !authority.contains("@")
        else { return nil }
        return self
    }

    fileprivate var trimmed: String { hasSuffix(" ") ? String(dropLast()) : self }
}
