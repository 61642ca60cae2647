extension JSONView {
    /// The name of a member that an object has twice, at whatever depth; `nil` if each has a name of its own.
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
