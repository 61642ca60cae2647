extension IntentResponse {
    /// Reads one member of a response of confirm or handle.
    ///
    /// - Returns: `false` if a response has no such member.
    /// - Throws: An error if the value can't be read.
    package mutating func readMember(_ name: JSONName, _ value: JSONView) throws(OutcomeError) -> Bool {
        switch name {
        case "code": code = ResponseCode(rawValue: value.string ?? ResponseCode.unspecified.rawValue)
        case "dialog": dialog = value.string
        case "response": values = value.values
        case "items": items = try value.options("items")
        case "choice": choice = value.itemChoice
        case "proposed": proposed = value.values
        case "remembered": remembered = value.values
        case "rememberedForPerson": rememberedForPerson = value.values
        case "validFor": validFor = value.answerDuration
        case "opens":
            guard let intent = value["intent"]?.string else { throw OutcomeError("'opens' needs an 'intent'", "opens") }
            opensIntent = OpenedIntent(intent: Identifier(intent), parameters: value["parameters"]?.values ?? [:])
        case "activity": userActivity = try value.checkedActivity()
        case "supporting": supportingDialog = value.string
        case "snippet":
            guard let card = Snippet(value) else { throw OutcomeError("a 'snippet' needs a 'title'", "snippet") }
            snippet = card
        case "undo":
            guard let offer = UndoOffer(value) else {
                throw OutcomeError("'undo' needs an 'intent', and 'validFor' is a second to a day", "undo")
            }
            undo = offer
        case "results": results = try value.elementResults()
        default: return false
        }
        return true
    }

    /// Checks the rules that concern more than one member.
    package func check() throws(OutcomeError) {
        if choice != nil, Set(items.map(\.id)).count < items.count {
            throw OutcomeError("items to choose from need ids that differ", "items")
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
    /// Reads one of the six results from the member that is named after it.
    ///
    /// - Parameter field: The field that an error names.
    /// - Returns: `nil` if the name is none of the six.
    /// - Throws: An error if the value can't be read.
    package static func reading(_ name: JSONName, _ value: JSONView, _ field: String) throws(OutcomeError)
        -> ParameterResolution?
    {
        var dialog: String? { value.member("dialog")?.string }
        switch name {
        case "success":
            guard let success = value.member("value") else { throw OutcomeError("'success' needs a 'value'", field) }
            return .success(success.json)
        case "notRequired": return .notRequired
        case "needsValue": return .needsValue(dialog: dialog)
        case "disambiguation":
            guard let options = value["options"] else {
                throw OutcomeError("a choice needs at least two options with different ids", field)
            }
            return .disambiguation(try options.choices(field), dialog: dialog)
        case "confirmationRequired":
            guard let proposal = value.member("value") else {
                throw OutcomeError("'confirmationRequired' needs a 'value'", field)
            }
            return .confirmationRequired(proposal.json, dialog: dialog)
        case "unsupported": return .unsupported(reason: value["reason"]?.string ?? "unsupported", dialog: dialog)
        default: return nil
        }
    }
}

// The parts that outcomes and replies have in common, with the same JSON in both.
extension JSONView {
    /// The members of an object by name.
    package var values: [String: JSON] {
        var values: [String: JSON] = [:]
        for (name, value) in fields { values[name.string] = value.json }
        return values
    }

    /// An option to choose from, with its value; `nil` if it lacks an id, a title or a value.
    package var option: ParameterOption? {
        guard let id = self["id"]?.string, let title = self["title"]?.string, let value = self["value"] else {
            return nil
        }
        return ParameterOption(
            id: id, title: title, subtitle: self["subtitle"]?.string, value: value.json,
            synonyms: (self["synonyms"]?.elements ?? []).compactMap(\.string), section: self["section"]?.string,
            image: self["image"].flatMap(DisplayImage.init))
    }

    /// An activity, without a check of its rules; `nil` if it lacks a type.
    package var userActivity: UserActivity? {
        guard let type = self["activityType"]?.string else { return nil }
        var activity = UserActivity(
            activityType: type, title: self["title"]?.string, webpageURL: self["webpageURL"]?.string)
        for (name, value) in self["userInfo"]?.members ?? [] { activity.userInfo[name] = value.json }
        activity.requiredUserInfoKeys = (self["requiredUserInfoKeys"]?.elements ?? []).compactMap(\.string)
        activity.expirationDate = self["expirationDate"]?.string.flatMap(Timestamp.parse)
        activity.persistentIdentifier = self["persistentIdentifier"]?.string
        activity.keywords = (self["keywords"]?.elements ?? []).compactMap(\.string)
        return activity
    }

    /// A duration: whole milliseconds, or a length of time as text (`PT5M`, `5 minutes`, `5m`).
    package var answerDuration: Duration? {
        if let milliseconds = int { return .milliseconds(milliseconds) }
        return string.flatMap { Duration(compact: $0) ?? DurationText.parse($0) }
    }

    /// Reads an activity and checks its rules.
    ///
    /// - Throws: An error for the first rule that the activity breaks.
    package func checkedActivity() throws(OutcomeError) -> UserActivity? {
        let activity = userActivity
        if let violation = activity?.violation {
            throw OutcomeError(violation.reason, violation.message, violation.field)
        }
        return activity
    }

    /// Reads the results of the elements.
    package func elementResults() throws(OutcomeError) -> [ElementResult] {
        var results: [ElementResult] = []
        for element in elements {
            guard let result = ElementResult(element), results.count < ElementResult.maximumCount else {
                throw OutcomeError(
                    "'results' has at most \(ElementResult.maximumCount) entries, each with a 'title' and a 'code'",
                    "results")
            }
            results.append(result)
        }
        return results
    }

    /// Reads the options of an array.
    package func options(_ field: String) throws(OutcomeError) -> [ParameterOption] {
        var options: [ParameterOption] = []
        for element in elements {
            guard let option = element.option else {
                throw OutcomeError("an option needs 'id', 'title' and 'value'", field)
            }
            options.append(option)
        }
        return options
    }

    /// Reads the options of an array: at least two, with different ids.
    package func choices(_ field: String) throws(OutcomeError) -> [ParameterOption] {
        let options = try options(field)
        guard options.count >= 2, Set(options.map(\.id)).count == options.count else {
            throw OutcomeError("a choice needs at least two options with different ids", field)
        }
        return options
    }
}

/// The reason why an outcome of a worker, or a reply of a service, is rejected.
package struct OutcomeError: Error, Sendable, Hashable {
    package var reason: RejectionReason
    /// The problem, without values of parameters.
    package var message: String
    /// The part of the outcome or reply that is wrong.
    package var field: String

    /// Creates the error for JSON that can't be read.
    package init(_ message: String, _ field: String) { self.init(.unparseable, message, field) }

    package init(_ reason: RejectionReason, _ message: String, _ field: String) {
        self.reason = reason
        self.message = message
        self.field = field
    }
}
