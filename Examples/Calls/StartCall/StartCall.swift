public import IntentKit

/// Calls one or more people (SiriKit: `INStartCallIntent`).
public struct StartCall: Intent {
    public static let title: LocalizedText = "Start a call"
    public static let description: LocalizedText? =
        "Calls one or more people, calls back, or calls again who was called last."
    /// Follows Apple's documentation of `INStartCallIntent`: at confirm, `continueInApp` is an error that leads to the
    /// app.
    public static let continueInAppAtConfirm = ContinueInAppAtConfirm.isFailure

    @Parameter(title: "Call to return", requestValueDialog: "Which call do you want to return?")
    public var callRecordToCallBack: CallRecord?

    @Parameter(title: "Kind of call")
    public var destinationType: CallDestinationType = .normal

    @Parameter(
        title: "Contacts", requestValueDialog: "Who do you want to call?", requestDisambiguationDialog: "Which one?")
    public var contacts: [Person]?

    @Parameter(title: "Voice or video", requestValueDialog: "Voice or video?")
    public var callCapability: CallCapability = .audioCall

    public static let parameters = Parameters<Self>(
        \.$callRecordToCallBack, \.$destinationType, \.$contacts, \.$callCapability)

    public static var parameterSummary: some ParameterSummary {
        Switch(\.$destinationType) {
            Case(.voicemail) { Summary("Listen to voicemail") }
            DefaultCase { Summary("\(\.$callCapability) to \(\.$contacts)") }
        }
    }

    public init() {}
}

/// The kind of call (SiriKit: `INCallDestinationType`).
public enum CallDestinationType: String, AppEnum {
    case normal, emergency, voicemail, redial, callBack

    public static let typeDisplayRepresentation: TypeDisplayRepresentation = "Kind of call"
    public static let caseDisplayRepresentations: [CallDestinationType: DisplayRepresentation] = [
        .normal: "Call", .emergency: DisplayRepresentation(title: "Emergency", synonyms: ["emergency call"]),
        .voicemail: DisplayRepresentation(title: "Voicemail", synonyms: ["my voicemail", "mailbox"]),
        .redial: DisplayRepresentation(title: "Redial", synonyms: ["call again", "last number"]),
        .callBack: DisplayRepresentation(title: "Call back", synonyms: ["return call", "return a call"]),
    ]
}

/// Voice or video (SiriKit: `INCallCapability`).
public enum CallCapability: String, AppEnum, Codable {
    case audioCall, videoCall

    public static let typeDisplayRepresentation: TypeDisplayRepresentation = "Voice or video"
    public static let caseDisplayRepresentations: [CallCapability: DisplayRepresentation] = [
        .audioCall: DisplayRepresentation(title: "Call", synonyms: ["audio", "voice", "phone", "audio call"]),
        .videoCall: DisplayRepresentation(title: "Video call", synonyms: ["video", "camera"]),
    ]
}

/// The codes of SiriKit's call family (`INStartCallIntentResponseCode`).
extension ResponseCode {
    public static let failureCallingServiceNotAvailable: ResponseCode = "failureCallingServiceNotAvailable"
    /// The contact can be called, but not by this app.
    public static let failureContactNotSupportedByApp: ResponseCode = "failureContactNotSupportedByApp"
    public static let failureAirplaneModeEnabled: ResponseCode = "failureAirplaneModeEnabled"
    /// The person is on the phone already.
    public static let failureCallInProgress: ResponseCode = "failureCallInProgress"
    /// The phone is ringing.
    public static let failureCallRinging: ResponseCode = "failureCallRinging"
}
