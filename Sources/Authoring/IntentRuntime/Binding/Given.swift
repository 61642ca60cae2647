import IntentKit

/// A value of a parameter before the parameter is resolved: the value itself, or one value of a list.
struct Given {
    /// The origin of the value; `nil` if the invocation does not mention the parameter.
    var origin: ParameterState.Origin?
    /// The given value; `nil` if it was `null`.
    var json: JSON?
    var reading = Reading.open
    /// `true` if the person said in words that they want no particular value.
    var isNone = false
    /// The answer in words that this value is, with its question; `nil` for other values.
    @Boxed var said: SaidAnswer? = nil
    /// The likelihood that the value is what the person means, according to the request.
    var confidence: Double?

    enum Reading {
        /// Nothing is given, or a converter or a query has yet to read the value.
        case open
        /// The type alone has read the value, which is in the intent.
        case stored(ParameterReading)
        /// A converter or a query has found the value, or it is one of a list's.
        case value(any ParameterValue)
        /// The type can't convert the given text.
        case text(String)
        /// A converter rejects a readable value.
        case refused(UnsupportedValue, text: String)
        /// The values of a list.
        case items([Given])
    }

    /// The given text, if it was not converted.
    var text: String? {
        switch reading {
        case .text(let text), .refused(_, let text): text
        case .open, .stored, .value, .items: nil
        }
    }

    /// Adds the question that this value, or an element of it, answers.
    mutating func add(_ answer: SaidAnswer) {
        guard origin == .given else { return }
        if case .items(var items) = reading {
            guard let element = answer.element, items.indices.contains(element) else { return }
            items[element].said = answer
            reading = .items(items)
        } else if answer.element == nil {
            said = answer
        }
    }

    var value: (any ParameterValue)? { if case .value(let value) = reading { value } else { nil } }
    var isRefused: Bool { if case .refused = reading { true } else { false } }
    /// `true` if the person, an earlier phase or an entity's default names a value.
    var isNamed: Bool { if case .value = reading { true } else { json != nil } }
}

/// The result of resolving a parameter.
struct BindingResolution {
    var resolution: ParameterResolution
    var element: ListElement?
    /// The text to read where the dialog is said aloud, if the person is asked.
    var supportingDialog: String?
    /// The interpretation of the person's words, and the likelihood that it is what the person means.
    var reading: (interpreted: JSON, confidence: Double)?

    init(_ resolution: ParameterResolution, _ element: ListElement? = nil, supporting: String? = nil) {
        self.resolution = resolution
        self.element = element
        supportingDialog = supporting
    }
}

extension ParameterResolution {
    /// `true` if nothing is left to ask about.
    var isResolved: Bool {
        switch self {
        case .success, .notRequired: true
        case .needsValue, .disambiguation, .confirmationRequired, .unsupported: false
        }
    }

    /// `true` if the person has to name a value without options.
    var isOpenQuestion: Bool {
        switch self {
        case .needsValue, .unsupported: true
        case .success, .notRequired, .disambiguation, .confirmationRequired: false
        }
    }
}
