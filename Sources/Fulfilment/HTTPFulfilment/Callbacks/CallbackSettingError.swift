/// A setting of the callback server that can't be used, such as a file without keys.
public struct CallbackSettingError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A description of the problem and how to fix it, without keys.
    public var message: String

    public init(_ message: String) { self.message = message }

    public var description: String { message }
}
