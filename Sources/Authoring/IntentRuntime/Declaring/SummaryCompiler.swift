import IntentKit

/// Compiles a ``SummaryDeclaration`` and its conditions.
struct SummaryCompiler {
    let parameters: [any DeclaredParameter]
    /// The names of all parameters, including the invalid ones.
    let declared: [String]

    func content(
        _ summary: SummaryDeclaration, _ path: [String], _ problems: inout [DeclarationProblem]
    ) -> ParameterSummaryContent {
        switch summary {
        case .text(let text):
            let original = pieces(text.original, path, &problems)
            var translations: [String: [ParameterSummaryPiece]] = [:]
            for (tag, template) in text.translations.sorted(by: { $0.key < $1.key }) {
                translations[tag] = pieces(template, path, &problems)
            }
            return .sentence(original, translations: translations)
        case .cases(let cases, let otherwise):
            var content = otherwise.map { self.content($0, path, &problems) }
            // From the last case to the first, because each case is the alternative of the case before it.
            for (index, each) in cases.enumerated().reversed() {
                let path = path + ["\(index)"]
                let then = self.content(each.summary, path + ["text"], &problems)
                guard let condition = condition(each.condition, path + ["when"], &problems) else { continue }
                content = .choice(
                    of: condition.keyPath, cases: [ParameterSummaryAlternative(condition.condition, then)],
                    otherwise: content)
            }
            return content ?? .sentence([])
        }
    }

    func condition(
        _ condition: DeclaredCondition, _ path: [String], _ problems: inout [DeclarationProblem]
    ) -> (keyPath: any AnyKeyPath & Sendable, condition: ParameterSummaryCondition)? {
        guard let parameter = parameter(condition.parameter, path, &problems) else { return nil }
        do {
            return (parameter.keyPath, try parameter.condition(condition))
        } catch {
            problems.append(DeclarationProblem(path + error.path, error.message))
            return nil
        }
    }

    private func pieces(_ template: String, _ path: [String], _ problems: inout [DeclarationProblem])
        -> [ParameterSummaryPiece]
    {
        switch SummaryDeclaration.pieces(of: template) {
        case .failure(let error):
            problems.append(DeclarationProblem(path, error.message))
            return []
        case .success(let pieces):
            return pieces.compactMap { piece in
                switch piece {
                case .text(let text): .text(LocalizedText(text))
                case .parameter(let name): parameter(name, path, &problems).map { .parameter($0.keyPath) }
                }
            }
        }
    }

    private func parameter(_ name: String, _ path: [String], _ problems: inout [DeclarationProblem]) -> (
        any DeclaredParameter
    )? {
        if let parameter = parameters.first(where: { $0.name == name }) { return parameter }
        // The problem of an invalid parameter is reported at the parameter's declaration.
        if !declared.contains(name) {
            let advice = Nearest.advice(for: name, among: declared)
            problems.append(DeclarationProblem(path, "there is no parameter '\(name)'\(advice)"))
        }
        return nil
    }
}
