import Conversation
import IntentModel

/// A move of a request from one stage to another.
struct Move: Hashable, CustomStringConvertible {
    var from: StageName
    var to: StageName

    var description: String { "\(from) → \(to)" }

    static let declared = Set(StageName.allCases.flatMap { from in from.exits.map { Move(from: from, to: $0) } })
}

/// Records the events and effects of one session, and finds violations of the rules that hold for every session.
struct Ledger {
    private(set) var moves: Set<Move> = []
    private(set) var completions: [Completion] = []
    private(set) var handoffs: [Identifier] = []
    private(set) var prompts: [Identifier] = []
    private(set) var requests: [Identifier: Entry] = [:]
    private var sequence = 0
    /// The violations of the last event.
    private var problems: [String] = []
    /// The last change of the owner's memory.
    private var change: MemoryChange?
    /// The events that have asked for a forgetting and have no result yet.
    private var unconfirmed: Set<Identifier> = []

    struct Entry {
        var completions = 0
        var prompts = 0
        var step = 0
        var key: Identifier?
        var phases: Set<Phase> = []
        /// The steps whose handler was permitted, and the number of late outcomes of the request.
        var permits: Set<Int> = []
        var late = 0
        /// Values that a resolver rejected and has not accepted since, by parameter. The elements of a list are those of
        /// the parameter's name with `[]`.
        var rejected: [String: Set<JSON>] = [:]
        /// The questions of each phase.
        var asked: [Phase: Set<String>] = [:]
    }

    /// The request that others have agreed to, and its values then.
    private var agreed: (request: Identifier, values: [String])?

    init(moves: Set<Move> = []) { self.moves = moves }

    private mutating func fail(_ problem: String) { problems.append(problem) }

    /// Records an event and its effects.
    ///
    /// - Returns: The violations found.
    mutating func record(_ event: SessionEvent, before: Session, _ decision: Decision, after: Session) -> [String] {
        problems = []
        let effects = decision.effects
        if decision.isIgnored, after != before { fail("an ignored event changed the session") }
        let isRejectionOfEvent =
            switch event {
            // The rejection is that of an earlier forgetting.
            case .timer, .memoryChanged, .changeRefused: false
            default: true
            }
        if isRejectionOfEvent, effects.count == 1, case .result(let result) = effects[0],
            case .rejected = result.body
        {
            var same = before
            (same.sequence, same.updated) = (after.sequence, after.updated)
            if before.owner == nil { (same.owner, same.isOwnerNamed) = (after.owner, after.isOwnerNamed) }
            if after != same { fail("a rejected event changed the session") }
        }
        if after.updated < before.updated { fail("the session's time went back") }
        if let active = before.active, let later = after.active, active.request.id == later.request.id,
            !active.secrets.isSubset(of: later.secrets)
        {
            fail("a parameter is no longer secret")
        }
        recordAcceptance(event, before, after)
        recordResolutions(event, before, decision)
        recordAnswer(event, before)
        // A request that continues after it was handled is called again with a new key, and this call is not a repeat.
        if let active = before.active, active.result != nil, after.active?.result == nil {
            requests[active.request.id]?.key = nil
        }
        for effect in effects {
            switch effect {
            case .work(let work): record(work)
            case .result(let result): record(result)
            case .memory(let change, of: let person):
                if after.rememberedPerson != person {
                    fail("something is remembered about '\(person.id)', who is not the owner")
                }
                record(change, before, after)
            }
        }
        if decision == .forgotten, !unconfirmed.isEmpty { fail("nobody was told whether \(unconfirmed) was done") }
        if after.sequence != sequence { fail("the session counts \(after.sequence) results, its reader \(sequence)") }
        recordMoves(before, effects, after)
        recordApproval(before, effects, after)
        if after.active == nil {
            if !after.suspended.isEmpty || !after.queued.isEmpty { fail("requests wait although none is active") }
            for (id, entry) in requests where entry.completions != 1 {
                fail("'\(id)' was completed \(entry.completions) times")
            }
        }
        return problems
    }

