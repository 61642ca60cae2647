import IntentKit

/// The contacts of the sample's person. Contacts are found by name, or by the identifier in a `Person`.
public struct PhoneBook: Sendable {
    let contacts: [PhoneContact]
    private let searched: @Sendable (String) -> Void

    /// - Parameter searched: Called with the name at each search.
    init(contacts: [PhoneContact], searched: @escaping @Sendable (String) -> Void = { _ in }) {
        self.contacts = contacts
        self.searched = searched
    }

    /// Returns a copy of the phone book that calls the function with the name at each search.
    public func observingSearches(_ searched: @escaping @Sendable (String) -> Void) -> PhoneBook {
        PhoneBook(contacts: contacts, searched: searched)
    }

    /// The contact of a person that was resolved earlier.
    func contact(of person: Person) -> PhoneContact? {
        guard let id = person.customIdentifier?.split(separator: "/").first else { return nil }
        return contacts.first { $0.id == id }
    }

    /// The contacts whose name, relationship or alias contains all words of the given name.
    func contacts(named name: String) -> [PhoneContact] {
        searched(name)
        let words = Self.words(name)
        guard !words.isEmpty else { return [] }
        return contacts.filter { contact in
            let names = [contact.name, contact.relationship ?? ""] + contact.aliases
            return names.contains { words.isSubset(of: Self.words($0)) }
        }
    }

    /// The contact as a parameter's value, with one of the contact's numbers. The identifier includes the number's
    /// label, so that later rounds know the chosen number.
    func person(_ contact: PhoneContact, at index: Int) -> Person {
        let (label, number) = contact.numbers[index]
        return Person(
            displayName: contact.name, handle: number, handleLabel: label, customIdentifier: "\(contact.id)/\(label)",
            relationship: contact.relationship, aliases: contact.aliases)
    }

    private static func words(_ name: String) -> Set<Substring> {
        Set(name.lowercased().split { !$0.isLetter && !$0.isNumber }).subtracting(["my"])
    }
}

/// A contact in the phone book.
public struct PhoneContact: Sendable {
    let id: String
    let name: String
    var aliases: [String] = []
    var relationship: String?
    /// Telephone numbers by label, the usual one first.
    let numbers: [(label: String, number: String)]
    /// `true` if the contact is called without confirmation.
    var isFavourite = false
    var hasVideo = false
    /// `true` if the contact is hidden while the phone is locked.
    var isHidden = false
}

extension PhoneBook {
    /// Invented people, with numbers from the ranges that are reserved for fiction.
    public static let sample = PhoneBook(contacts: [
        PhoneContact(
            id: "c1", name: "Mary Quill", relationship: "mother",
            numbers: [("home", "+35320910001"), ("mobile", "+35320910002")],
            isFavourite: true, hasVideo: true),
        PhoneContact(
            id: "c2", name: "John Reed", numbers: [("mobile", "+35320910003")], isFavourite: true, hasVideo: true),
        PhoneContact(id: "c3", name: "John Marsh", numbers: [("work", "+35320910004")]),
        PhoneContact(
            id: "c4", name: "Ines Falk", aliases: ["Nessie"], numbers: [("mobile", "+35320910005")], hasVideo: true),
        PhoneContact(
            id: "c5", name: "Dr. Amber Stone", aliases: ["the dentist"], numbers: [("work", "+35320910006")],
            isHidden: true),
        PhoneContact(id: "c6", name: "Weather Line", numbers: [("other", "+353155091000")]),
    ])

    /// The prefix of numbers that cost extra. The app has to show the cost before it calls.
    static let premiumPrefix = "+35315"

    static let emergency = "112"
}
