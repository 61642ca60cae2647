import IntentKit

/// One parameter of one intent type, with its name. A parameter can be read, resolved and written without knowledge of
/// its value's type.
protocol AnyParameterBinding<Subject>: AnyObject, Sendable {
    associatedtype Subject: Intent
    var name: String { get }
    var identity: ObjectIdentifier { get }
    var facts: ParameterFacts { get }
    /// The problem of the declaration, as the rest of a sentence after "it"; `nil` if the declaration is valid.
    var declarationProblem: String? { get }
    /// `true` if ``lookUp(_:_:isResolving:_:)`` has something to do.
    var isLookedUp: Bool { get }
    /// Words for "none in particular", folded; empty if a value is required.
    var noneWords: Set<String> { get }
    /// Tells how words fit the parameter, without a query.
    func fit(of words: String, _ speech: SpeechContext, _ reader: (any SpokenValueReading)?) -> WordsFit
    /// The names of the values that a query or a provider offers, folded; empty without one, for a secret, and if it
    /// fails.
    func optionNames(in locale: String?) async -> Set<String>
    /// `true` if a rule of a handler can be about this parameter.
    func accepts(_ step: any ResolutionStep<Subject>) -> Bool

    /// Decodes the JSON value into the intent, if the type alone can convert it.
    ///
    /// - Parameter isResolving: `true` if the parameter is resolved next.
    /// - Throws: A rejection if this kind of JSON is never a value of the type.
    func decode(_ state: ParameterState, into intent: inout Subject, isResolving: Bool) throws(IntentFailure) -> Given
    /// Applies converters, and finds the entities that are named by their identifiers. Every phase does this first.
    ///
    /// - Parameter isResolving: `true` if the parameter is resolved next. The person then learns which entities can't
    ///   be found.
    /// - Throws: A failure if an entity that existed when the parameter was resolved no longer exists.
    func lookUp(_ intent: inout Subject, _ given: inout Given, isResolving: Bool, _ context: Context) async throws
    /// Fills in the default. Returns `false` if the parameter is required and still has no value.
    func complete(_ intent: inout Subject, _ context: Context) -> Bool
    /// The rule of the declaration that the value in the intent breaks, as "is …" or "has …"; `nil` if the declaration
    /// allows the value. Rules that only code can check, such as a provider's options, are not included.
    func violation(in intent: Subject) -> String?
    /// Removes the value from an intent that continues without it. A constant default replaces a required value.
    ///
    /// - Returns: `true` if the parameter is complete.
    func omitValue(in intent: inout Subject) -> Bool
    /// The source of a value that was not given.
    func source(of value: JSON, _ context: Context) -> ParameterState.Provenance.Source
    /// Removes the value from the intent.
    func clear(_ intent: inout Subject)
    /// The question for the person; `nil` if the declaration has none.
    func prompt(_ kind: ParameterPrompts.Kind, in locale: String?) -> String?
    /// Resolves a parameter without a ``Resolve`` by its declaration: the first half of
    /// ``resolve(_:given:step:context:)``.
    ///
    /// - Returns: `nil` if a provider, a query or a reader has to be asked first.
    func resolveImmediately(_ intent: inout Subject, given: Given, context: Context) throws(IntentFailure)
        -> BindingResolution?
    /// Resolves the parameter and stores the result in the intent.
    func resolve(
        _ intent: inout Subject, given: Given, step: (any ResolutionStep<Subject>)?, context: Context
    ) async throws -> BindingResolution
    /// The options to offer after a plain question did not help; empty if there are none.
    ///
    /// - Parameter ofElement: `true` if the question is about one value of a list.
    func alternatives(ofElement: Bool, _ context: Context) async throws -> [ParameterOption]
    /// `true` if there may be other values than those of ``alternatives(ofElement:_:)``.
    var hasOtherValues: Bool { get }
    /// `true` if the values are places, which people name in sentences.
    var isPlace: Bool { get }
    var isList: Bool { get }

    func value(in intent: Subject) -> (any ParameterValue)?
    /// The value for other processes; `nil` for a secret.
    func json(in intent: Subject) -> JSON?
    /// The value in words; `nil` if there is no value or it is secret.
    func text(in intent: Subject, locale: String?) -> String?
    /// A list in words whose values are not all resolved: each open value is in brackets, in the person's words.
    ///
    /// - Parameter element: The first open value.
    /// - Returns: `nil` if the values are secret, or the parameter is not a list.
    func text(in intent: Subject, openAt element: ListElement, locale: String?) -> String?
    /// The values that the parameter may have, for a prompt: the type with a JSON Schema, the range, and the input
    /// options.
    ///
    /// - Parameter ofElement: `true` if the prompt is about one value of a list.
    func declaration(ofElement: Bool, in locale: String?) -> JSON
    /// The parameter for the catalog.
    func describe(in locale: String?) -> ParameterCatalogEntry
}

extension AnyParameterBinding {
    func title(in locale: String?) -> String { facts.title.text(in: locale) }

    /// The question whether the person means the value in the intent; `nil` for a secret without a question of its own.
    func confirmationDialog(in intent: Subject, locale: String?) -> String? {
        prompt(.confirmation, in: locale)
            ?? text(in: intent, locale: locale).map {
                BuiltInText.confirmValue(title(in: locale), $0).text(in: locale)
            }
    }
}

/// The properties of a parameter that don't depend on the type of its intent or of its value, because types cost more to
/// look up.
struct ParameterFacts: Sendable {
    let title: LocalizedText
    /// `true` if only workers may see the value.
    let isSecret: Bool
    /// The key under which the value is remembered.
    let memoryKey: String?
    /// The scope in which the value is remembered.
    let memoryScope: MemoryScope
    /// `true` if a value in its range that the type has read needs no further resolution.
    let isResolvedByType: Bool
}
