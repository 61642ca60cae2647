/// What a ``ValueConverter`` throws for a value that it understands but that can't be had, as opposed to one that it can't make anything of.
///
/// The parameter is resolved as `unsupported` with this reason; the person is told and asked for another value.
public struct UnsupportedValue: Error, Sendable, Hashable, CustomStringConvertible {
    /// One of SiriKit's words where there is one, such as `belowMinimum`.
    public var reason: String
    /// What the person is told; unless given, the coordinator words it.
    public var dialog: String?

    public init(reason: String, dialog: String? = nil) {
        self.reason = reason
        self.dialog = dialog
    }

    public var description: String { dialog ?? "the value is not supported: \(reason)" }
}
