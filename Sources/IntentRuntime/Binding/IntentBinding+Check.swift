import IntentKit

/// The rules that hold for every answer of confirm and handle, whoever wrote the handler.
extension IntentBinding {
    /// - Returns: The response, with an activity if its code needs one.
    func check(_ response: IntentResponse, _ intent: Subject, _ context: Context) throws(IntentFailure) -> IntentResponse {
        var response = response
        switch (response.code, context.phase) {
        case (.unspecified, _), (.inProgress, .confirm), (.ready, .handle), (.userConfirmationRequired, .handle):
            throw wrong(.unexpected, "\(context.phase.rawValue) of \(name) answered '\(response.code)', which is not for that phase")
        case (.handleInApp, .handle) where context.isInApp:
            throw wrong(.unexpected, "\(name) is being handled in the app already, so 'handleInApp' leads nowhere")
        default: break
        }
        if response.code == .continueInApp, context.phase == .confirm, continueInAppAtConfirm == .isFailure {
            response.code = .failureRequiringAppLaunch
        }
        if let validFor = response.validFor, validFor <= .zero {
            throw wrong(.unexpected, "\(context.phase.rawValue) of \(name) is valid for \(validFor); it has to be longer than nothing")
        }
        let needsActivity = response.code == .continueInApp || response.code == .handleInApp || response.code.requiresAppLaunch
        if let activity = response.userActivity {
            try check(activity)
        } else if needsActivity {
            response.userActivity = defaultActivity(for: intent)
        }
        return response
    }

    /// The intent with what its confirmer or handler proposes instead of what was said.
    ///
    /// - Throws: If there is no such parameter, or it can't have such a value.
    func taking(_ proposed: [String: JSON], _ intent: Subject, _ context: Context) throws(IntentFailure) -> Subject {
        var intent = intent
        for (name, value) in proposed.sorted(by: { $0.key < $1.key }) {
            guard let index = names.firstIndex(of: name) else {
                throw wrong(
                    .unexpected,
                    "\(context.phase.rawValue) of \(self.name) proposes '\(name.prefix(80))', which is not one of its parameters")
            }
            let given: GivenParameter?
            do {
                given = try bindings[index].decode(ParameterState(name: name, value: value, origin: .confirmed), into: &intent)
            } catch {
                given = nil
            }
            if given == nil || (given?.text != nil && !lookedUp.contains(index)) {
                throw wrong(
                    .unexpected, "\(context.phase.rawValue) of \(self.name) proposes a value that '\(name)' can't have",
                    field: "proposed.\(name)")
            }
        }
        return intent
    }

    private func check(_ activity: UserActivity) throws(IntentFailure) {
        guard let violation = activity.violation else { return }
        throw wrong(violation.reason, violation.message, field: violation.field)
    }

    /// As SiriKit makes one: named after the intent. It carries the intent's values, in their order, as far as they fit.
    func defaultActivity(for intent: Subject) -> UserActivity {
        var activity = UserActivity(activityType: name)
        for binding in bindings {
            guard let json = binding.json(in: intent) else { continue }
            activity.userInfo[binding.name] = json
            if activity.userInfoBytes > UserActivity.maximumUserInfoBytes { activity.userInfo[binding.name] = nil }
        }
        return activity
    }

    private func wrong(_ reason: RejectionReason, _ message: String, field: String? = nil) -> IntentFailure {
        IntentFailure(.failure(.failure), reason: reason, message: message, field: field)
    }
}
