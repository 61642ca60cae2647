public import IntentKit

/// What kind of call it is (SiriKit: `INCallDestinationType`).
public enum CallDestinationType: String, AppEnum {
    case normal, emergency, voicemail, redial, callBack

    public static let typeDisplayName: LocalizedText = "Kind of call"
    public static let caseDisplayRepresentations: [CallDestinationType: DisplayRepresentation] = [
        .normal: "Call", .emergency: DisplayRepresentation(title: "Emergency", synonyms: ["emergency call"]),
        .voicemail: DisplayRepresentation(title: "Voicemail", synonyms: ["my voicemail", "mailbox"]),
        .redial: DisplayRepresentation(title: "Redial", synonyms: ["call again", "last number"]),
        .callBack: DisplayRepresentation(title: "Call back", synonyms: ["return call", "return a call"]),
    ]
}
