extension JSONView {
    /// The name of a member that occurs twice in an object, at any depth; `nil` if there is none.
    package var repeatedName: String? {
        var names: Set<String> = []
        for (name, value) in members {
            if !names.insert(name).inserted { return name }
            if let repeated = value.repeatedName { return repeated }
        }
        for element in elements { if let repeated = element.repeatedName { return repeated } }
        return nil
    }
}
