import IntentModel

// Approvals by others than the person, and reminders of open prompts.
extension Transition {
    /// The part that a principal has in an approval.
    enum Part: Hashable {
        case requester
        case approver(Principal)
    }

    /// The result of judging an answer to an approval.
    enum Judgement {
        /// The answer goes on as any answer of the person.
        case notMine
        /// The answer is counted, or refused.
        case handled
        /// Enough have agreed.
        case approved(Agreement)
    }

    /// The part of a principal in the open approval; `nil` if they have none.
    private func part(of principal: Principal?, _ roles: [Identifier], in waiting: Prompt.Waiting) -> Part? {
        let requesters = session.requesters
        if let principal, requesters.contains(where: { $0.isSame(as: principal) }) { return .requester }
        if let principal, waiting.mayAgree(principal, roles) { return .approver(principal) }
        return requesters.isEmpty ? .requester : nil
    }

    /// `true` if the event is the answer of a requester or an approver to the open approval. Only the owner of a session sends its other events.
    func isOfApprover(_ event: SessionEvent, _ principal: Principal?) -> Bool {
        guard case .answered(let answer) = event, let prompt = session.active?.prompt, prompt.id == answer.prompt,
            let waiting = prompt.waiting, waiting.$approval.hasValue
        else { return false }
        return part(of: principal, answer.roles, in: waiting) != nil
    }

    /// Judges an answer to an approval.
    mutating func judge(_ answer: Answer, to prompt: Prompt, from principal: Principal?, isFromAgent: Bool) -> Judgement
    {
        guard let waiting = prompt.waiting, let approval = waiting.approval else {
            if answer.action != .delegate { return .notMine }
            refuse(.unexpected, "only an approval can be delegated: answer the prompt", "action")
            return .handled
        }
        let changes = answer.isChange || !answer.parameters.isEmpty
        // Strangers are refused before. An agent can only decline.
        if isFromAgent, !changes { return .notMine }
        let part = isFromAgent ? nil : part(of: principal, answer.roles, in: waiting)
        switch (part, answer.action) {
        case (nil, _) where isFromAgent:
            refuse(.unauthorized, "only the requester can change the values, in their own channel", "parameters")
        case (nil, _): refuse(.unauthorized, "the sender is none of those who may agree", "authid")
        case (.requester, .accept) where changes: return .notMine
        case (.requester, .decline), (.requester, .cancel): return .notMine
        case (_, _) where changes:
            refuse(.unauthorized, "only the requester can change the values: answer yes or no", "parameters")
        case (_, .decline), (_, .cancel): return .notMine
        case (.approver(let sender), .delegate): delegate(prompt, waiting, from: sender, to: answer.delegate)
        case (_, .delegate): refuse(.unauthorized, "only an approver can let another person agree", "action")
        case (.requester, .accept) where !approval.includesRequester:
            refuse(.unauthorized, "the requester can't agree to this: others have to", "authid")
        case (let part?, .accept):
            guard case .yes = meaning(of: answer, to: prompt) else { return .handled }
            return agree(to: prompt, waiting, approval, part, principal)
        }
        return .handled
    }

    private mutating func agree(
        to prompt: Prompt, _ waiting: Prompt.Waiting, _ approval: Approval, _ part: Part, _ principal: Principal?
    ) -> Judgement {
        let isRequester = part == .requester
        let hasAgreed = waiting.consents.contains { consent in
            if consent.isRequester, isRequester { return true }
            return principal.map(consent.isOf) == true
        }
        if hasAgreed {
            refuse(.unexpected, "the sender has agreed already: others have to", "prompt")
            return .handled
        }
        var waiting = waiting
        waiting.consents.append(Consent(principal, isRequester: isRequester, at: now))
        guard waiting.consents.count >= approval.count else {  // rule: approvalsNeedTheirNumber
            let notice = text(BuiltInText.agreedSoFar(waiting.consents.count, of: approval.count))
            update(prompt, waiting, .agreed, notice: notice)
            return .handled
        }
        var agreed = shown(prompt)
        for state in agreed.proposed
        where !state.isSecret && !agreed.parameters.contains(where: { $0.name == state.name }) {
            var parameter = PromptParameter(name: state.name)
            (parameter.value, parameter.source) = (state.value, .proposed)
            agreed.parameters.append(parameter)
        }
        return .approved(Agreement(agreed, waiting.consents, approval))
    }

