import IntentModel

extension JSONView {
    /// A member that is an id or a name, and has to be there.
    func text(_ name: String) throws(EventError) -> String {
        let text = self[name]?.string
        if let problem = MemberRule<String>.name.problem(text, name) { throw .invalid(problem, name) }
        return text ?? ""
    }

    /// A member that is an id or a name, if it is there and not `null`.
    func optionalText(_ name: String) throws(EventError) -> String? {
        guard let view = self[name], !view.isNull else { return nil }
        if let problem = MemberRule<String>.perhapsName.problem(view.string, name) { throw .invalid(problem, name) }
        return view.string
    }
}
