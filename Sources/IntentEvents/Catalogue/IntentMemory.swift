public import Conversation
import IntentModel

/// What is remembered about an intent's parameters beyond the session, as its service has published it.
public struct IntentMemory: Sendable, Hashable {
    /// The names of its parameters.
    public private(set) var parameters: Set<String> = []
    /// The keys under which parameters are remembered for the person, by the parameters' names.
    public private(set) var personKeys: [String: String] = [:]

    /// Reads the member `memory` of each of its `parameters`.
    public init(_ intent: PublishedIntent) {
        for parameter in intent.details["parameters"]?.view.elements ?? [] {
            guard let name = parameter["name"]?.string else { continue }
            parameters.insert(name)
            guard let memory = parameter["memory"], memory["scope"]?.string == MemoryScope.person.rawValue,
                let key = memory["key"]?.string, RememberedValue.isKey(key)
            else { continue }
            personKeys[name] = key
        }
    }

    /// Why a donation can't be remembered: a parameter that the intent does not have, or none that is remembered for a person.
    public func refusal(of donation: Donation) -> Rejection? {
        let intent = donation.intent.prefix(128)
        if let unknown = donation.parameters.first(where: { !parameters.contains($0.name) })?.name {
            let near = NearNames.of(unknown, in: parameters)
            let advice = near.isEmpty ? "'intents catalog show \(intent)' lists them" : "did you mean \(near.joined(separator: ", "))?"
            return Rejection(
                .invalid, "'\(intent)' has no parameter '\(unknown.prefix(64))'; \(advice)", field: "parameters.\(unknown.prefix(64))")
        }
        if donation.parameters.contains(where: { personKeys[$0.name] != nil }) { return nil }
        let names = personKeys.keys.sorted()
        let what = names.isEmpty ? "nothing" : "only \(names.joined(separator: ", "))"
        return Rejection(.unsupported, "'\(intent)' remembers \(what) about a person", field: "parameters")
    }
}
