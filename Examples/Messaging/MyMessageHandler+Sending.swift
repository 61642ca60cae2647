import IntentKit

extension MyMessageHandler {
    func confirm(_ message: SendMessage, context: Context) async throws -> ConfirmResponse {
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

    func handle(_ message: SendMessage, context: Context) async throws -> HandleResponse {
        var results: [ElementResult] = []
        for person in message.recipients ?? [] {
            let contact = try await contacts.contact(withIdentifier: person.customIdentifier ?? "")
            let isFull = contact?.account == .full
            results.append(
                isFull
                    ? ElementResult(of: person, code: .failureInboxFull, dialog: "The inbox is full.")
                    : ElementResult(of: person))
        }
        let reached = zip(message.recipients ?? [], results).filter { $1.code == .success }.map(\.0)
        let recipients = reached.map { Message.Correspondent($0.customIdentifier ?? "", $0.displayName) }
        if recipients.isEmpty, !results.isEmpty {
            return .failure(.failureInboxFull, dialog: "No inbox has room for it.")
        }
        let group = message.speakableGroupName.map { Message.Correspondent($0.id, $0.name) }
        let isAudio = message.outgoingMessageType == .outgoingMessageAudio
        let sent = try mailbox.send(
            isAudio ? nil : message.content, to: recipients, in: group, key: context.idempotencyKey)
        guard reached.count < results.count else {
            return .success(dialog: "Sent to \(receivers(of: message)).", values: ["sentMessages": [sent]])
        }
        return .partialSuccess(
            results: results, dialog: "Sent to \(reached.count) of \(results.count).", values: ["sentMessages": [sent]])
    }

    private func receivers(of message: SendMessage) -> String {
        let group = message.speakableGroupName.map { [$0.name] } ?? []
        return ((message.recipients ?? []).map(\.displayName) + group).joined(separator: ", ")
    }
}
