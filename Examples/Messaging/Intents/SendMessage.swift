public import IntentKit

/// Sends a message to people or to a group (SiriKit: `INSendMessageIntent`).
public struct SendMessage: Intent {
    public static let title: LocalizedText = "Send a message"
    public static let confirmation: ConfirmationPolicy = .always
    public static let confirmationActionName = ConfirmationActionName.send

    @Parameter(title: "Recipients", size: .atMost(20), requestValueDialog: "Who should get it?")
    public var recipients: [Person]?

    @Parameter(title: "Kind of message")
    public var outgoingMessageType: OutgoingMessageType = .outgoingMessageText

    @Parameter(
        title: "Content", inputOptions: String.IntentInputOptions(multiline: true),
        requestValueDialog: "What should it say?")
    public var content: String?

    @Parameter(title: "Group", requestValueDialog: "Which group?")
    public var speakableGroupName: MessageGroup?

    @Parameter(title: "Recording")
    public var audioMessageFile: IntentFile?

    /// The group comes first, because the person is asked for recipients only if there is no group.
    public static let parameters = Parameters<Self>(
        \.$speakableGroupName, \.$recipients, \.$outgoingMessageType, \.$content, \.$audioMessageFile)

    public static var parameterSummary: some ParameterSummary {
        When(\.$recipients, .hasAnyValue) {
            Switch(\.$outgoingMessageType) {
                Case(.outgoingMessageAudio) { Summary("Send a voice message to \(\.$recipients)") }
                DefaultCase { Summary("Send “\(\.$content)” to \(\.$recipients)") }
            }
        } otherwise: {
            Switch(\.$outgoingMessageType) {
                Case(.outgoingMessageAudio) { Summary("Send a voice message to \(\.$speakableGroupName)") }
                DefaultCase { Summary("Send “\(\.$content)” to \(\.$speakableGroupName)") }
            }
        }
    }

    public init() {}
}

/// A reason why a recipient can't get a message (SiriKit: `INSendMessageRecipientUnsupportedReason`).
enum SendMessageRecipientUnsupportedReason: String, UnsupportedReason {
    case noAccount, offline, messagingServiceNotEnabledForRecipient, noValidHandle, requestedHandleInvalid,
        noHandleForLabel
    case requiringInAppAuthentication
}