    private mutating func record(_ change: MemoryChange, _ before: Session, _ after: Session) {
        let number = (self.change?.number ?? 0) + 1
        if change.number != number { fail("change \(change.number) of the memory where \(number) is due") }
        if let last = self.change, last.stream != change.stream { fail("the session's changes have two names") }
        if change.stream != after.person.stream || after.person.last < change.number {
            fail("the session does not know its change '\(change.kind.line)'")
        }
        self.change = change
        if let event = change.event {
            if !after.person.pending.contains(change) {
                fail("the session has not kept that it has to forget something")
            }
            unconfirmed.insert(event)
        } else {
            // A later value may have replaced or displaced the change.
            if !after.person.pending.contains(where: { $0.number >= change.number }) {
                fail("the session has not kept '\(change.kind.line)' until it is written")
            }
            if case .remember = change.kind, before.active?.request.isForgotten == true {
                fail("'\(change.kind.line)' is remembered of a request that came before a forgetting")
            }
        }
    }

    private mutating func recordAcceptance(_ event: SessionEvent, _ before: Session, _ after: Session) {
        let id: Identifier
        switch event {
        case .requested(let request), .unserved(let request, _): id = request.id
        case .undoRequested(let undo): id = undo.id
        default: return
        }
        guard !before.rememberedRequests.contains(id), after.rememberedRequests.last == id,
            before.rememberedRequests != after.rememberedRequests
        else { return }
        accepted(id)
    }

    /// Starts the records of a request again. An id that is no longer remembered may be sent again.
    private mutating func accepted(_ id: Identifier) {
        requests[id] = Entry()
        prompts.removeAll { $0.hasPrefix("\(id).") }
        handoffs.removeAll { $0.hasPrefix("\(id).") }
    }

    private mutating func recordResolutions(_ event: SessionEvent, _ before: Session, _ decision: Decision) {
        guard case .outcome(let outcome) = event, !decision.isIgnored, let active = before.active,
            case .finished(.resolved(let parameters, _, _, _)) = outcome.content, var entry = requests[outcome.request]
        else { return }
        for parameter in parameters {
            let (name, element) = (parameter.name, parameter.element)
            if let element, !element.list.indices.contains(element.index) { continue }
            let key = element == nil ? name : "\(name)[]"
            switch parameter.resolution {
            case .unsupported:
                let known = active.parameters.first { $0.name == name }?.value
                if let value = element.map({ $0.list[$0.index] }) ?? known {
                    entry.rejected[key, default: []].insert(value)
                }
            case .disambiguation(let options, _): entry.rejected[key]?.subtract(options.map(\.value))
            case .confirmationRequired(let value, _): entry.rejected[key]?.remove(value)
            case .success(let value) where element == nil:
                entry.rejected[key]?.remove(value)
                entry.rejected["\(name)[]"]?.subtract(value.view.elements.map(\.json))
            case .notRequired where element == nil: entry.rejected[key] = nil
            case .needsValue, .success, .notRequired: break
            }
        }
        requests[outcome.request] = entry
    }

    /// Records an answer. The resolver does not see the answer to a phase's question or the values that a phase has
    /// proposed: the phase has to check them.
    private mutating func recordAnswer(_ event: SessionEvent, _ before: Session) {
        guard case .answered(let answer) = event, let active = before.active, let prompt = active.prompt,
            prompt.id == answer.prompt
        else { return }
        for proposed in prompt.proposed { requests[active.request.id]?.rejected[proposed.name] = nil }
        guard prompt.question != nil, let parameter = prompt.parameter else { return }
        for key in [parameter, "\(parameter)[]"] { requests[active.request.id]?.rejected[key] = nil }
    }

