import Conversation
import IntentEvents
import IntentModel

// Events for viewers who may not see values.
extension TimelineEvent {
    /// The event without the words of the person or to the person. It only shows what kind of event happened, and to
    /// which request and parameter.
    var withoutValues: TimelineEvent {
        var event = self
        event.data = .make { writer in
            writer.beginObject()
            for (name, value) in data.view.members {
                switch name {
                case _ where Self.plain.contains(name): writer.member(named: name, value.json)
                // Only a flag or a word is shown. In other events, the members with these names contain labels and
                // values.
                case "action", "items", "intents", "secret", "updates":
                    if value.kind == .bool || value.kind == .string { writer.member(named: name, value.json) }
                case "unsupported", "error":
                    if let reason = value["reason"] { writer.member(named: name, .object(["reason": reason.json])) }
                default: break
                }
            }
            writer.member("masked", true)
            writer.endObject()
        }
        return event
    }

    private static let plain: Set<String> = [
        "session", "sequence", "request", "prompt", "intent", "kind", "parameter", "title", "element", "expires",
        "phase", "code", "fraction", "status", "turns", "handoff", "mode", "reason", "field", "event", "opens", "undo",
        "whenBusy", "scope", "optionsTotal", "start", "limit", "readAs",
    ]
}

/// Removes secrets from events of the person's side before they are stored.
struct SecretFilter {
    /// Returns the parameters of an intent whose values may be stored: the parameters that its service has published,
    /// except secrets.
    let storableParameters: (_ intent: Identifier) -> Set<String>

    /// Returns the data of an event without secrets.
    ///
    /// - Parameter session: The present session; `nil` if it is unknown.
    func filter(_ event: RequestEvent, data: JSON, in session: FollowedSession?) -> JSON {
        // Any other member that a producer has added might be a secret.
        let known = Set(Contract.requestMembers(of: event.type))
        return withoutSecrets(
            event, data: data.without(Set(data.view.members.map(\.name)).subtracting(known)), in: session)
    }

    private func withoutSecrets(_ event: RequestEvent, data: JSON, in session: FollowedSession?) -> JSON {
        switch event.type {
        case .requested:
            let intent = data["intent"]?.identifier
            return .make { writer in
                writer.beginObject()
                for (name, value) in data.view.members {
                    switch name {
                    case "parameters": writer.member("parameters", withoutSecrets(value, of: intent))
                    case "candidates":
                        let candidates = value.elements.map { candidate in
                            JSON.object([
                                "intent": candidate["intent"]?.json ?? .null,
                                "confidence": candidate["confidence"]?.json ?? .null,
                                "parameters": candidate["parameters"].map {
                                    withoutSecrets($0, of: candidate["intent"]?.identifier)
                                } ?? .object([:]),
                            ])
                        }
                        writer.member("candidates", .array(candidates))
                    // A producer may put anything into the attributes.
                    case "attributes": break
                    default: writer.member(named: name, value.json)
                    }
                }
                writer.endObject()
            }
        case .promptAnswered:
            guard let prompt = session?.prompt, prompt.id == data["prompt"]?.identifier, !prompt.isSecret else {
                return data.without(["value", "option", "parameters", "utterance"])
            }
            let intent = prompt.event.data["intent"]?.identifier
            // Some workers don't mark their prompts for secrets.
            let mayBeStored = prompt.event.data["parameter"]?.string.map { isStorable($0, of: intent) } ?? true
            let said = mayBeStored ? data : data.without(["value", "option", "utterance"])
            guard let parameters = data["parameters"] else { return said }
            return said.without(["parameters"]).with("parameters", withoutSecrets(parameters, of: intent))
        case .parameterCorrected:
            let request = data["request"]?.identifier
            let intent = (request.flatMap { id in session?.requests.last { $0.id == id } } ?? session?.current)?.intent
            let name = data["parameter"]?.string ?? ""
            return isStorable(name, of: intent) ? data : data.without(["value"])
        case .optionsRequested:
            let prompt = session?.prompt
            return prompt?.id == data["prompt"]?.identifier && prompt?.isSecret == false
                ? data : data.without(["search"])
        case .handoffClaimed, .handoffCompleted, .handoffReturned: return data.without(["secret", "token", "response"])
        default: return data
        }
    }

    private func isStorable(_ parameter: String, of intent: Identifier?) -> Bool {
        intent.map { storableParameters($0).contains(parameter) } == true
    }

    private func withoutSecrets(_ parameters: JSONView, of intent: Identifier?) -> JSON {
        let names = intent.map(storableParameters) ?? []
        return .make { writer in
            writer.beginObject()
            for (name, value) in parameters.members where names.contains(name) {
                writer.member(named: name, value.json)
            }
            writer.endObject()
        }
    }
}

extension JSON {
    /// Returns the object with one more member.
    func with(_ name: String, _ value: JSON) -> JSON {
        .make { writer in
            writer.beginObject()
            for (name, value) in view.members { writer.member(named: name, value.json) }
            writer.member(named: name, value)
            writer.endObject()
        }
    }
}

extension Catalogue.Entry {
    /// The names of the intent's published parameters that are not secret.
    var storableParameters: Set<String> {
        Set(
            (published?.details["parameters"]?.view.elements ?? []).compactMap { parameter in
                parameter["sensitivity"]?.string == "secret" ? nil : parameter["name"]?.string
            })
    }
}
