public import IntentKit

/// How a ride is paid for (SiriKit: `INPaymentMethod`).
public enum PaymentMethod: String, AppEnum {
    case card, cash, businessAccount

    public static let typeDisplayName: LocalizedText = "Payment"
    public static let caseDisplayRepresentations: [PaymentMethod: DisplayRepresentation] = [
        .card: DisplayRepresentation(title: "Card", synonyms: ["credit card", "debit card", "visa", "mastercard"]),
        .cash: DisplayRepresentation(title: "Cash", synonyms: ["money"]),
        .businessAccount: DisplayRepresentation(title: "Business account", synonyms: ["business", "company account", "my company"]),
    ]
}
