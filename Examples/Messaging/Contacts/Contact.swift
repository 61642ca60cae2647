import IntentKit

/// A contact in the address book, as the messaging service knows them.
public struct Contact: Sendable, Hashable {
    /// The state of a contact's account with the service.
    public enum Account: Sendable, Hashable {
        case active, offline
        /// The contact's inbox is full, which the service notices only when a message is sent.
        case full
        /// The contact has an account but has turned messages off.
        case messagesOff
        /// The contact has no account.
        case none
    }

    /// A number or address with its label, such as "mobile" or "work".
    public struct Handle: Sendable, Hashable {
        public var label: String
        public var value: String

        public init(_ label: String, _ value: String) { (self.label, self.value) = (label, value) }
    }

    public var identifier: String
    public var name: String
    /// Other names of the contact, such as "Mum".
    public var nicknames: [String]
    public var isFavourite: Bool
    public var account: Account
    public var handles: [Handle]
    /// `true` if only an authenticated person can write to the contact.
    public var isHidden: Bool

    public init(
        _ identifier: String, _ name: String, nicknames: [String] = [], isFavourite: Bool = false,
        account: Account = .active,
        handles: [Handle] = [Handle("mobile", "+353 1 555 0100")], isHidden: Bool = false
    ) {
        self.identifier = identifier
        self.name = name
        self.nicknames = nicknames
        self.isFavourite = isFavourite
        self.account = account
        self.handles = handles
        self.isHidden = isHidden
    }

    /// The contact as a parameter's value. The value has the contact's identifier, so the next round needs no search.
    ///
    /// - Parameter said: The value that the person gave, whose handle and label the result has.
    func person(_ said: Person) -> Person {
        Person(
            displayName: name, handle: said.handle, handleLabel: said.handleLabel, customIdentifier: identifier,
            aliases: nicknames)
    }

    /// `true` if the words are the name or a nickname, or are all parts of the name.
    func isCalled(_ words: String) -> Bool {
        let wanted = TextFolding.fold(words)
        if ([name] + nicknames).contains(where: { TextFolding.fold($0) == wanted }) { return true }
        let parts = wanted.split(separator: " ")
        return !parts.isEmpty && Set(parts).isSubset(of: TextFolding.fold(name).split(separator: " "))
    }
}
