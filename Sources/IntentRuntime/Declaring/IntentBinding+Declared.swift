import IntentKit

extension IntentBinding where Subject == DeclaredIntent {
    convenience init(_ compiled: CompiledDeclaration) {
        let declaration = compiled.declaration
        self.init(
            name: declaration.name, title: declaration.title, description: declaration.description, prototype: DeclaredIntent(),
            bindings: compiled.bindings, confirmation: compiled.confirmation, summary: compiled.summary, policy: declaration.policy,
            authenticationPolicy: declaration.authenticationPolicy, continueInAppAtConfirm: declaration.continueInAppAtConfirm)
    }
}
