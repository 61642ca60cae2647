import IntentKit

/// The contacts, and what a person who was named has to do with them.
public struct PhoneBook: Sendable {
    let contacts: [Contact]
    private let searched: @Sendable (String) -> Void

    /// - Parameter searched: Called with each name that is looked for.
    init(contacts: [Contact], searched: @escaping @Sendable (String) -> Void = { _ in }) {
        self.contacts = contacts
        self.searched = searched
    }

    /// The same contacts, with somebody who notes what is looked for.
    public func noting(_ searched: @escaping @Sendable (String) -> Void) -> PhoneBook {
        PhoneBook(contacts: contacts, searched: searched)
    }

    /// The contact of a person that was resolved before.
    func contact(of person: Person) -> Contact? {
        guard let id = person.customIdentifier?.split(separator: "/").first else { return nil }
        return contacts.first { $0.id == id }
    }

    /// Everybody who goes by that name, in part or in whole.
    func contacts(named name: String) -> [Contact] {
        searched(name)
        let words = Self.words(name)
        guard !words.isEmpty else { return [] }
        return contacts.filter { contact in
            let names = [contact.name, contact.relationship ?? ""] + contact.aliases
            return names.contains { words.isSubset(of: Self.words($0)) }
        }
    }

    /// The contact as a parameter's value, with one of its numbers. The identifier says which, so that a chosen one stays chosen.
    func person(_ contact: Contact, at index: Int) -> Person {
        let (label, number) = contact.numbers[index]
        return Person(
            displayName: contact.name, handle: number, handleLabel: label, customIdentifier: "\(contact.id)/\(label)",
            relationship: contact.relationship, aliases: contact.aliases)
    }

    private static func words(_ name: String) -> Set<Substring> {
        Set(name.lowercased().split { !$0.isLetter && !$0.isNumber }).subtracting(["my"])
    }
}
