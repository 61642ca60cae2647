import IntentKit

/// Resolves the people to call. The app makes the call.
struct MyCallHandler: IntentHandling {
    let book: PhoneBook
    let history: CallHistory
    let service: CallingService

    var resolution: some Resolution<StartCall> {
        Resolve(\.$callRecordToCallBack, after: \.$destinationType) { record, call in
            guard call.$destinationType.value == .callBack else { return .notRequired() }
            if let record { return .success(record) }
            if call.$contacts.value != nil { return .notRequired() }  // the named contacts are called
            let missed = history.missed
            return missed.isEmpty
                ? .unsupported(reason: StartCallCallRecordToCallBackUnsupportedReason.noMatchingCall)
                : .disambiguation(missed, dialog: "Which call do you want to return?")
        }
        Resolve(each: \.$contacts, after: \.$destinationType, \.$callRecordToCallBack) { person, _, context in
            book.resolve(person, isUnlocked: context.principal?.isPerson == true)
        }
        .whole { people, call, context in
            let kind = call.$destinationType.value ?? .normal
            if let people { return accept(people, kind) }
            switch kind {
            case .normal: return .needsValue()
            case .voicemail: return .notRequired()
            case .emergency: return .success([Person(displayName: "Emergency services", handle: PhoneBook.emergency)])
            case .redial:
                guard let last = try history.lastCall(of: caller(context)) else {
                    return .unsupported(reason: StartCallContactUnsupportedReason.noCallHistoryForRedial)
                }
                return parties(of: last)
            case .callBack:
                guard let record = call.$callRecordToCallBack.value else { return .needsValue() }
                return parties(of: record)
            }
        }
        Resolve(\.$callCapability, after: \.$contacts) { capability, call, context in
            typealias Reason = StartCallCallCapabilityUnsupportedReason
            if context.attributes["microphone"] == .string("off") {
                return .unsupported(reason: Reason.microphoneNotAccessible)
            }
            guard capability == .videoCall else { return .success(.audioCall) }
            if context.attributes["camera"] == .string("off") {
                return .unsupported(reason: Reason.cameraNotAccessible)
            }
            let people = call.$contacts.value ?? []
            let isPossible = !people.isEmpty && people.allSatisfy { book.contact(of: $0)?.hasVideo == true }
            return isPossible ? .success(.videoCall) : .unsupported(reason: Reason.videoCallUnsupported)
        }
    }

    func confirm(_ call: StartCall, context: Context) async throws -> ConfirmResponse {
        try check(call, context)
        let people = call.contacts ?? []
        if people.contains(where: { $0.handle?.hasPrefix(PhoneBook.premiumPrefix) == true }) {
            // This intent treats the response as a failure: see `StartCall.continueInAppAtConfirm`.
            return .continueInApp(activity(for: call), dialog: "That number costs extra. The app says how much.")
        }
        // A favourite is called at once. Other calls are confirmed, because calling a wrong number disturbs a stranger.
        if people.count <= 1, people.allSatisfy({ book.contact(of: $0)?.isFavourite == true }) { return .ready }
        let names = people.map { person in
            [person.displayName, person.handleLabel].compactMap(\.self).joined(separator: ", ")
        }
        return .userConfirmationRequired(
            dialog: "\(call.callCapability) to \(names.joined(separator: " and ")). Shall I?",
            values: ["callCapability": call.callCapability], activity: activity(for: call))
    }

    func handle(_ call: StartCall, context: Context) async throws -> HandleResponse {
        try check(call, context)
        guard let people = call.contacts else {
            return .continueInApp(activity(for: call), dialog: "Opening your voicemail.")
        }
        let record = try history.save(people, call.callCapability, by: caller(context), key: context.idempotencyKey)
        return .continueInApp(activity(for: call, record), dialog: "Calling \(record).")
    }
}

extension MyCallHandler {
    /// Checks that the call can be made.
    private func check(_ call: StartCall, _ context: Context) throws(FailureResponse) {
        if call.contacts?.contains(where: { $0.handle == PhoneBook.emergency }) == true {
            throw .failure(
                .failureContactNotSupportedByApp, dialog: "This app can't call for help. Dial 112 on your phone.")
        }
        if context.attributes["airplaneMode"] == .bool(true) {
            throw .failure(.failureAirplaneModeEnabled, dialog: "Your phone is in airplane mode.")
        }
        switch context.attributes["call"]?.view.string {
        case "active": throw .failure(.failureCallInProgress, dialog: "You are on the phone already.")
        case "ringing": throw .failure(.failureCallRinging, dialog: "Someone is calling you.")
        default: break
        }
        guard service.isAvailable else {
            throw .failure(.failureCallingServiceNotAvailable, dialog: "Calls are not possible at the moment.")
        }
    }

    /// The caller: the request's attribute `person`, or the session's key without that attribute.
    private func caller(_ context: Context) -> String {
        context.attributes["person"]?.view.string ?? context.session.text
    }

    private func accept(_ people: [Person], _ kind: CallDestinationType) -> ResolutionResult<[Person]> {
        let most = kind == .normal ? 4 : 1
        return people.count <= most
            ? .success(people) : .unsupported(reason: StartCallContactUnsupportedReason.multipleContactsUnsupported)
    }

    private func parties(of record: CallRecord) -> ResolutionResult<[Person]> {
        record.parties.isEmpty
            ? .unsupported(reason: StartCallContactUnsupportedReason.noUsableHandleForRedial)
            : .success(record.parties.map(\.person))
    }

    /// The data that the app needs to make the call.
    private func activity(for call: StartCall, _ record: CallRecord? = nil) -> UserActivity {
        var activity = UserActivity(activityType: "com.example.calls.start")
        activity.userInfo["destinationType"] = JSON(call.destinationType)
        activity.userInfo["callCapability"] = JSON(call.callCapability)
        activity.userInfo["handles"] = .array((call.contacts ?? []).compactMap { $0.handle.map { .string($0) } })
        if let record { activity.userInfo["call"] = .string(record.id) }
        return activity
    }
}
