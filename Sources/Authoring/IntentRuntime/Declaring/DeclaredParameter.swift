import IntentKit

/// A type-erased, compiled parameter of a declaration.
protocol DeclaredParameter: Sendable {
    var name: String { get }
    var keyPath: any AnyKeyPath & Sendable { get }
    var identity: ObjectIdentifier { get }
    func binding(of intent: String) -> any AnyParameterBinding<DeclaredIntent>
    /// Compiles a condition on the parameter.
    ///
    /// - Throws: A problem if the parameter's values don't support the comparison.
    func condition(_ declaration: DeclaredCondition) throws(DeclarationProblem) -> ParameterSummaryCondition
    /// The step in which the fulfilment resolves the parameter.
    func step(
        after others: [ObjectIdentifier], _ ask: @escaping FulfilmentStep<DeclaredIntent>.Ask
    ) -> any ResolutionStep<DeclaredIntent>
}

struct TypedDeclaredParameter<Value: ParameterType>: DeclaredParameter {
    typealias Base = Value.Base

    let name: String
    let path: any WritableKeyPath<DeclaredIntent, Parameter<Value>> & Sendable
    let definition: ParameterSpecification<Base>
    /// Reads the values in the declaration.
    let reader: DeclaredValueReader<Base>

    init(_ name: String, at index: Int, _ definition: ParameterSpecification<Base>, _ reader: DeclaredValueReader<Base>)
    {
        self.name = name
        self.definition = definition
        self.reader = reader
        path = \DeclaredIntent[slot: DeclaredSlot<Value>(index: index, definition: definition)]
    }

    var keyPath: any AnyKeyPath & Sendable { path }
    var identity: ObjectIdentifier { ObjectIdentifier(definition) }

    func binding(of intent: String) -> any AnyParameterBinding<DeclaredIntent> {
        ParameterBinding<DeclaredIntent, Parameter<Value>>(
            name, of: intent, { [path] in $1(&$0[keyPath: path]) }, definition)
    }

    func step(
        after others: [ObjectIdentifier], _ ask: @escaping FulfilmentStep<DeclaredIntent>.Ask
    ) -> any ResolutionStep<DeclaredIntent> { FulfilmentStep(parameter: identity, after: others, ask: ask) }

    func condition(_ declaration: DeclaredCondition) throws(DeclarationProblem) -> ParameterSummaryCondition {
        let (comparison, operands) = (declaration.comparison, declaration.operands)
        switch comparison {
        case .hasAnyValue: return ParameterSummaryCondition(.hasAnyValue)
        case .hasNoValue: return ParameterSummaryCondition(.hasNoValue)
        case .equalTo, .notEqualTo, .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo:
            if operands.count != 1 { throw DeclarationProblem([], "'\(comparison.rawValue)' compares with one value") }
        case .oneOf, .noneOf:
            if operands.isEmpty { throw DeclarationProblem([], "'\(comparison.rawValue)' needs at least one value") }
        }
        var values: [Base] = []
        for operand in operands {
            guard let value = reader.value(operand.view) else {
                throw DeclarationProblem([], "\(operand.excerpt) is not \(reader.typeDescription)")
            }
            values.append(value)
        }
        switch comparison {
        case .equalTo, .notEqualTo, .oneOf, .noneOf, .hasAnyValue, .hasNoValue:
            return ParameterSummaryCondition(comparison, among: values)
        case .lessThan: return try ordered(.lessThan, values[0])
        case .lessThanOrEqualTo: return try ordered(.lessThanOrEqualTo, values[0])
        case .greaterThan: return try ordered(.greaterThan, values[0])
        case .greaterThanOrEqualTo: return try ordered(.greaterThanOrEqualTo, values[0])
        }
    }

    private func ordered(_ order: ParameterSummaryOrder, _ value: Base) throws(DeclarationProblem)
        -> ParameterSummaryCondition
    {
        func condition(_ value: some ParameterValue & Comparable) -> ParameterSummaryCondition {
            ParameterSummaryCondition(order, value)
        }
        guard let value = value as? any (ParameterValue & Comparable) else {
            throw DeclarationProblem([], "'\(name)' has no order, so it can't be \(order.comparison.rawValue) anything")
        }
        return condition(value)
    }
}

/// Reads values in a declaration.
struct DeclaredValueReader<Value: ParameterValue>: Sendable {
    let typeDescription: String
    private let read: @Sendable (JSONView) -> Value?

    init(_ typeDescription: String, _ read: @escaping @Sendable (JSONView) -> Value?) {
        self.typeDescription = typeDescription
        self.read = read
    }

    func value(_ json: JSONView) -> Value? { read(json) }
}

extension JSON {
    /// The value as messages quote it.
    var excerpt: String {
        let text = view.string.map { "'\($0)'" } ?? description
        return text.count > 60 ? text.prefix(60) + "…" : text
    }
}
