import Conversation
import IntentModel

// The shapes that people and apps see.
extension ContractShape {
    var shownSchema: ContractSchema {
        switch self {
        case .parameters:
            .values.with(["propertyNames": ContractSchema.name(EventBounds.parameter).json]).about(
                "Values by the names of the parameters.")
        case .provenance:
            .object([
                .optional(
                    "source", .cases(ParameterState.Provenance.Source.self),
                    """
                    Where a value comes from that the person did not give. default: the declaration. attribute: of the request. \
                    resolver: its own choice. proposed: by confirm or handle, and accepted.
                    """),
                .optional(
                    "intent", .text, "With a value that is remembered for the person: the intent that it was said for."),
                .optional("time", .time, "With such a value: when it was said."),
                .optional("original", .any, "The words as the person said them."),
                .optional("interpreted", .any, "What the words were read as, if the resolver replaced that."),
                .optional(
                    "confidence", .number(EventBounds.confidence), "How likely the value is what the person means."),
            ])
        case .image:
            ContractSchema.object([
                .optional("systemName", .text, "A symbol that the person's side knows by this name."),
                .optional("named", .text, "A picture that comes with the app."),
                .optional("url", .text, "A picture at this address."),
            ]).withOne(of: ["systemName", "named", "url"])
        case .option: .object(Self.optionMembers)
        case .item: .object(Self.optionMembers + [.required("value", .any, "The value if this one is chosen.")])
        case .declaration: Self.declarationSchema
        case .promptParameter:
            .object([
                .required("parameter", .text, "Its name."), .optional("title", .text, "Its name for people."),
                .optional("text", .text, "The value in words."), .optional("value", .any, "The value."),
                .optional(
                    "source", .cases(ParameterState.Provenance.Source.self),
                    "Where the value comes from, if the person did not give it."),
                .optional("reason", .text, "Why it has a value that is remembered, in words."),
                .optional("missing", .flag, "It will be asked for. The answer to this prompt may give it already."),
                .optional("declaration", .shape(.declaration), "What values it may have, if it is missing."),
                .optional("options", .list(of: .shape(.option)), "The first options, if it is missing and has some."),
                .optional("optionsOmitted", .flag, "There are more values than the options."),
            ])
        case .shownParameter:
            .object([
                .required("parameter", .text, "Its name."), .optional("title", .text, "Its name for people."),
                .optional("text", .text, "The value in words."),
            ])
        case .action:
            .object([
                .required("name", .text, "A word for programs, such as book, or custom."),
                .required("accept", .text, "The label of a yes."),
                .optional("acceptAlternatives", .texts, "Other words for it."),
                .required("deny", .text, "The label of a no."),
                .optional("denyAlternatives", .texts, "Other words for it."),
                .optional("destructive", .flag, "It removes something: set it apart."),
            ])
        case .snippet:
            .object([
                .required("title", .text, "The title of the card."), .optional("subtitle", .text, "A line below it."),
                .optional("image", .shape(.image), "A picture."),
                .optional(
                    "lines",
                    .list(
                        of: .object([.required("title", .text, "What it is."), .required("text", .text, "The text.")]),
                        0...Snippet.maximumLines), "The lines of the card."),
            ])
        case .signIn:
            .object([
                .optional("url", .text(1...SignIn.maximumURLBytes), "Where the person signs in: an absolute URL."),
                .optional("code", .text(SignIn.codeBytes), "The code that the person enters there."),
                .optional("title", .text(SignIn.titleBytes), "What they sign in to."),
                .optional(
                    "validFor", .milliseconds, "For how many milliseconds url and code are good. Only from workers."),
                .optional(
                    "requires", .cases(SignIn.Requirement.self),
                    """
                    What the answer itself has to say. person: who they are, by its authtype and authid. localDevice: also the value \
                    localDevice.
                    """),
            ])
        case .activity: .object(Self.activityMembers)
        case .interaction:
            .object([
                .required("intent", .text, "The intent."),
                .required("parameters", .shape(.parameters), "Its resolved values."),
                .required("code", .text, "The code of its response."),
                .optional("response", .values, "The values of its response, by name."),
            ])
        case .error: .object(Self.errorMembers)
        case .elementResult:
            .object([
                .optional("id", .text, "The element's id, if it has one."),
                .required("title", .text, "The element in words."),
                .required("code", .text, "success, or a failure."), .optional("dialog", .text, "Why, for the person."),
            ])
        case .publishedParameter: Self.publishedSchema
        default: .any
        }
    }

    private static let optionMembers: [ContractMember] = [
        .required("id", .text, "The id by which an answer names it; unique among the options."),
        .required("title", .text, "Its name for people."),
        .optional("subtitle", .text, "A line below it."), .optional("synonyms", .texts, "Other names for it."),
        .optional("section", .text, "The title of the section that it is in."),
        .optional("image", .shape(.image), "A picture."),
    ]

    static let errorMembers: [ContractMember] = [
        .required("reason", .cases(RejectionReason.self), "Why."),
        .required("message", .text, "What is wrong and what to do."),
        .optional("field", .text, "The field that it is about."),
    ]

    private static let activityMembers: [ContractMember] = [
        .required("activityType", .text(0...UserActivity.maximumTextLength), "Reverse-DNS by convention."),
        .optional("title", .text(0...UserActivity.maximumTextLength), "The title for people."),
        .optional(
            "userInfo", .values, "What the app needs, at most \(UserActivity.maximumUserInfoBytes) bytes of JSON."),
        .optional("webpageURL", .text, "Where to go on without the app."),
        .optional("requiredUserInfoKeys", .texts, "The keys of userInfo that are needed to continue later."),
        .optional("expirationDate", .time, "When it expires."),
        .optional(
            "persistentIdentifier", .text(0...UserActivity.maximumTextLength),
            "A newer activity with the same one replaces it."),
        .optional(
            "keywords", .list(of: .text(0...UserActivity.maximumTextLength), 0...UserActivity.maximumKeywords),
            "Search terms for the person."),
        .optional("interaction", .shape(.interaction), "The intent that it comes from. Only in results."),
    ]

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
