import IntentKit

extension MyMessageHandler {
    /// Finds the contact that a person names. A contact who was found or chosen before has an identifier and is not
    /// searched for again.
    ///
    /// - Parameter accept: Checks the contact and returns the result.
    func contact(
        _ person: Person, accept: (Contact) -> ResolutionResult<Person>
    ) async throws -> ResolutionResult<Person> {
        if let identifier = person.customIdentifier, let known = try await contacts.contact(withIdentifier: identifier)
        {
            return accept(known)
        }
        let name = person.displayName.prefix(60)
        let found = try await contacts.contacts(named: person.displayName)
        switch found.count {
        case 0: return .unsupported(reason: "noMatch", dialog: "I don't know anybody called \(name).")
        case 1: return accept(found[0])
        case 2...5:
            let favourites = found.filter(\.isFavourite)
            if favourites.count == 1 {
                return .confirmationRequired(favourites[0].person(person), dialog: "Do you mean \(favourites[0].name)?")
            }
            return .disambiguation(found.map { $0.person(person) }, dialog: "Which \(name) do you mean?")
        default: return .needsValue("There are \(found.count) people called \(name). What is the whole name?")
        }
    }

    /// Resolves a recipient: checks that the contact can get messages, and finds the handle.
    func recipient(_ person: Person, _ context: Context) async throws -> ResolutionResult<Person> {
        try await contact(person) { contact in
            if let obstacle = obstacle(contact, context) { return obstacle }
            if let handle = person.handle {
                if contact.handles.contains(where: { $0.value == handle }) { return .success(contact.person(person)) }
                return no(.requestedHandleInvalid, "\(contact.name) can't be reached at \(handle.prefix(60)).")
            }
            var handles = contact.handles
            if let label = person.handleLabel {
                handles.removeAll { TextFolding.fold($0.label) != TextFolding.fold(label) }
                if handles.isEmpty {
                    return no(.noHandleForLabel, "\(contact.name) has nothing under '\(label.prefix(60))'.")
                }
            }
            let people = handles.map { handle in
                contact.person(Person(displayName: contact.name, handle: handle.value, handleLabel: handle.label))
            }
            return people.count == 1
                ? .success(people[0]) : .disambiguation(people, dialog: "Where should \(contact.name) get it?")
        }
    }

    private func obstacle(_ contact: Contact, _ context: Context) -> ResolutionResult<Person>? {
        if contact.isHidden, context.principal?.isPerson != true {
            return no(.requiringInAppAuthentication, "Unlock the app to write to \(contact.name).")
        }
        if contact.handles.isEmpty { return no(.noValidHandle, "\(contact.name) has neither number nor address.") }
        switch contact.account {
        case .active, .full: return nil
        case .offline: return no(.offline, "\(contact.name) is offline.")
        case .messagesOff: return no(.messagingServiceNotEnabledForRecipient, "\(contact.name) doesn't take messages.")
        case .none: return no(.noAccount, "\(contact.name) has no account with us.")
        }
    }

    private func no(_ reason: SendMessageRecipientUnsupportedReason, _ dialog: String) -> ResolutionResult<Person> {
        .unsupported(reason: reason, dialog: LocalizedText("\(dialog) Who else should get it?"))
    }
}
