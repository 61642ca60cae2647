import IntentKit

/// A reason why a contact can't be called (SiriKit: `INStartCallContactUnsupportedReason`).
enum StartCallContactUnsupportedReason: String, UnsupportedReason {
    case noContactFound, multipleContactsUnsupported, noHandleForLabel, invalidHandle, unsupportedMmiUssd,
        noCallHistoryForRedial,
        noUsableHandleForRedial, requiringInAppAuthentication

    var dialog: LocalizedText? {
        switch self {
        case .noContactFound: "There is nobody of that name in your contacts."
        case .multipleContactsUnsupported: "This call is for one person only."
        case .noHandleForLabel: "There is no such number for that contact."
        case .invalidHandle: "That is not a telephone number."
        case .unsupportedMmiUssd: "Codes for the network can't be dialled here."
        case .noCallHistoryForRedial: "You have not called anybody yet."
        case .noUsableHandleForRedial: "That caller has withheld the number."
        case .requiringInAppAuthentication: "Unlock your phone to call that contact."
        }
    }
}

/// A reason why a video call, or any call, is not possible (SiriKit: `INStartCallCallCapabilityUnsupportedReason`).
enum StartCallCallCapabilityUnsupportedReason: String, UnsupportedReason {
    case videoCallUnsupported, microphoneNotAccessible, cameraNotAccessible

    var dialog: LocalizedText? {
        switch self {
        case .videoCallUnsupported: "Not everybody can be reached by video. Say voice instead."
        case .microphoneNotAccessible: "The microphone is switched off."
        case .cameraNotAccessible: "The camera is switched off. Say voice instead."
        }
    }
}

/// A reason why a call can't be returned (SiriKit: `INStartCallCallRecordToCallBackUnsupportedReason`).
enum StartCallCallRecordToCallBackUnsupportedReason: String, UnsupportedReason {
    case noMatchingCall

    var dialog: LocalizedText? { "You have missed no such call." }
}
