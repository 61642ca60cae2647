import IntentKit

extension MyMessageHandler {
    func confirm(_ message: SendMessage, context: Context) async throws -> IntentResponse {
        if context.attributes["messageService"] == .string("unavailable") {
            return .failure(.failureMessageServiceNotAvailable, dialog: "Messages can't be sent at the moment.")
        }
        if message.outgoingMessageType == .outgoingMessageAudio, message.audioMessageFile == nil {
            var activity = UserActivity(activityType: "com.example.messages.record", title: "Record a message")
            activity.userInfo = ["recipients": JSON(message.recipients ?? [])]
            return .failure(.failureRequiringAppLaunch, dialog: "Record it in the app.", activity: activity)
        }
        let what = message.content.map { "“\($0)”" } ?? "your recording"
        return .ready(dialog: "Send \(what) to \(receivers(of: message))?")
    }

    func handle(_ message: SendMessage, context: Context) async throws -> IntentResponse {
        let recipients = (message.recipients ?? []).map { Message.Correspondent($0.customIdentifier ?? "", $0.displayName) }
        let group = message.speakableGroupName.map { Message.Correspondent($0.id, $0.name) }
        let isAudio = message.outgoingMessageType == .outgoingMessageAudio
        let sent = try mailbox.send(isAudio ? nil : message.content, to: recipients, in: group, key: context.idempotencyKey)
        return .success(dialog: "Sent to \(receivers(of: message)).", values: ["sentMessages": [sent]])
    }

    private func receivers(of message: SendMessage) -> String {
        let group = message.speakableGroupName.map { [$0.name] } ?? []
        return ((message.recipients ?? []).map(\.displayName) + group).joined(separator: ", ")
    }
}
