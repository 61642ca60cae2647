import IntentKit

/// A parameter whose value is a list. Each value of the list is read, looked up and resolved separately.
struct ListBinding<Subject: Intent, Value: ParameterType>: KeyPathBinding {
    typealias Item = Value.Base.ListItem

    let name: String
    let keyPath: any WritableKeyPath<Subject, Parameter<Value>> & Sendable
    let definition: ParameterSpecification<Value.Base>
    let memoryKey: String?
    let rules: ValueRules<Item>
    let form: ListForm<Value.Base>

    init(
        _ name: String, of intent: String, _ keyPath: any WritableKeyPath<Subject, Parameter<Value>> & Sendable,
        _ definition: ParameterSpecification<Value.Base>, _ form: ListForm<Value.Base>
    ) {
        self.name = name
        self.keyPath = keyPath
        self.definition = definition
        self.form = form
        memoryKey = definition.memoryKey(intent: intent, parameter: name)
        rules = ValueRules(definition)
    }

    var isLookedUp: Bool { true }

    func decode(_ state: ParameterState, into intent: inout Subject) throws(IntentFailure) -> GivenParameter {
        var given = GivenParameter(origin: state.origin)
        guard let json = state.value, let items = try items(json, state.origin, state.elements) else { return given }
        given.json = json
        given.items = items
        return given
    }

    /// Reads a given list. A single value becomes a list of one. A text becomes the values between its commas and
    /// "and"s, unless the whole text is one of the type's known values.
    ///
    /// - Returns: `nil` for `null`.
    private func items(
        _ json: JSON, _ origin: ParameterState.Origin, _ origins: [ParameterState.Origin]?
    ) throws(IntentFailure) -> [GivenItem]? {
        let view = json.view
        switch view.kind {
        case .null: return nil
        case .array:
            let elements = view.elements
            let origins = origins?.count == elements.count ? origins : nil
            var items: [GivenItem] = []
            items.reserveCapacity(elements.count)
            for (index, element) in elements.enumerated() {
                if let item = try rules.item(element, origins?[index] ?? origin, field: "\(field)[\(index)]") {
                    items.append(item)
                }
            }
            return items
        case .string:
            var items: [GivenItem] = []
            if rules.known != nil, let value = rules.conversion.read(view) {
                return [GivenItem(json: json, origin: origin, value: value)]
            }
            for piece in ListText.split(view.string ?? "") {
                if let item = try rules.item(JSON.string(piece).view, origin, field: field) { items.append(item) }
            }
            return items
        default: return try rules.item(view, origin, field: field).map { [$0] }
        }
    }

    func lookUp(_ intent: inout Subject, _ given: inout GivenParameter, isResolving: Bool, _ context: Context)
        async throws
    {
        if given.items == nil {
            // A default is treated like a given value.
            for candidate in definition.default?.candidates(
                context, memoryKey: memoryKey, isOptional: !Value.isRequired) ?? []
            {
                var items: [GivenItem]
                switch candidate {
                case .value(let list):
                    items = form.items(list).map { GivenItem(json: JSON($0), origin: .given, value: $0) }
                case .json(let json): items = (try? self.items(json, .given, nil)).flatMap { $0 } ?? []
                }
                try await rules.lookUp(&items, field: field, context)
                let isReadable = items.allSatisfy { item in
                    (item.value as? Item).map { rules.range?.violation(by: $0) == nil } ?? false
                }
                if isReadable {
                    given.items = items
                    break
                }
            }
        } else {
            try await rules.lookUp(&given.items!, field: field, context)
        }
        guard let items = given.items else { return }
        let values = items.compactMap { $0.value as? Item }
        if values.count < items.count, !isResolving {
            if rules.entities != nil { throw entityNotFound() }
            given.text = items.first { $0.value == nil }?.text
        }
        intent[keyPath: keyPath].value = form.list(values)
    }

    func complete(_ intent: inout Subject, _ context: Context) -> Bool {
        intent[keyPath: keyPath].value != nil || !Value.isRequired
    }

    var isRestricted: Bool { rules.range != nil || definition.size?.bounds != nil }

    func violation(in intent: Subject) -> String? {
        guard let list = intent[keyPath: keyPath].value else { return nil }
        let items = form.items(list)
        if let size = definition.size?.bounds, !size.contains(items.count) {
            return items.count < size.lowerBound
                ? "has \(items.count) values and needs \(size.lowerBound)"
                : "has \(items.count) values and may have \(size.upperBound)"
        }
        guard let range = rules.range else { return nil }
        return items.lazy.compactMap { range.violation(by: $0) }.first.map {
            "has a value outside of its range (\($0))"
        }
    }

    func resolveImmediately(_ intent: inout Subject, given: GivenParameter, context: Context) throws
        -> ParameterResolution?
    {
        given.origin == .notRequired ? .notRequired : nil
    }
}
