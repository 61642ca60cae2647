/// A setting of the callback server that can't be used, such as a file without keys.
public struct CallbackSettingError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong and how to fix it. Contains no keys.
    public var message: String

    public init(_ message: String) { self.message = message }

    public var description: String { message }
}
