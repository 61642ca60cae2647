public import IntentKit

/// Sends a message to people or to a group (SiriKit: `INSendMessageIntent`).
public struct SendMessage: Intent {
    public static let title: LocalizedText = "Send a message"
    public static let confirmation: ConfirmationPolicy = .always
    public static let confirmationActionName = ConfirmationActionName.send

    @Parameter(title: "Recipients", prompt: "Who should get it?", size: .atMost(20))
    public var recipients: [Person]?

    @Parameter(title: "Kind of message", default: .constant(.outgoingMessageText))
    public var outgoingMessageType: OutgoingMessageType

    @Parameter(title: "Content", prompt: "What should it say?", inputOptions: String.IntentInputOptions(multiline: true))
    public var content: String?

    @Parameter(title: "Group", prompt: "Which group?")
    public var speakableGroupName: MessageGroup?

    @Parameter(title: "Recording")
    public var audioMessageFile: IntentFile?

    /// The group comes first, because recipients are only asked for if there is no group.
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

/// Why a recipient can't get a message (SiriKit: `INSendMessageRecipientUnsupportedReason`).
enum SendMessageRecipientUnsupportedReason: String, UnsupportedReason {
    case noAccount, offline, messagingServiceNotEnabledForRecipient, noValidHandle, requestedHandleInvalid, noHandleForLabel
    case requiringInAppAuthentication
}
