import IntentKit

extension PhoneBook {
    /// Resolves one person to call.
    ///
    /// - Parameter isUnlocked: `true` if hidden contacts may be named.
    func resolve(_ person: Person, isUnlocked: Bool) -> ResolutionResult<Person> {
        if let known = contact(of: person) { return number(of: known, for: person) }
        if let number = person.handle ?? Self.number(in: person.displayName) { return dial(number, person) }
        var found = contacts(named: person.displayName)
        if found.count == 1, found[0].isHidden, !isUnlocked {
            return .unsupported(reason: StartCallContactUnsupportedReason.requiringInAppAuthentication)
        }
        found.removeAll { $0.isHidden && !isUnlocked }
        switch found.count {
        case 0: return .unsupported(reason: StartCallContactUnsupportedReason.noContactFound)
        case 1: return number(of: found[0], for: person)
        default:
            // The next question asks for the number, if the chosen contact has several.
            return .disambiguation(
                found.map { contact in
                    var person = Person(
                        displayName: contact.name, handleLabel: person.handleLabel, customIdentifier: contact.id)
                    if contact.numbers.count == 1 { person.handle = contact.numbers[0].number }
                    return person
                })
        }
    }

    private func number(of contact: PhoneContact, for person: Person) -> ResolutionResult<Person> {
        let known = person.customIdentifier?.split(separator: "/").dropFirst().first.map(String.init)
        let label = person.handleLabel ?? known
        if contact.numbers.count == 1, label == nil { return .success(self.person(contact, at: 0)) }
        guard let label else {
            let all = contact.numbers.indices.map { self.person(contact, at: $0) }
            return .disambiguation(all, dialog: "Which number of \(contact.name)?")
        }
        guard let index = contact.numbers.firstIndex(where: { $0.label == label.lowercased() }) else {
            return .unsupported(reason: StartCallContactUnsupportedReason.noHandleForLabel)
        }
        return .success(self.person(contact, at: index))
    }

    private func dial(_ number: String, _ person: Person) -> ResolutionResult<Person> {
        if number.contains(where: { $0 == "*" || $0 == "#" }) {
            return .unsupported(reason: StartCallContactUnsupportedReason.unsupportedMmiUssd)
        }
        guard let digits = Self.number(in: number), (3...16).contains(digits.count) else {
            return .unsupported(reason: StartCallContactUnsupportedReason.invalidHandle)
        }
        // If the number is in the book, use its contact.
        for contact in contacts {
            if let index = contact.numbers.firstIndex(where: { $0.number == digits }) {
                return .success(self.person(contact, at: index))
            }
        }
        return .success(Person(displayName: person.displayName, handle: digits))
    }

    /// The number in a text without spaces and punctuation; `nil` if the text is not a number.
    private static func number(in text: String) -> String? {
        let characters = text.filter { !" -()/.".contains($0) }
        let isNumber = characters.contains { $0.isNumber } && characters.allSatisfy { "0123456789+*#".contains($0) }
        return isNumber ? characters : nil
    }
}
