import IntentKit
import IntentRuntime

/// Reads an intent and checks it as a whole.
struct IntentReader {
    let types: [String: DeclaredType]
    /// The policy of the whole file.
    let policy: IntentPolicy
    let fulfilment: PartialFulfilment?
    let source: String

    func read(_ name: String, _ field: Field) -> FileIntent? {
        guard let members = field.members(.intent) else { return nil }
        var declaration = IntentDeclaration(name, title: members["title"]?.localized() ?? Words.title(of: name))
        declaration.source = source
        declaration.description = members["description"]?.localized()
        let reader = ParameterReader(types: types)
        let parameters = members["parameters"]?.entries("a mapping of parameters by their names") ?? []
        let read = parameters.compactMap { reader.read($0.name, $0.field) }
        declaration.parameters = read
        declaration.summary = members["summary"].flatMap { SummaryReader.read($0) }
        declaration.confirmation = members["confirmation"].flatMap { confirmation($0) } ?? .never
        if let value = members["action"].flatMap({ action($0) }) { declaration.confirmationActionName = value }
        if let value = members["authentication"]?.choice(of: IntentAuthenticationPolicy.self) {
            declaration.authenticationPolicy = value
        }
        if let value = members["signIn"].flatMap({ signIn($0) }) { declaration.signIn = value }
        if let value = members["continueInAppAtConfirm"]?.choice(of: ContinueInAppAtConfirm.self) {
            declaration.continueInAppAtConfirm = value
        }
        declaration.policy = members["policy"].map { PolicyReader.read($0, over: policy) } ?? policy
        if let effect = members["effect"]?.choice(of: IntentEffect.self) { declaration.policy.effect = effect }
        declaration.choice = members["items"].flatMap { choice($0) }
        declaration.opens = members["opens"]?.oneOrMore.compactMap { $0.text("the name of an intent") } ?? []

        var partial = fulfilment
        if let own = members["fulfilment"] {
            partial = FulfilmentReader.read(own, over: fulfilment ?? PartialFulfilment())
        }
        let fulfiller = partial.flatMap { FulfilmentReader.declaration($0) }
        declaration.phases = fulfiller?.phases ?? [.handle]
        if partial == nil {
            for (name, parameter) in parameters
            where declaration.parameters.contains(where: { $0.name == name && $0.isResolvedByFulfilment }) {
                parameter["resolve"]?.refuse("there is no fulfilment to ask: add 'fulfilment: {url: …}'")
            }
        }
        // Unreadable parameters were reported already, so problems that only follow from them are skipped.
        let unread = Set(parameters.map(\.name)).subtracting(read.map(\.name))
        for problem in declaration.problems where !unread.contains(where: { problem.message.contains("'\($0)'") }) {
            let path = problem.path
            field.findings.add(problem.message, at: field.node.mark(of: path, from: field.mark), field.path + path)
        }
        return FileIntent(declaration: declaration, fulfilment: fulfiller)
    }

    private func confirmation(_ field: Field) -> IntentDeclaration.Confirmation? {
        if field.isMapping {
            return field.members(.condition).flatMap { SummaryReader.condition($0, field) }.map { .when($0) }
        }
        return field.choice(["always", "never"]).map { $0 == "always" ? .always : .never }
    }

    private func action(_ field: Field) -> ConfirmationActionName? {
        guard field.isMapping else {
            let words = ConfirmationActionName.all.map(\.name)
            return field.choice(words).flatMap { word in ConfirmationActionName.all.first { $0.name == word } }
        }
        guard let members = field.members(.action) else { return nil }
        guard let accept = members["accept"]?.localized() else {
            field.refuse("an action needs 'accept', the label of the answer that does it")
            return nil
        }
        let destructive = members["destructive"]?.bool() ?? false
        guard let deny = members["deny"]?.localized() else {
            return .custom(acceptLabel: accept, destructive: destructive)
        }
        return .custom(acceptLabel: accept, denyLabel: deny, destructive: destructive)
    }

    /// Reads where a person signs in if `authentication` requires it.
    private func signIn(_ field: Field) -> SignIn? {
        guard let members = field.members(.signIn) else { return nil }
        let signIn = SignIn(
            url: members["url"]?.text("an absolute URL"), title: members["title"]?.text("what the person signs in to"))
        guard let violation = signIn.violation else { return signIn }
        field.refuse(violation.message)
        return nil
    }

    private func choice(_ field: Field) -> IntentDeclaration.Choice? {
        guard let choice = field.members(.items)?["choice"] else { return nil }
        guard let members = choice.members(.choice) else { return nil }
        var remembers: [String: String] = [:]
        for (key, member) in members["remembers"]?.entries("a mapping from session keys to members of the item's value")
            ?? []
        {
            if let text = member.text("the name of a member of the item's value") { remembers[key] = text }
        }
        return .init(dialog: members["dialog"]?.localized(), remembers: remembers)
    }
}
