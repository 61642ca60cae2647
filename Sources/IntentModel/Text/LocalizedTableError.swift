/// What is wrong with a ``LocalizedTable``.
public struct LocalizedTableError: Error, Sendable, Hashable, CustomStringConvertible {
    public enum Code: String, Sendable, Hashable {
        /// It is not JSON of the form that a table has.
        case unreadable
        /// A translation does not have the same places for values as its key.
        case placesDiffer
        /// A String Catalog varies a text by number or device.
        case varies
    }

    public var code: Code
    public var message: String

    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    public var description: String { message }
}
