import IntentKit

extension PaymentTariff {
    /// Resolves an amount: checks its currency and its bounds.
    func resolve<Reason: CurrencyAmountUnsupportedReason>(
        _ amount: CurrencyAmount?, _ reason: Reason.Type
    ) -> ResolutionResult<CurrencyAmount> {
        guard let amount else { return .needsValue() }
        switch verdict(on: amount) {
        case .payable: return .success(amount)
        case .currencyUnsupported(let served):
            let served = served.joined(separator: " and ")
            return .unsupported(
                reason: Reason.paymentsCurrencyUnsupported,
                dialog: "\(amount) can't be paid: there are only accounts in \(served). How much should it be?")
        case .below(let least):
            return .unsupported(
                reason: Reason.paymentsAmountBelowMinimum, dialog: "The least is \(least). How much should it be?")
        case .above(let most):
            return .unsupported(
                reason: Reason.paymentsAmountAboveMaximum, dialog: "The most is \(most). How much should it be?")
        }
    }

    /// Checks that a resolved amount can still be paid: the tariff may change between phases.
    func check(_ amount: CurrencyAmount) throws(FailureResponse) {
        switch verdict(on: amount) {
        case .payable: break
        case .currencyUnsupported:
            throw .failure(.failurePaymentsCurrencyUnsupported, dialog: "\(amount) can't be paid any more.")
        case .below(let least): throw .failure(.failurePaymentsAmountBelowMinimum, dialog: "The least is now \(least).")
        case .above(let most): throw .failure(.failurePaymentsAmountAboveMaximum, dialog: "The most is now \(most).")
        }
    }
}

extension PayeeDirectory {
    /// Resolves a payee or payer, and checks that money can go to or come from this person. A person whom an earlier
    /// round has found has an identifier, and is not searched for again.
    func resolve<Reason: CounterpartyUnsupportedReason>(_ person: Person?, _ reason: Reason.Type) async throws
        -> ResolutionResult<Person>
    {
        guard let person else { return .needsValue() }
        if let identifier = person.customIdentifier, let known = try await payee(withIdentifier: identifier) {
            return Self.accept(known, reason)
        }
        let name = String(person.displayName.prefix(60))
        let found = try await payees(named: person.displayName)
        let favourites = found.filter(\.isFavourite)
        switch found.count {
        case 0: return .unsupported(reason: "noMatch", dialog: "I don't know anybody called \(name). Who else?")
        case 1: return Self.accept(found[0], reason)
        case 2...5 where favourites.count == 1:
            return .confirmationRequired(favourites[0].person, dialog: "Do you mean \(favourites[0].name)?")
        case 2...5: return .disambiguation(found.map(\.person), dialog: "Which \(name) do you mean?")
        default: return .needsValue("There are \(found.count) people called \(name). What is the whole name?")
        }
    }

    private static func accept<Reason: CounterpartyUnsupportedReason>(_ payee: Payee, _ reason: Reason.Type)
        -> ResolutionResult<Person>
    {
        if payee.handle == nil {
            return .unsupported(
                reason: Reason.noValidHandle, dialog: "\(payee.name) has neither number nor address. Who else?")
        }
        if !payee.hasAccount {
            return .unsupported(reason: Reason.noAccount, dialog: "\(payee.name) has no account with us. Who else?")
        }
        if !payee.isVerified {
            return .unsupported(
                reason: Reason.credentialsUnverified, dialog: "\(payee.name) has not been verified yet. Who else?")
        }
        return .success(payee.person)
    }
}

extension Payee {
    /// The payee as a parameter's value. The value has the payee's identifier, so the next round needs no search.
    fileprivate var person: Person { Person(displayName: name, handle: handle, customIdentifier: identifier) }
}

extension Context {
    /// Checks that the person has an account that can pay. The sample reads the state of the account from the request's
    /// attribute `paymentAccount`.
    func checkAccount() throws(FailureResponse) {
        switch attributes["paymentAccount"]?.view.string {
        case "none": throw .failure(.failureNoBankAccount, dialog: "Add a bank account in the app first.")
        case "unverified":
            throw .failure(.failureCredentialsUnverified, dialog: "Show us who you are in the app first.")
        case "notEligible": throw .failure(.failureNotEligible, dialog: "You can't use this service.")
        case "termsOpen":
            throw .failure(
                .failureTermsAndConditionsAcceptanceRequired, dialog: "There are new terms. Agree to them in the app.")
        default: break
        }
    }
}
