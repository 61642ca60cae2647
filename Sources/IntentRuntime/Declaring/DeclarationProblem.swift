import IntentKit

/// Something wrong with an ``IntentDeclaration``, and what to do about it.
public struct DeclarationProblem: Error, Sendable, Hashable, CustomStringConvertible {
    /// Where, below the intent, by the names that definition files use: `["parameters", "seats", "range"]`. Numbers count entries from 0.
    public var path: [String]
    public var message: String

    public init(_ path: [String], _ message: String) {
        self.path = path
        self.message = message
    }

    public var description: String { path.isEmpty ? message : "\(path.joined(separator: ".")): \(message)" }
}
