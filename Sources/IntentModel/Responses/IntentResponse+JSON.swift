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

extension ParameterResolution {
    /// One of the six results, from the member that stands for it.
    ///
    /// - Parameter field: What an error is about.
    /// - Returns: `nil` if the name is none of the six.
    /// - Throws: If nobody can read it.
    package static func reading(_ name: String, _ value: JSONView, _ field: String) throws(OutcomeError) -> ParameterResolution? {
        let dialog = value["dialog"]?.string
        switch name {
        case "success":
            guard let success = value["value"] else { throw OutcomeError("'success' needs a 'value'", field) }
            return .success(success.json)
        case "notRequired": return .notRequired
        case "needsValue": return .needsValue(dialog: dialog)
        case "disambiguation":
            guard let options = value["options"] else {
                throw OutcomeError("a choice has at least two options, each with an id of its own", field)
            }
            return .disambiguation(try options.choices(field), dialog: dialog)
        case "confirmationRequired":
            guard let proposal = value["value"] else { throw OutcomeError("'confirmationRequired' needs a 'value'", field) }
            return .confirmationRequired(proposal.json, dialog: dialog)
        case "unsupported": return .unsupported(reason: value["reason"]?.string ?? "unsupported", dialog: dialog)
        default: return nil
        }
    }
}

// The parts that answers are made of, in the JSON that is the same wherever they come from.
extension JSONView {
    /// The members of an object by name.
    package var values: [String: JSON] {
        var values: [String: JSON] = [:]
        for (name, value) in members { values[name] = value.json }
        return values
    }

    /// Something to choose from, with its value.
    package var option: ParameterOption? {
        guard let id = self["id"]?.string, let title = self["title"]?.string, let value = self["value"] else { return nil }
        return ParameterOption(id: id, title: title, subtitle: self["subtitle"]?.string, value: value.json)
    }

    /// An activity, whether it keeps the rules or not.
    package var userActivity: UserActivity? {
        guard let type = self["activityType"]?.string else { return nil }
        var activity = UserActivity(activityType: type, title: self["title"]?.string, webpageURL: self["webpageURL"]?.string)
        for (name, value) in self["userInfo"]?.members ?? [] { activity.userInfo[name] = value.json }
        activity.requiredUserInfoKeys = (self["requiredUserInfoKeys"]?.elements ?? []).compactMap(\.string)
        activity.expirationDate = self["expirationDate"]?.string.flatMap(Timestamp.parse)
        activity.persistentIdentifier = self["persistentIdentifier"]?.string
        activity.keywords = (self["keywords"]?.elements ?? []).compactMap(\.string)
        return activity
    }

    /// Whole milliseconds, or a length of time in words: `PT5M`, `5 minutes`, `5m`.
    package var answerDuration: Duration? {
        if let milliseconds = int { return .milliseconds(milliseconds) }
        return string.flatMap { Duration(compact: $0) ?? DurationText.parse($0) }
    }

    /// - Throws: If it breaks a rule for activities.
    package func checkedActivity() throws(OutcomeError) -> UserActivity? {
        let activity = userActivity
        if let violation = activity?.violation { throw OutcomeError(violation.reason, violation.message, violation.field) }
        return activity
    }

    /// The options of an array.
    package func options(_ field: String) throws(OutcomeError) -> [ParameterOption] {
        var options: [ParameterOption] = []
        for element in elements {
            guard let option = element.option else { throw OutcomeError("an option has 'id', 'title' and 'value'", field) }
            options.append(option)
        }
        return options
    }

    /// Options that a person can tell apart.
    package func choices(_ field: String) throws(OutcomeError) -> [ParameterOption] {
        let options = try options(field)
        guard options.count >= 2, Set(options.map(\.id)).count == options.count else {
            throw OutcomeError("a choice has at least two options, each with an id of its own", field)
        }
        return options
    }
}

/// Why an answer of a worker, or of a service in its place, is not taken.
package struct OutcomeError: Error, Sendable, Hashable {
    package var reason: RejectionReason
    /// What is wrong, without values of parameters.
    package var message: String
    /// The part of the answer that it is about.
    package var field: String

    /// Nobody can read it.
    package init(_ message: String, _ field: String) { self.init(.unparseable, message, field) }

    package init(_ reason: RejectionReason, _ message: String, _ field: String) {
        self.reason = reason
        self.message = message
        self.field = field
    }
}
