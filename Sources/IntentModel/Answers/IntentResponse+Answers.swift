extension IntentResponse {
    /// Takes one member of an answer to confirm or handle.
    ///
    /// - Returns: `false` if a response has no such member.
    /// - Throws: If nobody can read it.
    package mutating func take(_ name: String, _ value: JSONView) throws(OutcomeError) -> Bool {
        switch name {
        case "code": code = ResponseCode(rawValue: value.string ?? ResponseCode.unspecified.rawValue)
        case "dialog": dialog = value.string
        case "response": values = value.values
        case "items": items = try value.options("items")
        case "choice": choice = value.itemChoice
        case "proposed": proposed = value.values
        case "remembered": remembered = value.values
        case "validFor": validFor = value.answerDuration
        case "opens":
            guard let intent = value["intent"]?.string else { throw OutcomeError("'opens' names an 'intent'", "opens") }
            opensIntent = OpenedIntent(intent: intent, parameters: value["parameters"]?.values ?? [:])
        case "activity": userActivity = try value.checkedActivity()
        default: return false
        }
        return true
    }

    /// What no single member shows.
    package func check() throws(OutcomeError) {
        if choice != nil, Set(items.map(\.id)).count < items.count {
            throw OutcomeError("items to choose from have an 'id' of their own each", "items")
        }
    }
}

extension JSONView {
    package var itemChoice: ItemChoice {
        var choice = ItemChoice(dialog: self["dialog"]?.string)
        for (key, member) in self["remembers"]?.members ?? [] { choice.remembers[key] = member.string }
        return choice
    }
}
