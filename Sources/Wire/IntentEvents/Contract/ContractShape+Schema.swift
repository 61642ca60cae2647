import Conversation
import IntentModel

extension ContractShape {
    public var schema: ContractSchema {
        switch self {
        case .parameters:
            .values.with(["propertyNames": ContractSchema.name(EventBounds.parameter).json]).about(
                "Values by the names of the parameters.")
        case .provenance: ParameterState.Provenance.shapeSchema
        case .image:
            ContractSchema.object([
                .optional("systemName", .text, "A symbol that the person's side knows by this name."),
                .optional("named", .text, "A picture that comes with the app."),
                .optional("url", .text, "A picture at this address."),
            ]).withOne(of: ["systemName", "named", "url"])
        case .option: ShownOption.shapeSchema
        case .item: ParameterOption.shapeSchema
        case .declaration: Self.declarationSchema
        case .promptParameter: ListedParameter.shapeSchema
        case .shownParameter: PromptParameter.shapeSchema
        case .action: ConfirmationAction.shapeSchema
        case .snippet: Snippet.shapeSchema
        case .signIn: SignIn.shapeSchema
        case .activity: ShownActivity.shapeSchema
        case .interaction: Interaction.shapeSchema
        case .error: Rejection.shapeSchema
        case .elementResult: ElementResult.shapeSchema
        case .publishedParameter: Self.publishedSchema
        case .candidate: IntentCandidate.shapeSchema
        case .parameterState: ParameterState.shapeSchema
        case .phaseAnswer: PhaseAnswer.shapeSchema
        case .saidAnswer: SaidAnswer.shapeSchema
        case .principal: Principal.shapeSchema
        case .approval: Approval.shapeSchema
        case .approver: Approver.shapeSchema
        case .consent: Consent.shapeSchema
        case .resolution: ResolvedParameter.shapeSchema
        case .question: PhaseQuestion.shapeSchema
        case .failure: IntentFailure.shapeSchema
        case .confirmation: ConfirmationRequest.shapeSchema
        case .policy: IntentPolicy.shapeSchema
        case .phasePolicy: PhasePolicy.shapeSchema
        case .retryPolicy: RetryPolicy.shapeSchema
        case .askPolicy: AskPolicy.shapeSchema
        case .openedIntent: OpenedIntent.shapeSchema
        case .undoOffer: UndoOffer.shapeSchema
        }
    }

    /// The shapes that a schema refers to, directly or not.
    static func closure(of schema: ContractSchema) -> Set<ContractShape> {
        var found: Set<ContractShape> = []
        var open = [schema]
        while let schema = open.popLast() {
            for shape in schema.references where found.insert(shape).inserted {
                open.append(shape.schema)
            }
        }
        return found
    }

    private static let typeSchema = ContractSchema.object([
        .required("name", .text, "The type's name."), .optional("description", .text, "Such as 'a whole number'."),
        .required("schema", .values, "The JSON Schema of a value."),
    ])

    private static let rangeSchema = ContractSchema.object([
        .required("minimum", .any, "The least value."), .required("maximum", .any, "The greatest value."),
        .optional("text", .text, "The range in words."),
    ])

    private static let declarationSchema = ContractSchema.object([
        .required("type", typeSchema, "The type."),
        .required("required", .boolean, "false: the person may do without it."),
        .optional("description", .text, "What it is for."),
        .optional("range", rangeSchema, "The range of its values, or of a list's."),
        .optional(
            "size",
            .object([
                .required("minimum", .integer(from: 0), "At least so many."),
                .optional("maximum", .integer(from: 0), "At most so many."),
            ]), "The size of a list."),
        .required("sensitivity", .text, "public, private or secret."),
        .optional(
            "input",
            .object([
                .required("keyboardType", .text, "The keyboard."),
                .required("capitalizationType", .text, "What is written in capitals."),
                .required("multiline", .boolean, "Whether it has several lines."),
                .required("autocorrect", .boolean, "Whether words are corrected."),
                .required("smartQuotes", .boolean, "Whether quotes are replaced."),
                .required("smartDashes", .boolean, "Whether dashes are replaced."),
            ]), "How a text is typed, with App Intents' names."),
    ])

    private static let publishedSchema = ContractSchema.object([
        .required("name", .text, "Its name."), .optional("title", .text, "Its name for people."),
        .optional("description", .text, "What it is for."), .optional("type", typeSchema, "The type."),
        .optional("required", .boolean, "Whether the person is asked for it."),
        .optional(
            "default",
            .object([
                .optional("value", .any, "The value, if it is known."), .optional("text", .text, "The value in words."),
            ]),
            "What it is without a value."), .optional("range", rangeSchema, "The range of its values, or of a list's."),
        .optional(
            "options",
            .object([
                .optional("provider", .text, "What supplies them when it is resolved."),
                .optional("known", .list(of: .shape(.option)), "All of them."),
            ]), "What there is to choose from."),
        .optional("prompts", .map(of: .text), "The questions to the person, by purpose."),
        .optional(
            "memory",
            .object([
                .required("key", .text, "The key."),
                .optional(
                    "scope", .cases(MemoryScope.self),
                    "Whether the session remembers it, or it is remembered for the person."),
            ]), "Under what it is remembered, if it is."),
    ])
}
