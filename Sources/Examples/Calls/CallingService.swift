/// What connects calls. In the sample it is either there or not.
public struct CallingService: Sendable {
    public let isAvailable: Bool

    public init(isAvailable: Bool = true) { self.isAvailable = isAvailable }
}
