package import Conversation
package import IntentModel

/// A request of a request file, with the script of the person who makes it.
package struct ScriptedRequest: Sendable, Hashable {
    package var session: Identifier
    package var request: IntentRequest
    package var person: ScriptedPerson

    package init(session: Identifier, request: IntentRequest, person: ScriptedPerson) {
        (self.session, self.request, self.person) = (session, request, person)
    }

    /// Reads a line of a request file; `nil` if the line names no intent.
    ///
    /// - Parameter newID: The id of a request without an id.
    package init?(_ line: JSONView, newID: @autoclosure () -> Identifier) {
        guard let intent = line["intent"]?.string else { return nil }
        func values(_ member: String) -> [String: JSON] {
            Dictionary((line[member]?.members ?? []).map { ($0.name, $0.value.json) }) { $1 }
        }
        let id = line["id"]?.identifier ?? newID()
        let parameters = (line["parameters"]?.members ?? []).map {
            ParameterState(name: $0.name, value: $0.value.json)
        }
        session = line["session"]?.identifier ?? "file-\(id.text.prefix(8))"
        request = IntentRequest(
            id: id, intent: Identifier(intent), parameters: parameters, locale: line["locale"]?.string,
            attributes: values("attributes"))
        person = ScriptedPerson(values("answers"))
    }
}

extension ScriptedPerson {
    /// Returns the events with which the person replies to a prompt, or to an offer to continue in the app. The answer
    /// `handoff` is `complete` if the app claims and completes the offer.
    package mutating func reply(to result: ReceivedResult) -> [SessionEvent] {
        guard let prompt = result.prompt else { return replyToOffer(result) }
        let options = result.data["options"]?.elements.compactMap { $0["id"]?.string } ?? []
        let answer = answer(
            to: prompt, result.promptKind ?? .value, about: result.data["parameter"]?.string, options: options)
        return [.answered(answer)]
    }

    private mutating func replyToOffer(_ offer: ReceivedResult) -> [SessionEvent] {
        guard let handoff = offer.offeredHandoff, offer.data["mode"]?.string == Handoff.Mode.foreground.rawValue,
            // A failed request that can be repaired in the app is completed already.
            offer.data["activity"]?["interaction"]?["code"]?.string == ResponseCode.continueInApp.rawValue
        else { return [] }
        guard next("handoff")?.view.string == "complete" else {
            return otherwise == .cancel ? [.cancelled(request: offer.request)] : []
        }
        return [
            .handoffClaimed(handoff: handoff, claimant: "app"),
            .handoffCompleted(handoff: handoff, claimant: "app", response: IntentResponse(.success)),
        ]
    }
}
