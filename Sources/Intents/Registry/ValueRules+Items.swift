// Reading values one by one: those of a list, and entities.
extension ValueRules {
    /// What came for one value, as far as the type itself can make something of it.
    ///
    /// - Parameter field: Where it stands in the request, for messages.
    /// - Returns: `nil` for `null`.
    /// - Throws: A rejection if this kind of JSON is never a value of the type.
    func item(_ view: JSONView, _ origin: ParameterState.Origin, field: String) throws(IntentFailure) -> GivenItem? {
        var item = GivenItem(json: view.json, origin: origin)
        switch view.kind {
        case .null: return nil
        case .string where entities != nil: item.text = view.string
        case .string:
            let text = view.string ?? ""
            if let value = Item(text: text) { item.value = value } else { item.text = text }
        case .number where entities != nil: item.text = view.json.description
        case .object where entities != nil && (view["id"] != nil || (view["where"] != nil && entities?.filter != nil)): break
        case Item.jsonKind where entities == nil:
            if let value = Item(json: view) { item.value = value } else { item.text = view.json.description }
        case let kind:
            let message = "\(field) has to be \(Item.typeDescription), not JSON of kind \(kind.rawValue)"
            throw IntentFailure(.reject, reason: .invalid, message: message, field: field)
        }
        return item
    }

    /// Asks the query once for all entities that are named by their identifiers.
    func lookUp(_ items: inout [GivenItem]) async throws {
        guard let entities else { return }
        let ids = items.map { $0.value == nil ? identifier(of: $0) : nil }
        let wanted = ids.compactMap(\.self)
        if wanted.isEmpty { return }
        let found = try await entities.find(wanted)
        for index in items.indices {
            if let id = ids[index], let entity = found[id] { items[index].value = entity }
        }
    }

    /// Searches for an entity that was not named by its identifier.
    ///
    /// - Returns: Several if several may be meant; the pipeline asks which.
    func search(_ item: GivenItem, field: String, _ locale: String?) async throws -> [Item] {
        guard let entities else { return [] }
        if let text = item.text { return try await entities.search(text, locale) }
        let view = item.json.view
        guard view["id"] == nil, let filter = entities.filter else { return [] }
        return try await filter(view, field)
    }

    /// Applies everything but a `Resolve` to one value.
    func narrow(_ item: GivenItem, options: [Item]?, field: String, _ locale: String?) async throws -> Narrowed {
        if let value = item.value as? Item { return narrow(value, nil, options: options, locale) }
        guard entities != nil else { return narrow(nil, item.text ?? "", options: options, locale) }
        if let options, let text = item.text { return narrow(nil, text, options: options, locale) }
        let found = try await search(item, field: field, locale)
        switch found.count {
        case 0:
            let title = title.text(in: locale)
            let dialog =
                item.text.map { ResolutionWording.noMatch(isSecret ? nil : $0, title: title) }
                ?? ResolutionWording.gone(isSecret ? nil : item.json.view["title"]?.string, title: title)
            return .answer(.unsupported(reason: "noMatch", dialog: dialog))
        case 1: return narrow(found[0], nil, options: options, locale)
        default: return .answer(.disambiguation(Array(found.prefix(Self.mostOptions))))
        }
    }

    private func identifier(of item: GivenItem) -> String? {
        if let text = item.text { return text }
        guard let id = item.json.view["id"] else { return nil }
        return id.string ?? id.json.description
    }

    /// A search that finds more than this says nothing, and more would not fit into an event.
    private static var mostOptions: Int { 20 }
}
