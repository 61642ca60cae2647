/// The three phases of an intent, in SiriKit's order.
public enum Phase: String, Sendable, Hashable, CaseIterable {
    case resolve, confirm, handle
}
