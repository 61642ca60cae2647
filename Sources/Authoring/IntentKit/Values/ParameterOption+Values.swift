extension ParameterOption {
    /// Returns the options for values. Values with the same identifier get a number appended, so that an answer can
    /// identify each value.
    ///
    /// - Parameter section: Returns the title of a value's section, by the value's index.
    package static func list(
        _ values: [any ParameterValue], in locale: String?, section: (Int) -> LocalizedText? = { _ in nil }
    ) -> [ParameterOption] {
        var seen: [String: Int] = [:]
        return values.enumerated().map { index, value in
            let id = value.optionID
            let count = seen[id, default: 0] + 1
            seen[id] = count
            let shown = value.displayRepresentation
            let isOwnTitle = shown.title.key != nil || shown.title.original != value.displayText
            return ParameterOption(
                id: count == 1 ? id : "\(id)#\(count)",
                title: isOwnTitle ? shown.title.text(in: locale) : value.displayText(in: locale),
                subtitle: shown.subtitle?.text(in: locale),
                value: JSON(value), synonyms: shown.synonyms.map { $0.text(in: locale) },
                section: section(index)?.text(in: locale),
                image: shown.image, comparison: shown.comparison)
        }
    }
}

extension PhaseAnswer {
    /// Returns the value that the person has chosen: the value whose wire form was returned, or the only value if the
    /// question was yes or no.
    func choice<Value: ParameterValue>(among values: [Value]) -> Value? {
        guard isAccepted else { return nil }
        guard let value else { return values.count == 1 ? values[0] : nil }
        return values.first { JSON($0) == value }
    }
}
