public import IntentKit

// The parts of intents that a worker publishes.
extension IntentRegistry {
    /// `true` if a handler serves the intent at present: the extension's handler, or with `inApp` the app's. Asks the
    /// extension for a new handler.
    public func serves(_ intent: String, inApp: Bool) -> Bool {
        guard let entry = entries[Identifier(intent)] else { return false }
        return entry.definition.hasHandler(entry.server, inApp: inApp, dependencies)
    }

    /// The intents that only the app supports: `application(handlerFor:)` returns a handler, and `handler(for:)` none.
    /// All phases of such an intent run in the app.
    public var intentsOfTheApp: [String] { intents.filter { serves($0, inApp: true) && !serves($0, inApp: false) } }

    /// The intents for the extension's workers: all but ``intentsOfTheApp``. With `inApp`, the intents that the app's
    /// workers can perform.
    ///
    /// An intent without any handler at present belongs to the extension, whose workers reject it.
    public func served(inApp: Bool) -> [String] {
        if inApp { return intents.filter { serves($0, inApp: true) } }
        let ofTheApp = Set(intentsOfTheApp)
        return intents.filter { !ofTheApp.contains($0) }
    }

    /// The members of an intent's entry in `intents.catalog`: the description in the developer's language, the JSON
    /// Schemas of the parameters, the requirements on a gateway, and the texts in each language of the extension.
    public func published(_ intent: String) -> [String: JSON] {
        guard let entry = entries[Identifier(intent)], let description = describe(intent) else { return [:] }
        var members = Self.texts(description)
        members["phases"] = .array(description.phases.map { .string($0.rawValue) })
        members["confirmation"] = .string(description.confirmation.rawValue)
        let authentication = entry.definition.authenticationPolicy
        if authentication != .alwaysAllowed { members["authentication"] = .string(authentication.rawValue) }
        if let effect = entry.definition.policy.effect { members["effect"] = .string(effect.rawValue) }
        members["schemas"] = .object([
            "request": description.parametersSchema(for: .request),
            "resolved": description.parametersSchema(for: .resolved),
        ])
        let languages = entry.localizations.languages
        if !languages.isEmpty {
            let texts = languages.compactMap { tag in describe(intent, in: tag).map { (tag, Self.texts($0)) } }
                .map { tag, own in (tag, own.filter { members[$0.key] != $0.value }) }.filter { !$0.1.isEmpty }
            members["languages"] = .make { writer in
                writer.beginObject()
                for (tag, own) in texts { writer.member(named: tag, .make { $0.write(sorted: own) }) }
                writer.endObject()
            }
        }
        return members
    }

    /// The members that depend on the language.
    private static func texts(_ description: IntentCatalogEntry) -> [String: JSON] {
        let all = description.json.view
        let names = ["title", "description", "summary", "parameters"]
        return Dictionary(uniqueKeysWithValues: names.compactMap { name in all[name].map { (name, $0.json) } })
    }
}

extension JSONWriter {
    fileprivate mutating func write(sorted members: [String: JSON]) {
        beginObject()
        for (name, value) in members.sorted(by: { $0.key < $1.key }) { member(named: name, value) }
        endObject()
    }
}
