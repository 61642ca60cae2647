import IntentKit

/// Past calls: the missed calls of the sample, and the calls that the sample has made, which are stored.
public struct CallHistory: Sendable {
    private let store: SampleStore
    let missed: [CallRecord]
    private static let (calls, last) = ("calls", "last-calls")

    /// - Parameter hasMissedCalls: `true` if the sample's missed calls are included.
    public init(store: SampleStore, hasMissedCalls: Bool = true) {
        self.store = store
        missed = hasMissedCalls ? Self.sample : []
    }

    func call(_ id: String) throws -> CallRecord? {
        if let call = missed.first(where: { $0.id == id }) { return call }
        return try store.read(id, in: Self.calls)
    }

    /// The last call that a caller made.
    func lastCall(of caller: String) throws -> CallRecord? {
        guard let id: String = try store.read(caller, in: Self.last) else { return nil }
        return try call(id)
    }

    /// Stores a call under its idempotency key. Storing it again changes nothing.
    func save(_ people: [Person], _ capability: CallCapability, by caller: String, key: Identifier) throws -> CallRecord
    {
        let parties = people.map { person in
            CallRecord.Party(name: person.displayName, number: person.handle ?? "", identifier: person.customIdentifier)
        }
        let call = CallRecord(id: "out-\(key)", kind: .outgoing, parties: parties, capability: capability)
        try store.write(call, call.id, in: Self.calls)
        try store.write(call.id, caller, in: Self.last)
        return call
    }

    private static let sample = [
        CallRecord(
            id: "in-1", kind: .missed,
            parties: [.init(name: "Ines Falk", number: "+35320910005", identifier: "c4/mobile")],
            capability: .videoCall),
        CallRecord(
            id: "in-2", kind: .missed,
            parties: [.init(name: "John Marsh", number: "+35320910004", identifier: "c3/work")],
            capability: .audioCall),
        CallRecord(id: "in-3", kind: .missed, parties: [], capability: .audioCall),
    ]
}
