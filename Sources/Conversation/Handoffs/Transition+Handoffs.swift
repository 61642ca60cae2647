import IntentModel

// An app goes on where the pipeline stops.
extension Transition {
    /// The person goes on in the app.
    mutating func offerInForeground(_ response: IntentResponse, _ activity: UserActivity?) {
        guard let handoff = offer(response, .foreground, activity) else { return }
        session.active?.stage = .handedOff(handoff: handoff.id)
        session.active?.step += 1
        session.active?.stageEnds = handoff.expires
    }

    /// The app's workers handle it while the person stays.
    mutating func offerInBackground(_ response: IntentResponse, _ activity: UserActivity?) {
        offer(response, .background, activity)
        // From one handler to another it is still the same phase.
        dispatch(.handle, session.active?.stage.phase == .handle ? .again : .first)
    }

    /// - Parameter activity: What the app gets to go on with; `nil` for the default activity of the request.
    @discardableResult
    mutating func offer(_ response: IntentResponse, _ mode: Handoff.Mode, _ activity: UserActivity?) -> Handoff? {
        guard let active = session.active else { return nil }
        let activity = activity ?? active.defaultActivity
        var handoff = Handoff(
            id: "\(active.request.id).\(active.step).handoff.\(randomness.code())", request: active.request.id,
            mode: mode,
            activity: activity,
            interaction: Interaction(
                intent: active.request.intent, parameters: active.tellableParameters, code: response.code,
                response: response.values),
            expires: now.advanced(by: active.policy?.handoffTimeout ?? policy.handoffTimeout))
        if let end = activity.expirationDate {
            handoff.expires = min(handoff.expires, max(now, Instant(milliseconds: end)))
        }
        // What the app's workers handle can't be claimed.
        if mode == .foreground {
            if let identifier = activity.persistentIdentifier { replaceOffers(identifier) }
            session.handoffs.append(handoff)
            if session.handoffs.count > policy.limits.maximumHandoffs { session.handoffs.removeFirst() }
        }
        tell(.handoffOffered(handoff), about: active.request.id)
        return handoff
    }

    mutating func claimed(_ id: Identifier, by claimant: Claimant) {
        guard let index = session.handoffs.firstIndex(where: { $0.id == id }) else {
            return reject(
                Rejection(
                    .unexpected, "the handoff '\(id)' is not open: it has ended or was never offered", field: "handoff")
            )
        }
        guard session.handoffs[index].expires > now else {
            return reject(
                Rejection(.unexpected, "the handoff '\(id)' has run out", field: "handoff"),
                about: session.handoffs[index].request)
        }
        if session.handoffs[index].claimant == claimant { return ignore(.repeatedClaim) }
        guard session.handoffs[index].claimant == nil else {  // rule: handoffsHaveOneClaimant
            return reject(
                Rejection(.unexpected, "the handoff '\(id)' is taken", field: "handoff"),
                about: session.handoffs[index].request)
        }
        session.handoffs[index].claimant = claimant
        tell(.handoffClaimed(session.handoffs[index]), about: session.handoffs[index].request)
    }

    mutating func handoffCompleted(_ id: Identifier, by claimant: Claimant, _ response: IntentResponse) {
        guard let index = session.handoffs.firstIndex(where: { $0.id == id }) else {
            return reject(
                Rejection(
                    .unexpected, "the handoff '\(id)' is not open: it has ended or was never offered", field: "handoff")
            )
        }
        guard session.handoffs[index].claimant?.name == claimant.name else {
            return reject(
                Rejection(.unexpected, "claim the handoff '\(id)' before you complete it", field: "claimant"),
                about: session.handoffs[index].request)
        }
        guard checkSecret(of: claimant, session.handoffs[index]) == .accepted else { return }
        guard response.code == .success || response.code.isFailure else {
            return reject(
                Rejection(
                    .invalid, "a handoff ends with 'success' or a failure code, not '\(response.code)'", field: "code"),
                about: session.handoffs[index].request)
        }
        guard session.active?.stage.handoff == id else {
            // The request ended when the handoff was offered (a failure that the app mended), or is suspended.
            let handoff = session.handoffs.remove(at: index)
            return tell(.handoffCompleted(handoff, response), about: handoff.request)
        }
        end(response.code == .success ? .success : .failure, response.code, response: response)
    }
}

// An app returns what it has claimed, and newer offers replace older ones.
extension Transition {
    /// It is offered again until it expires, under the same id, with a new token.
    mutating func handoffReturned(_ id: Identifier, by claimant: Claimant) {
        guard let index = session.handoffs.firstIndex(where: { $0.id == id }) else {
            return reject(
                Rejection(
                    .unexpected, "the handoff '\(id)' is not open: it has ended or was never offered", field: "handoff")
            )
        }
        guard session.handoffs[index].claimant?.name == claimant.name else {
            return reject(
                Rejection(.unexpected, "only who has claimed the handoff '\(id)' can return it", field: "claimant"),
                about: session.handoffs[index].request)
        }
        guard checkSecret(of: claimant, session.handoffs[index]) == .accepted else { return }
        session.handoffs[index].claimant = nil
        session.handoffs[index].returns += 1
        session.handoffs[index].activity = session.handoffs[index].activity.forRestoration
        tell(.handoffOffered(session.handoffs[index]), about: session.handoffs[index].request)
    }

    /// Checks that it is the app that has claimed the handoff, and not one that only knows its name. If not, it is told so.
    private mutating func checkSecret(of claimant: Claimant, _ handoff: Handoff) -> Verdict {
        guard let proof = handoff.claimant?.proof, proof != claimant.proof else {  // rule: claimsHaveASecret
            return .accepted
        }
        reject(
            Rejection(
                .unauthorized, "the 'secret' is not the one that '\(handoff.id)' was claimed with", field: "secret"),
            about: handoff.request)
        return .refused
    }

    /// Unclaimed offers make room for an activity with the same identifier. The one that the active request waits for stays.
    mutating func replaceOffers(_ identifier: String) {
        session.handoffs.removeAll {
            $0.activity.persistentIdentifier == identifier && $0.claimant == nil
                && session.active?.stage.handoff != $0.id
        }
    }
}
