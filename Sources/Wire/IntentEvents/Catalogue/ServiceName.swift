import IntentModel

/// The name of a service: a program, in any number of processes, that serves intents in consumer groups of its own.
public enum ServiceName {
    /// How the default service is called where a name is needed. Its work and its groups have none.
    public static let ofDefault = "default"

    /// Whether a text can be the name of a service: 1 to 64 lower-case letters, digits and hyphens.
    public static func isName(_ text: String) -> Bool {
        1...64 ~= text.utf8.count
            && text.utf8.allSatisfy {
                UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0
                    || $0 == UInt8(ascii: "-")
            }
    }

    /// The same as a regular expression.
    static let pattern = "^[a-z0-9-]{1,64}$"

    /// A consumer group of workers.
    ///
    /// - Parameter role: such as `resolver`.
    public static func group(_ role: String, of service: String?, topics: Topics) -> String {
        service.map { "\(topics.prefix).\($0).\(role)" } ?? "\(topics.prefix).\(role)"
    }
}