    private mutating func record(_ work: Work) {
        guard var entry = requests[work.request] else {
            return fail("work for '\(work.request)', which was never accepted")
        }
        defer { requests[work.request] = entry }
        if entry.completions > 0, work.kind == .update || work.kind == .cancel {
            if work.kind == .update, work.step <= entry.step { fail("updates step \(work.step) after \(entry.step)") }
            entry.step = max(entry.step, work.step)
            return
        }
        if entry.completions > 0 { fail("work for '\(work.request)' after its completion") }
        if work.kind == .cancel { return }
        if work.kind == .permit {
            if !entry.permits.insert(work.step).inserted { fail("two permits for step \(work.step)") }
            if work.step != entry.step { fail("a permit for step \(work.step), when \(entry.step) is open") }
            return
        }
        guard let item = work.item else { return }
        if item.step <= entry.step { fail("step \(item.step) after \(entry.step)") }
        entry.step = item.step
        if let key = entry.key, key != item.idempotencyKey { fail("the idempotency key changed") }
        entry.key = item.idempotencyKey
        entry.phases.insert(item.phase)
        if item.phase != .resolve, !entry.phases.contains(.resolve) { fail("\(item.phase) without resolve") }
        if item.phase == .handle, !entry.phases.contains(.confirm) { fail("handle without confirm") }
        if item.phase == .resolve { entry.phases = [.resolve] }
        if !entry.asked[item.phase, default: []].isSuperset(of: item.answers.map(\.question)) {
            fail("\(item.phase) got answers to questions it never asked")
        }
        if item.phase != .resolve {
            for parameter in item.parameters {
                if let value = parameter.value, entry.rejected[parameter.name]?.contains(value) == true {
                    fail("\(item.phase) got '\(parameter.name)' = \(value), which the resolver had rejected")
                }
                if parameter.elements != nil, parameter.origin != .notRequired,
                    let elements = parameter.value?.view.elements.map(\.json),
                    entry.rejected["\(parameter.name)[]"]?.isDisjoint(with: elements) == false
                {
                    fail("\(item.phase) got '\(parameter.name)' with an element that the resolver had rejected")
                }
            }
        }
    }

    private mutating func record(_ result: SessionResult) {
        sequence += 1
        if result.sequence != sequence { fail("result \(result.sequence) where \(sequence) is due") }
        switch result.body {
        case .prompted(let prompt):
            // The prompt's id is `<request>.<step>.<code>`.
            let step = Int(prompt.id.text.split(separator: ".").dropLast().last ?? "") ?? 0
            guard let request = result.request, step > requests[request]?.step ?? .max else {
                return fail("a prompt with an old step")
            }
            if prompts.contains(prompt.id) { fail("two prompts '\(prompt.id)'") }
            prompts.append(prompt.id)
            requests[request]?.step = step
            if let question = prompt.question {
                requests[request]?.asked[question.phase, default: []].insert(question.id)
            }
            requests[request]?.prompts += 1
        case .reminded(let reminder):
            if prompts.last != reminder.prompt.id {
                fail("a reminder of '\(reminder.prompt.id)', which is not the last prompt")
            }
        case .optionsListed(let listed):
            if prompts.last != listed.prompt { fail("options of '\(listed.prompt)', which is not the last prompt") }
        case .handoffOffered(let handoff):
            if handoffs.contains(handoff.id), handoff.returns == 0 { fail("two handoffs '\(handoff.id)'") }
            if handoff.claimant != nil {
                fail("'\(handoff.id)' is offered, and \(handoff.claimant?.name ?? "") has it")
            }
            if !handoffs.contains(handoff.id) { handoffs.append(handoff.id) }
        case .handoffCompleted(let handoff, _):
            if !handoffs.contains(handoff.id) { fail("'\(handoff.id)' is completed, and was never offered") }
            if handoff.claimant == nil { fail("'\(handoff.id)' is completed, and nobody has it") }
        case .answerRead(let answer):
            if prompts.last != answer.prompt { fail("an answer to '\(answer.prompt)', which is not the last prompt") }
        case .completed(let completion):
            completions.append(completion)
            if let opens = completion.opens { accepted(opens.request) }
            guard let request = result.request, let entry = requests[request] else {
                return fail("a completion of a request that was never accepted")
            }
            requests[request]?.completions += 1
            if entry.completions > 0 { fail("'\(request)' was completed twice") }
            let (turns, prompts) = (completion.turns, entry.prompts)
            if turns != prompts { fail("\(turns) turns reported, there were \(prompts)") }
        case .lateOutcome, .updated, .updatesEnded:
            guard let request = result.request, let entry = requests[request], entry.completions == 1 else {
                return fail("a late outcome or an update of a request that has not ended")
            }
            guard case .lateOutcome = result.body else { return }
            requests[request]?.late += 1
            if entry.late > 0 { fail("'\(request)' had two late outcomes") }
        case .memoryForgotten(let forgotten):
            if result.request != nil { fail("the forgetting '\(forgotten.event)' is about no request") }
            if unconfirmed.remove(forgotten.event) == nil {
                fail("'\(forgotten.event)' is confirmed, and nobody waits for it")
            }
        case .rejected(let rejection): if let event = rejection.event { unconfirmed.remove(event) }
        case .progressed, .handoffClaimed: break
        }
    }

