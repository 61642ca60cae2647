import IntentKit

/// A compiled ``IntentDeclaration``. Serving it needs no further lookups.
struct CompiledDeclaration: Sendable {
    let declaration: IntentDeclaration
    let bindings: [any AnyParameterBinding<DeclaredIntent>]
    let summary: CompiledSummary<DeclaredIntent>
    let confirmation: IntentConfirmationPolicy<DeclaredIntent>
    let handler: DeclaredHandler

    /// - Parameter problems: The problems of the declaration are appended here.
    /// - Returns: `nil` if there are any problems.
    init?(_ declaration: IntentDeclaration, problems: inout [DeclarationProblem]) {
        var found: [DeclarationProblem] = []
        Self.check(declaration, &found)
        var parameters: [any DeclaredParameter] = []
        for (index, each) in declaration.parameters.enumerated() {
            var own: [DeclarationProblem] = []
            if let parameter = each.compile(at: index, problems: &own) { parameters.append(parameter) }
            for problem in own {
                found.append(DeclarationProblem(["parameters", each.name] + problem.path, problem.message))
            }
        }
        let known = parameters
        let reader = SummaryCompiler(parameters: known, declared: declaration.parameters.map(\.name))
        let content = declaration.summary.map { reader.content($0, ["summary"], &found) }
        let (name, title) = (declaration.name, declaration.title)
        let bindings = parameters.map { $0.binding(of: name) }
        let condition = Self.condition(declaration, reader, &found)
        problems += found
        if !found.isEmpty { return nil }
        do {
            summary = try CompiledSummary(
                content ?? IntentParameterSummary<DeclaredIntent>(title).content, DeclaredIntent(), bindings, of: name,
                titled: title,
                table: LocalizedTable(merging: []))
        } catch {
            problems.append(DeclarationProblem(["summary"], error.message))
            return nil
        }
        self.declaration = declaration
        self.bindings = bindings
        switch declaration.confirmation {
        case .always: confirmation = .always
        case .never: confirmation = .never
        case .when(let declared):
            let binding = bindings.first { $0.name == declared.parameter }
            confirmation = .onlyIf { intent in condition?.holds(for: binding?.value(in: intent)) ?? true }
        }
        handler = DeclaredHandler(declaration, bindings, summary, parameters)
    }

    private static func condition(
        _ declaration: IntentDeclaration, _ reader: SummaryCompiler, _ problems: inout [DeclarationProblem]
    ) -> ParameterSummaryCondition? {
        guard case .when(let condition) = declaration.confirmation else { return nil }
        return reader.condition(condition, ["confirmation"], &problems)?.condition
    }

    // MARK: Problems of the whole declaration

    private static let maximumParameters = 100
    private static let maximumOpens = 100

    private static func check(_ declaration: IntentDeclaration, _ problems: inout [DeclarationProblem]) {
        if !ParameterDeclaration.isName(declaration.name, allowing: "_-.") {
            let rule = "an intent's name is a letter, and up to 79 letters, digits, '_', '-' and '.'"
            problems.append(DeclarationProblem([], "'\(declaration.name.prefix(100))' can't be its name: \(rule)"))
        }
        if declaration.parameters.count > maximumParameters {
            let count = "\(declaration.parameters.count) parameters; \(maximumParameters) are allowed"
            problems.append(DeclarationProblem(["parameters"], "there are \(count)"))
        }
        var names: Set<String> = []
        for parameter in declaration.parameters {
            if !ParameterDeclaration.isName(parameter.name) {
                let rule = "a parameter's name is a letter, and up to 79 letters, digits and '_'"
                problems.append(DeclarationProblem(["parameters", parameter.name], "this can't be its name: \(rule)"))
            }
            if !names.insert(parameter.name).inserted {
                problems.append(DeclarationProblem(["parameters", parameter.name], "there are two of this name"))
            }
        }
        if !declaration.phases.isSubset(of: [.confirm, .handle]) {
            let advice = "say 'resolve: fulfilment' at the parameters that it is to decide about"
            problems.append(
                DeclarationProblem(["fulfilment", "phases"], "resolve is not asked for as a whole: \(advice)"))
        }
        if let problem = declaration.policy.problem {
            problems.append(DeclarationProblem(["policy"], "this \(problem)"))
        }
        checkOrder(declaration, &problems)
        if declaration.opens.count > maximumOpens {
            problems.append(
                DeclarationProblem(
                    ["opens"], "there are \(declaration.opens.count) intents; \(maximumOpens) are allowed"))
        }
        for opened in declaration.opens where !ParameterDeclaration.isName(opened, allowing: "_-.") {
            problems.append(DeclarationProblem(["opens"], "'\(opened.prefix(100))' is not the name of an intent"))
        }
        for (key, member) in declaration.choice?.remembers ?? [:] where key.isEmpty || member.isEmpty {
            problems.append(
                DeclarationProblem(["items", "choice", "remembers"], "neither a key nor a member can be empty"))
        }
    }

    private static func checkOrder(_ declaration: IntentDeclaration, _ problems: inout [DeclarationProblem]) {
        let names = declaration.parameters.map(\.name)
        var isSound = true
        for parameter in declaration.parameters {
            let path = ["parameters", parameter.name, "after"]
            if !parameter.after.isEmpty, !parameter.isResolvedByFulfilment {
                problems.append(
                    DeclarationProblem(
                        path, "this counts only for what the fulfilment resolves: add 'resolve: fulfilment'"))
            }
            for other in parameter.after where !names.contains(other) || other == parameter.name {
                isSound = false
                let advice = Nearest.advice(for: other, among: names.filter { $0 != parameter.name })
                let message =
                    other == parameter.name ? "it can't wait for itself" : "there is no parameter '\(other)'\(advice)"
                problems.append(DeclarationProblem(path, message))
            }
        }
        guard isSound, Set(names).count == names.count else { return }
        let dependencies = declaration.parameters.map { $0.after.compactMap { names.firstIndex(of: $0) } }
        do { _ = try ResolutionRound(dependencies, names: names) } catch {
            let waiting = declaration.parameters.filter { !$0.after.isEmpty }.map { "'\($0.name)'" }.joined(
                separator: ", ")
            problems.append(DeclarationProblem(["parameters"], "\(waiting) wait for each other: look at their 'after'"))
        }
    }
}

extension IntentDeclaration {
    /// The problems of the declaration; empty if a registry accepts it.
    public var problems: [DeclarationProblem] {
        var problems: [DeclarationProblem] = []
        _ = CompiledDeclaration(self, problems: &problems)
        return problems
    }
}
