/// A person who can be paid or asked for money, as the payment service knows them.
public struct Payee: Sendable, Hashable {
    public var identifier: String
    public var name: String
    public var isFavourite: Bool
    /// A mail address or phone number; `nil` if the payee has none that can be paid to.
    public var handle: String?
    public var hasAccount: Bool
    /// `true` if the service has verified the payee's identity.
    public var isVerified: Bool

    public init(
        _ identifier: String, _ name: String, isFavourite: Bool = false, handle: String? = "+353 1 555 0100",
        hasAccount: Bool = true,
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