    /// Lets another person agree in the place of one who may.
    private mutating func delegate(
        _ prompt: Prompt, _ waiting: Prompt.Waiting, from sender: Principal, to delegate: Principal?
    ) {
        guard let delegate, delegate.isPerson else {
            return refuse(.invalid, "to delegate, name the person who decides instead: 'type' and 'id'", "delegate")
        }
        if session.requesters.contains(where: { $0.isSame(as: delegate) }) {
            return refuse(.unauthorized, "the requester can't decide in the place of another", "delegate")
        }
        if sender.isSame(as: delegate) || waiting.approvers.contains(where: { $0.includes(delegate, []) })
            || waiting.delegators.contains(where: { $0.isSame(as: delegate) })
        {
            return refuse(.unexpected, "that person is one of those who have been asked: name another one", "delegate")
        }
        if waiting.consents.contains(where: { consent in
            [sender, delegate].contains(where: consent.isOf)
        }) {
            return refuse(.unexpected, "one who has agreed can't be replaced, and replaces nobody", "delegate")
        }
        guard waiting.delegators.count < Approval.maximumApprovers else {
            return refuse(.complex, "the approval was delegated \(Approval.maximumApprovers) times", "delegate")
        }
        var waiting = waiting
        waiting.delegators.append(sender)
        waiting.added.append(.principal(delegate))
        update(prompt, waiting, .delegated)
    }

    /// Tells the open prompt once more. Of several reminders that are due, the last one counts.
    mutating func remind(of prompt: Prompt, _ open: Prompt.Waiting) {
        var waiting = open
        let since = waiting.since
        var reason = PromptReminder.Reason.reminder
        if !waiting.isEscalated, let escalation = waiting.approval?.escalation,
            since.advanced(by: escalation.after) <= now
        {
            waiting.added += escalation.to
            waiting.isEscalated = true
            reason = .escalated
        }
        waiting.reminded = waiting.reminders.count { since.advanced(by: $0) <= now }
        update(prompt, waiting, reason)
    }

    private mutating func update(
        _ open: Prompt, _ waiting: Prompt.Waiting, _ reason: PromptReminder.Reason, notice: String? = nil
    ) {
        var prompt = open
        prompt.waiting = waiting
        session.active?.stage = .asking(prompt)
        session.active?.stageEnds = waiting.next
        prompt = shown(prompt)
        if let notice { prompt.add(notice) }
        tell(.reminded(PromptReminder(prompt, reason)), about: session.active?.request.id)
    }

    /// The prompt with the values that the person's side may see.
    func shown(_ prompt: Prompt) -> Prompt {
        var prompt = prompt
        prompt.fillIn(session.active?.tellableParameters ?? [], in: session.active?.request.locale)
        return prompt
    }
}

extension Prompt {
    /// Puts a notice before its words.
    mutating func add(_ notice: String) {
        dialog = "\(notice) \(dialog)"
        supportingDialog = supportingDialog.map { "\(notice) \($0)" }
    }
}

extension Session {
    /// The principals who have requested what is active, as far as they are known.
    var requesters: [Principal] { [owner, active?.request.principal].compactMap { $0 } }

    /// The reason why nobody can give an approval; `nil` if there is none.
    func problem(with approval: Approval) -> Rejection? {
        if let problem = approval.problem {
            return Rejection(.unexpected, "the intent has an approval that \(problem)")
        }
        if approval.includesRequester, approval.count == 1 { return nil }
        let isOfOwner = owner != nil && !isOwnerNamed && active?.request.isUnagreed == false
        guard active?.request.principal != nil || isOfOwner else {
            return Rejection(
                .unauthorized,
                "others than the requester have to agree, and nobody has authenticated the requester: send 'authtype' and 'authid' in the person's channel",
                field: "authid")
        }
        let own = approval.includesRequester ? 1 : 0
        if let most = approval.mostAgreements(without: requesters), most + own < approval.count {
            return Rejection(
                .unauthorized,
                "\(approval.count) have to agree, and \(most) may beside the requester: let the intent name others")
        }
        return nil
    }
}
