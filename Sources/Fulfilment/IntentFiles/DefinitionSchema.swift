public import IntentModel

/// The JSON Schema (2020-12) of definition files, for editors and other checkers.
///
/// The schema describes the structure. Problems that span several values, such as a range whose bounds are reversed,
/// are found only by the reader.
public enum DefinitionSchema {
    /// The file `intents.schema.json`, as text.
    public static var text: String { String(decoding: PackageResources.intents_schema_json, as: UTF8.self) }

    /// The schema as JSON.
    ///
    /// - Throws: `JSONError` if the embedded file is not JSON. A test rules that out.
    public static func json() throws(JSONError) -> JSON {
        try JSON(parsing: PackageResources.intents_schema_json, limits: .journal)
    }
}

/// The keys that the reader accepts in each kind of mapping of a definition file. The JSON Schema's `$defs` use the
/// same names.
public enum DefinitionKeys: String, Sendable, Hashable, CaseIterable {
    case file, entityCatalogue, entityValue
    case intent, action, signIn, parameter, input, size, defaultSource, typeForm, memoryForm, option
    case summaryCase, condition, comparison
    case policy, phasePolicy, retry, asks, askEnd, approval, escalation
    case items, choice
    case fulfilment, fulfilmentRetries, secret

    /// The keys that assign columns of a catalogue's file.
    static let columns = ["id", "name", "subtitle", "synonyms", "properties"]

    /// The keys in the recommended order.
    public var keys: [String] {
        switch self {
        case .file: ["version", "domain", "description", "enumerations", "entities", "fulfilment", "policy", "intents"]
        case .entityCatalogue: ["title", "values", "file", "separator"] + Self.columns
        case .entityValue: ["id", "title", "subtitle", "synonyms", "properties"]
        case .intent:
            [
                "title", "description", "parameters", "summary", "confirmation", "action", "authentication", "signIn",
                "effect",
                "continueInAppAtConfirm",
                "policy", "items", "opens", "fulfilment",
            ]
        case .signIn: ["url", "title"]
        case .action: ["accept", "deny", "destructive"]
        case .parameter:
            [
                "type", "title", "description", "required", "prompt", "disambiguationPrompt", "confirmationPrompt",
                "default", "range",
                "size", "options", "input", "sensitivity", "memory", "none", "resolve", "after",
            ]
        case .input: ["keyboard", "capitalization", "multiline", "autocorrect", "smartQuotes", "smartDashes"]
        case .size: ["atLeast", "atMost"]
        case .defaultSource: ["constant", "attribute"]
        case .typeForm: ["list", "set", "measurement"]
        case .memoryForm: ["session", "person"]
        case .option: ["id", "title", "subtitle", "synonyms"]
        case .summaryCase: ["when", "without", "otherwise", "text"]
        case .condition: ["when", "without"]
        case .comparison:
            [
                "equalTo", "notEqualTo", "lessThan", "lessThanOrEqualTo", "greaterThan", "greaterThanOrEqualTo",
                "oneOf", "noneOf",
            ]
        case .policy:
            [
                "resolve", "confirm", "handle", "answerTimeout", "reminders", "approval", "handoffTimeout",
                "inProgressTimeout", "cleanupTimeout", "asks",
            ]
        case .phasePolicy: ["timeout", "announceAfter", "retry"]
        case .retry: ["attempts", "firstDelay", "factor", "maximumDelay", "neverRetried"]
        case .asks: ["maximum", "noAnswer", "noMatch", "unsupported", "offersOptions", "finally"]
        case .askEnd: ["fail"]
        case .approval: ["approvers", "count", "includesRequester", "timeout", "reminders", "escalation"]
        case .escalation: ["after", "to"]
        case .items: ["choice"]
        case .choice: ["dialog", "remembers"]
        case .fulfilment:
            ["url", "phases", "timeout", "retries", "secret", "maximumResponseBytes", "redirects", "headers"]
        case .fulfilmentRetries: ["attempts", "firstDelay", "factor", "maximumDelay"]
        case .secret: ["env"]
        }
    }
}
