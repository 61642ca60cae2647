public import IntentKit

/// With or without a picture (SiriKit: `INCallCapability`).
public enum CallCapability: String, AppEnum, Codable {
    case audioCall, videoCall

    public static let typeDisplayName: LocalizedText = "Voice or video"
    public static let caseDisplayRepresentations: [CallCapability: DisplayRepresentation] = [
        .audioCall: DisplayRepresentation(title: "Call", synonyms: ["audio", "voice", "phone", "audio call"]),
        .videoCall: DisplayRepresentation(title: "Video call", synonyms: ["video", "camera"]),
    ]
}