    /// Nothing is handled without the approval that it needs, or with other values than those that were agreed to.
    private mutating func recordApproval(_ before: Session, _ effects: [Effect], _ after: Session) {
        guard let active = after.active else { return agreed = nil }
        let agreement = active.confirmed.agreement
        let values = active.parameters.filter { $0.value != nil }.map { "\($0.name)=\($0.value?.description ?? "")" }
            .sorted()
        if agreement != before.active?.confirmed.agreement || agreed?.request != active.request.id {
            agreed = agreement.map { _ in (active.request.id, values) }
        }
        guard active.phase == .handle, active.step != before.active?.step else { return }
        let isAsked = before.active?.prompt?.approval != nil && before.active?.request.id == active.request.id
        if isAsked || active.traits.confirmation?.approval != nil, agreement == nil {
            return fail("'\(active.request.id)' is handled without its approval")
        }
        guard let agreement else { return }
        if agreed?.values != values { fail("'\(active.request.id)' is handled with other values than were agreed to") }
        let requesters = [after.owner, active.request.principal]
        let others = agreement.consents.filter { !$0.isRequester }.map(\.principal)
        if agreement.consents.count < agreement.approval.count { fail("\(agreement.consents.count) have agreed") }
        if Set(others).count < others.count || others.contains(where: { $0 == nil || requesters.contains($0) }) {
            fail("one of those who have agreed counts twice, is unknown, or is the requester")
        }
        let own = agreement.consents.count(where: \.isRequester)
        if own > (agreement.approval.includesRequester ? 1 : 0) { fail("the requester has agreed \(own) times") }
    }

    private mutating func recordMoves(_ before: Session, _ effects: [Effect], _ after: Session) {
        let (from, to) = (before.stages, after.stages)
        let completed = effects.compactMap { effect -> Identifier? in
            guard case .result(let result) = effect, case .completed = result.body else { return nil }
            return result.request
        }
        for id in Set(from.keys).union(to.keys).union(completed) {
            let old = from[id] ?? .queued
            guard let new = completed.contains(id) ? .ended : to[id] else {
                fail("'\(id)' is gone without a completion")
                continue
            }
            if old == new { continue }
            let move = Move(from: old, to: new)
            moves.insert(move)
            if !Move.declared.contains(move) { fail("'\(id)' went \(move), which no stage declares") }
        }
    }
}

extension ActiveRequest {
    fileprivate var secrets: Set<String> { Set(parameters.filter(\.isSecret).map(\.name)) }
}

extension Session {
    /// The stage of each of the session's requests.
    var stages: [Identifier: StageName] {
        var stages: [Identifier: StageName] = [:]
        for request in queued { stages[request.id] = .queued }
        for request in suspended + (active.map { [$0] } ?? []) { stages[request.request.id] = request.stage.name }
        return stages
    }
}
