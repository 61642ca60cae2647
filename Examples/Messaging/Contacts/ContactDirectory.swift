/// Finds contacts. The sample's entity queries get a directory by `@Dependency`. A directory in production queries a
/// server.
public protocol ContactDirectory: Sendable {
    /// All contacts with a matching name. Slower than ``contact(withIdentifier:)``.
    func contacts(named name: String) async throws -> [Contact]
    /// The contact with this identifier; `nil` if it no longer exists.
    func contact(withIdentifier identifier: String) async throws -> Contact?
    func groups() async throws -> [MessageGroup]
}

/// A directory in memory.
public struct AddressBook: ContactDirectory {
    private let all: [Contact]
    private let allGroups: [MessageGroup]

    public init(_ contacts: [Contact], groups: [MessageGroup] = []) { (all, allGroups) = (contacts, groups) }

    public func contacts(named name: String) -> [Contact] { all.filter { $0.isCalled(name) } }
    public func contact(withIdentifier identifier: String) -> Contact? { all.first { $0.identifier == identifier } }
    public func groups() -> [MessageGroup] { allGroups }
}

extension AddressBook {
    /// Invented people. There are two Johns, one of them a favourite, and two Annas who are not.
    public static let sample = AddressBook(
        [
            Contact("c-adler", "John Adler", isFavourite: true),
            Contact("c-brandt", "John Brandt"),
            Contact("c-costa", "Anna Costa"),
            Contact("c-dunne", "Anna Dunne"),
            Contact(
                "c-ekman", "Mia Ekman", nicknames: ["Mum"],
                handles: [.init("home", "+353 1 555 0111"), .init("work", "mia@example.com")]),
            Contact("c-fox", "Ben Fox", account: .none),
            Contact("c-grau", "Lea Grau", account: .offline),
            Contact("c-hill", "Tom Hill", account: .messagesOff),
            Contact("c-ito", "Ken Ito", handles: []),
            Contact("c-jung", "Eva Jung", isHidden: true),
            Contact("c-kern", "Noa Kern", account: .full),
        ],
        groups: [
            MessageGroup(id: "g-climb", name: "Climbing club", members: ["c-adler", "c-costa"]),
            MessageGroup(id: "g-choir", name: "Choir", members: ["c-brandt", "c-dunne", "c-ekman"]),
        ])
}
