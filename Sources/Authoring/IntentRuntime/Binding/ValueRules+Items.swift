import IntentKit

// Reads values one by one: the values of a list, and entities.
extension ValueRules {
    /// Reads one given value, if the type itself can convert it.
    ///
    /// - Parameter field: The path of the value in the request, for messages.
    /// - Returns: `nil` for `null`.
    /// - Throws: A rejection if this kind of JSON is never a value of the type.
    func item(_ view: JSONView, _ origin: ParameterState.Origin, field: String) throws(IntentFailure) -> GivenItem? {
        var item = GivenItem(json: view.json, origin: origin)
        if view.isNull { return nil }
        // Values for the parameter's own converters are converted later.
        if origin == .given, !conversion.isImmediate { return item }
        switch view.kind {
        case .null: return nil
        case .string where entities != nil: item.text = view.string
        case .string:
            if let value = conversion.read(view) { item.value = value } else { item.text = view.string }
        case .number where entities != nil: item.text = view.json.description
        case .object where entities != nil && (view["id"] != nil || (view["where"] != nil && entities?.filter != nil)):
            break
        case let kind:
            guard entities == nil else { throw wrongKind(kind, field) }
            if let value = conversion.read(view) {
                item.value = value
            } else if kind == Item.jsonKind {
                item.text = view.json.description
            } else {
                throw wrongKind(kind, field)
            }
        }
        return item
    }

    func wrongKind(_ kind: JSONView.Kind, _ field: String) -> IntentFailure {
        let message = "\(field) has to be \(typeDescription), not JSON of kind \(kind.rawValue)"
        return IntentFailure(.reject, reason: .invalid, message: message, field: field)
    }

    /// Applies the parameter's own converters, and the type's asynchronous converters, to the given value.
    func convert(_ item: inout GivenItem, field: String, _ context: Context) async throws {
        guard item.origin == .given, item.value == nil, !conversion.isImmediate else { return }
        let view = item.json.view
        switch try await conversion.convert(view, context: context) {
        case .value(let value): item.value = value
        case .notSupported(let reason, let dialog):
            item.refusal = UnsupportedValue(reason: reason, dialog: dialog)
            item.text = view.string ?? view.json.description
        case .noConversion:
            if entities == nil, view.kind != .string, view.kind != Item.jsonKind { throw wrongKind(view.kind, field) }
            if entities == nil || view.kind != .object { item.text = view.string ?? view.json.description }
        }
    }

    /// Converts the remaining values, and finds all entities with given identifiers in one query.
    func lookUp(_ items: inout [GivenItem], field: String, _ context: Context) async throws {
        if !conversion.isImmediate {
            for index in items.indices { try await convert(&items[index], field: field, context) }
        }
        guard let entities else { return }
        let ids = items.map { $0.value == nil && $0.refusal == nil ? identifier(of: $0) : nil }
        let wanted = ids.compactMap(\.self)
        if wanted.isEmpty { return }
        let found = try await entities.find(wanted)
        for index in items.indices {
            if let id = ids[index], let entity = found[id] { items[index].value = entity }
        }
    }

    /// Searches for an entity that was not named by its identifier.
    ///
    /// - Returns: Several entities if the value is ambiguous; the pipeline then asks the person.
    func search(_ item: GivenItem, field: String, _ locale: String?) async throws -> [Item] {
        guard let entities else { return [] }
        if let text = item.text { return try await entities.search(text, locale) }
        let view = item.json.view
        guard view["id"] == nil, let filter = entities.filter else { return [] }
        return try await filter(view, field)
    }

    /// Applies all rules except a `Resolve` to one value.
    func narrow(_ item: GivenItem, options: [Item]?, field: String, _ locale: String?) async throws -> Narrowed {
        if let refusal = item.refusal {
            return .answer(.unsupported(reason: refusal.reason, dialog: refusal.dialog.map { LocalizedText($0) }))
        }
        if let value = item.value as? Item { return narrow(value, nil, options: options, locale) }
        guard entities != nil else { return narrow(nil, item.text ?? "", options: options, locale) }
        if let options, let text = item.text { return narrow(nil, text, options: options, locale) }
        let found = try await search(item, field: field, locale)
        switch found.count {
        case 0:
            let dialog = item.text.map { noMatch($0, locale) } ?? notFound(item.json.view["title"]?.string, locale)
            return .answer(.unsupported(reason: "noMatch", dialog: dialog))
        case 1: return narrow(found[0], nil, options: options, locale)
        default: return .answer(.disambiguation(found))
        }
    }

    private func identifier(of item: GivenItem) -> String? {
        if let text = item.text { return text }
        guard let id = item.json.view["id"] else { return nil }
        return id.string ?? id.json.description
    }
}
