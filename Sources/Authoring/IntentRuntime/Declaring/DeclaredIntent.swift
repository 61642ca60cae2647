import IntentKit

/// An intent of an ``IntentDeclaration``: the values of its parameters, by their positions in the declaration.
///
/// A key path to a slot corresponds to `\.$seats` of an intent in Swift, so all code that uses key paths works for
/// both.
struct DeclaredIntent: Intent {
    private var values: [(any ParameterValue)?] = []

    static let title: LocalizedText = "A declared intent"

    init() {}

    subscript<Value: ParameterType>(slot slot: DeclaredSlot<Value>) -> Parameter<Value> {
        get {
            let value = slot.index < values.count ? values[slot.index] as? Value.Base : nil
            return Parameter(slot.definition, value)
        }
        set {
            if slot.index >= values.count {
                if newValue.value == nil { return }
                values += Array(repeating: nil, count: slot.index + 1 - values.count)
            }
            values[slot.index] = newValue.value
        }
    }
}

/// The position of a parameter in a ``DeclaredIntent``.
struct DeclaredSlot<Value: ParameterType>: Sendable, Hashable {
    let index: Int
    let definition: ParameterSpecification<Value.Base>

    static func == (a: DeclaredSlot, b: DeclaredSlot) -> Bool { a.index == b.index && a.definition === b.definition }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(definition)) }
}
