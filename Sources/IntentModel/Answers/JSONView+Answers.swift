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
