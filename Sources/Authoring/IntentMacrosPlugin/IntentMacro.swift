#if Macros
    import SwiftDiagnostics
    import SwiftSyntax
    import SwiftSyntaxBuilder
    import SwiftSyntaxMacros

    /// The expansion of `@Intent`.
    struct IntentMacro: MemberMacro, ExtensionMacro {
        static func expansion(
            of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
            conformingTo protocols: [TypeSyntax],
            in context: some MacroExpansionContext
        ) throws -> [DeclSyntax] {
            guard let intent = declaration.as(StructDeclSyntax.self) else {
                context.diagnose(Diagnostic(node: node, message: IntentMacroMessage.notAStruct))
                return []
            }
            let access =
                intent.modifiers.first { ["public", "package"].contains($0.name.text) }.map { "\($0.name.text) " } ?? ""
            let members = intent.memberBlock.members.map(\.decl)
            var written: [DeclSyntax] = []
            if !members.contains(where: declaresParameters) {
                let names = members.compactMap(parameterName).map { "\\.$\($0)" }.joined(separator: ", ")
                written.append("\(raw: access)static let parameters = Parameters<Self>(\(raw: names))")
            }
            if !members.contains(where: declaresInit) { written.append("\(raw: access)init() {}") }
            return written
        }

        static func expansion(
            of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
            providingExtensionsOf type: some TypeSyntaxProtocol,
            conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
        ) throws -> [ExtensionDeclSyntax] {
            // Without protocols the type already conforms, perhaps as an AppIntent.
            if protocols.isEmpty || !declaration.is(StructDeclSyntax.self) { return [] }
            return [try ExtensionDeclSyntax("extension \(type.trimmed): Intent {}")]
        }

        /// Returns the name of a variable that is a `@Parameter`; `nil` for other members.
        private static func parameterName(_ member: DeclSyntax) -> String? {
            guard let variable = member.as(VariableDeclSyntax.self), variable.attributes.contains(where: isParameter)
            else { return nil }
            return variable.bindings.first?.pattern.as(IdentifierPatternSyntax.self)?.identifier.text
        }

        private static func isParameter(_ attribute: AttributeListSyntax.Element) -> Bool {
            guard case .attribute(let attribute) = attribute else { return false }
            let name = attribute.attributeName
            return name.as(IdentifierTypeSyntax.self)?.name.text == "Parameter"
                || name.as(MemberTypeSyntax.self)?.name.text == "Parameter"
        }

        private static func declaresParameters(_ member: DeclSyntax) -> Bool {
            guard let variable = member.as(VariableDeclSyntax.self),
                variable.modifiers.contains(where: { $0.name.text == "static" })
            else {
                return false
            }
            return variable.bindings.contains {
                $0.pattern.as(IdentifierPatternSyntax.self)?.identifier.text == "parameters"
            }
        }

        private static func declaresInit(_ member: DeclSyntax) -> Bool {
            member.as(InitializerDeclSyntax.self)?.signature.parameterClause.parameters.isEmpty ?? false
        }
    }

    enum IntentMacroMessage: String, DiagnosticMessage {
        case notAStruct = "@Intent is for a struct: intents are values"

        var message: String { rawValue }
        var diagnosticID: MessageID { MessageID(domain: "IntentMacros", id: "\(self)") }
        var severity: DiagnosticSeverity { .error }
    }
#endif
