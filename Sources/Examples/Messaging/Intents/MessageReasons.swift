import IntentKit

/// Why a message can't go to somebody (SiriKit: `INSendMessageRecipientUnsupportedReason`).
enum SendMessageRecipientUnsupportedReason: String, UnsupportedReason {
    case noAccount, offline, messagingServiceNotEnabledForRecipient, noValidHandle, requestedHandleInvalid, noHandleForLabel
    case requiringInAppAuthentication
}
