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
