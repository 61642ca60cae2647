package import IntentModel

extension JSON {
    /// Creates a value from a text that is known to be one JSON value.
    package init(unchecked text: String) { self.init(unchecked: Array(text.utf8)) }
}
