extension PhoneBook {
    /// Invented people with numbers from the blocks that are set aside for fiction.
    public static let sample = PhoneBook(contacts: [
        Contact(
            id: "c1", name: "Mary Quill", relationship: "mother", numbers: [("home", "+35320910001"), ("mobile", "+35320910002")],
            isFavourite: true, hasVideo: true),
        Contact(id: "c2", name: "John Reed", numbers: [("mobile", "+35320910003")], isFavourite: true, hasVideo: true),
        Contact(id: "c3", name: "John Marsh", numbers: [("work", "+35320910004")]),
        Contact(id: "c4", name: "Ines Falk", aliases: ["Nessie"], numbers: [("mobile", "+35320910005")], hasVideo: true),
        Contact(id: "c5", name: "Dr. Amber Stone", aliases: ["the dentist"], numbers: [("work", "+35320910006")], isHidden: true),
        Contact(id: "c6", name: "Weather Line", numbers: [("other", "+353155091000")]),
    ])

    /// Numbers that begin so cost extra, and the app has to say how much.
    static let premiumPrefix = "+35315"

    static let emergency = "112"
}
