import IntentKit

/// What is known of a parameter before it is resolved, beside the value that is decoded into the intent.
struct GivenParameter {
    /// `nil` if the invocation does not mention it.
    var origin: ParameterState.Origin?
    /// What came, unless that was `null`.
    var json: JSON?
    /// The text that came, if the type can't make a value of it.
    var text: String?
    /// What a resolver says against it, though it is understood.
    var refusal: UnsupportedValue?
    /// What came, value by value, for lists and for entities.
    var items: [GivenItem]?
}

/// One value of a list as it came, or an entity.
struct GivenItem {
    var json: JSON
    var origin: ParameterState.Origin
    /// What the type makes of it, or what an entity's query has found.
    var value: (any ParameterValue)?
    /// The words, if the type can't make a value of them.
    var text: String?
    /// What a resolver says against it, though it is understood.
    var refusal: UnsupportedValue?
}

/// What became of a parameter.
struct BindingResolution {
    var resolution: ParameterResolution
    var element: ListElement?

    init(_ resolution: ParameterResolution, _ element: ListElement? = nil) {
        self.resolution = resolution
        self.element = element
    }
}
