public import IntentModel

/// JSON as Swift literals, so that a case of a test fits on its line.
///
/// ```swift
/// let states: [ParameterState] = .resolved(["plant": "fern", "liters": 1.5, "times": ["08:00", "20:00"]])
/// #expect(response.values["watered"] == true)
/// ```
///
/// A string literal is a JSON string: it is not parsed. For `null`, use ``JSON/null``. A literal without a type from
/// its context is still a `String`, an `Int`, an array or a dictionary of Swift.
extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    public init(stringLiteral value: String) { self = .string(value) }
    public init(integerLiteral value: Int) { self = .number(value) }
    public init(floatLiteral value: Double) { self = .number(value) }
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    public init(arrayLiteral elements: JSON...) { self = .array(elements) }
    public init(dictionaryLiteral members: (String, JSON)...) { self.init(members) }

    /// Creates an object with these members, in order.
    package init(_ members: [(String, JSON)]) {
        self = .make { writer in
            writer.beginObject()
            for (name, value) in members { writer.member(named: name, value) }
            writer.endObject()
        }
    }
}
