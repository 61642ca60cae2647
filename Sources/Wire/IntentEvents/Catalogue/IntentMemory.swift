import Conversation
import IntentModel

/// What is remembered about an intent's parameters beyond the session, as its service has published it.
public struct IntentMemory: Sendable, Hashable {
    /// The keys under which parameters are remembered for the person, by the parameters' names.
    public private(set) var personKeys: [String: String] = [:]

    /// Reads the member `memory` of each of its `parameters`.
    public init(_ intent: PublishedIntent) {
        for parameter in intent.details["parameters"]?.view.elements ?? [] {
            guard let name = parameter["name"]?.string else { continue }
            guard let memory = parameter["memory"], memory["scope"]?.string == MemoryScope.person.rawValue,
                let key = memory["key"]?.string, RememberedValue.isKey(key)
            else { continue }
            personKeys[name] = key
        }
    }
}
