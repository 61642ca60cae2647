extension ParameterOption {
    /// How many a person can choose from; Apple's advice is not to offer more than about five.
    static let fewOptions = 2...5

    /// Values to choose from. Those with the same identifier get a number behind it, so that an answer can name each.
    package static func list(_ values: [any ParameterValue], in locale: String?) -> [ParameterOption] {
        var seen: [String: Int] = [:]
        return values.map { value in
            let id = value.optionID
            let count = seen[id, default: 0] + 1
            seen[id] = count
            let shown = value.displayRepresentation
            return ParameterOption(
                id: count == 1 ? id : "\(id)#\(count)", title: shown.title.text(in: locale), subtitle: shown.subtitle?.text(in: locale),
                value: JSON(value))
        }
    }
}

extension PhaseAnswer {
    /// Which of these the person has chosen: the one whose wire form came back, or the only one there was to say yes to.
    func choice<Value: ParameterValue>(among values: [Value]) -> Value? {
        guard isAccepted else { return nil }
        guard let value else { return values.count == 1 ? values[0] : nil }
        return values.first { JSON($0) == value }
    }
}
