package import IntentEvents
package import IntentModel

/// Which parameters are secret. Only the person gives their values, on a channel that no agent has a part in.
package enum SecretParameters {
    /// - Parameter published: what the intent's service has published of it; `nil` if that is nothing.
    package static func names(of published: PublishedIntent?) -> Set<String> {
        let parameters = published?.details["parameters"]?.view.elements ?? []
        return Set(parameters.filter { $0["sensitivity"]?.string == "secret" }.compactMap { $0["name"]?.string })
    }

    /// Refuses what an agent must not give: with a new request, and with an answer.
    ///
    /// - Parameters:
    ///   - parameters: an object with the values by name; `nil` if there are none.
    ///   - catalogue: what is served now.
    /// - Throws: ``AgentProblem`` that names the parameter.
    package static func refuse(_ parameters: JSONView?, of intent: Identifier?, in catalogue: [Catalogue.Entry]) throws(AgentProblem) {
        guard let given = parameters?.members, !given.isEmpty else { return }
        let secrets = names(of: catalogue.first { $0.intent == intent }?.published)
        guard let name = given.first(where: { secrets.contains($0.name) })?.name else { return }
        throw AgentProblem("'\(name)' is secret: leave it out. The person is asked for it on a channel of their own.")
    }
}
