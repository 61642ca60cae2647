/// A person whom money can go to or come from, as the payment service knows them.
public struct Payee: Sendable, Hashable {
    public var identifier: String
    public var name: String
    public var isFavourite: Bool
    /// A mail address or phone number; `nil` if they have none that can be paid to.
    public var handle: String?
    public var hasAccount: Bool
    /// The service has verified their identity.
    public var isVerified: Bool

    public init(
        _ identifier: String, _ name: String, isFavourite: Bool = false, handle: String? = "+353 1 555 0100", hasAccount: Bool = true,
        isVerified: Bool = true
    ) {
        self.identifier = identifier
        self.name = name
        self.isFavourite = isFavourite
        self.handle = handle
        self.hasAccount = hasAccount
        self.isVerified = isVerified
    }
}
