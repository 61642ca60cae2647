public import IntentKit

/// Calls somebody (SiriKit: `INStartCallIntent`).
public struct StartCall: Intent {
    public static let title: LocalizedText = "Start a call"
    public static let description: LocalizedText? = "Calls one or more people, calls back, or calls again who was called last."
    /// What the page of `INStartCallIntent` says of it: at confirm it is an error, with the app to go on in.
    public static let continueInAppAtConfirm = ContinueInAppAtConfirm.isFailure

    @Parameter(title: "Call to return", prompt: "Which call do you want to return?")
    public var callRecordToCallBack: CallRecord?

    @Parameter(title: "Kind of call", default: .constant(.normal))
    public var destinationType: CallDestinationType

    @Parameter(title: "Contacts", prompt: "Who do you want to call?", requestDisambiguationDialog: "Which one?")
    public var contacts: [Person]?

    @Parameter(title: "Voice or video", prompt: "Voice or video?", default: .constant(.audioCall))
    public var callCapability: CallCapability

    public static let parameters = Parameters<Self>(\.$callRecordToCallBack, \.$destinationType, \.$contacts, \.$callCapability)

    public static var parameterSummary: some ParameterSummary {
        Switch(\.$destinationType) {
            Case(.voicemail) { Summary("Listen to voicemail") }
            DefaultCase { Summary("\(\.$callCapability) to \(\.$contacts)") }
        }
    }

    public init() {}
}
