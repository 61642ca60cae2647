package import IntentEvents
package import IntentModel

/// Finds the secret parameters of intents. Only the person enters their values, on a channel that no agent can use.
package enum SecretParameters {
    /// - Parameter published: The description that the intent's service has published; `nil` if there is none.
    package static func names(of published: PublishedIntent?) -> Set<String> {
        let parameters = published?.details["parameters"]?.view.elements ?? []
        return Set(parameters.filter { $0["sensitivity"]?.string == "secret" }.compactMap { $0["name"]?.string })
    }

    /// Rejects secret values from an agent, in a new request and in an answer.
    ///
    /// - Parameters:
    ///   - parameters: An object with the values by name; `nil` if there are none.
    ///   - catalogue: The intents that are served at present.
    /// - Throws: ``AgentProblem`` that names the parameter.
    package static func refuse(_ parameters: JSONView?, of intent: Identifier?, in catalogue: [Catalogue.Entry])
        throws(AgentProblem)
    {
        guard let given = parameters?.members, !given.isEmpty else { return }
        let secrets = names(of: catalogue.first { $0.intent == intent }?.published)
        guard let name = given.first(where: { secrets.contains($0.name) })?.name else { return }
        throw AgentProblem("'\(name)' is secret: leave it out. The person is asked for it on a channel of their own.")
    }
}
