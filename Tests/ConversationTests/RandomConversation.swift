import Conversation
import IntentModel
import PipelineTestKit
import Testing

/// Random events of a session, in any order: valid and invalid, on time and late. The same seed makes the same
/// conversation.
struct RandomConversation {
    let talk = Talk()
    private var random: SeededRandom
    private var requests = 0
    private var oldPrompts: [Identifier] = []
    /// Half of the persons are authenticated, so that something can be remembered about them.
    private let person: Principal?
    /// The person's memory, and the changes that are in flight.
    private var known = RememberedPerson()
    private var written: [MemoryChange] = []
    private var changes: Int64 = 0
    private var forgettings = 0

    init(seed: UInt64) {
        random = SeededRandom(seed: seed)
        person = seed % 2 == 0 ? Principal(.appUser, "ann") : nil
        talk.policy.announceAfter = .seconds(5)
        talk.policy.limits.maximumAsks = 3
        talk.policy.limits.maximumAttempts = 3
        talk.policy.limits.maximumQueued = 3
        talk.policy.limits.maximumSuspended = 2
        talk.policy.limits.maximumHandoffs = 2
        talk.policy.limits.rememberedRequests = 6
        talk.policy.limits.maximumQuestions = 8
        talk.policy.limits.maximumMemoryKeys = 2
        talk.policy.limits.maximumOpened = 2
    }

    /// Sends the session one random event.
    mutating func step() {
        talk.now = talk.now.advanced(
            by: random.once(in: 40) ? .seconds(-30) : .milliseconds(.random(in: 0...3_000, using: &random)))
        if let prompt = talk.prompt?.id, oldPrompts.last != prompt { oldPrompts = oldPrompts.suffix(5) + [prompt] }
        let event = event()
        talk.receive(event, from: sender(of: event))
        for case .memory(let change, of: _) in talk.effects { written.append(change) }
        guard case .forgotten = talk.decision else { return }
        talk.begin(random.once(in: 2) ? talk.session.remains(at: talk.now, policy: talk.policy) : nil)
    }

    /// Answers to approvals come from the person, from approvers and from strangers.
    private mutating func sender(of event: SessionEvent) -> Principal? {
        guard case .answered = event, talk.prompt?.approval != nil else { return person }
        return random.pick([
            person, nil, Principal(.appUser, "bob"), Principal(.appUser, "cem"), Principal(.user, "eve"),
        ])
    }

    private mutating func event() -> SessionEvent {
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<14: return .requested(request())
        case 14..<20: return timer()
        case 20..<26:
            return .corrected(Correction(request: maybe(anyRequest()), parameter: parameter(), value: value()))
        case 26..<28: return .cancelled(request: maybe(anyRequest()))
        case 28..<29: return person != nil && random.once(in: 2) ? memoryChanged() : .forgotten(forgetting())
        case 29 where random.once(in: 4): return .ended(reason: maybe("as the test wants it"))
        case 29..<30: return .refused(Rejection(.invalid, "refused"))
        case 30..<31:
            return .unreadableOutcome(
                Rejection(.unparseable, "unreadable"), random.once(in: 2) ? nil : talk.session.active?.ticket)
        case 31 where random.once(in: 2):
            return .workRefused(
                request: anyRequest(), step: talk.session.active?.step ?? 0, Rejection(.internal, "refused"))
        case 31..<34: return claim()
        case 34: return .updatesStarted(request: talk.session.updates.last?.request.id ?? anyRequest())
        case 36 where talk.prompt != nil || random.once(in: 8):
            return .optionsRequested(
                OptionsRequest(prompt: talk.prompt?.id ?? "none", start: Int.random(in: 0...3, using: &random)))
        case 37 where !talk.session.undoable.isEmpty:
            requests += 1
            return .undoRequested(
                UndoRequest(id: random.once(in: 4) ? anyRequest() : "r\(requests)", request: maybe(anyRequest())))
        case 35: return .updatesStopped(request: talk.session.updates.last?.request.id ?? anyRequest())
        default:
            if talk.prompt != nil || random.once(in: 8) { return .answered(answer()) }
            if talk.stage == .handedOff { return random.once(in: 4) ? timer() : claim() }
            if talk.session.active?.retryAt != nil, !random.once(in: 3) { return timer() }
            return .outcome(outcome())
        }
    }

    private mutating func forgetting() -> Forgetting {
        forgettings += 1
        let (keys, scope) = (random.once(in: 2) ? nil : ["dropOff"], random.pick(Forgetting.Scope.allCases))
        return Forgetting(keys: keys, scope: scope, event: random.once(in: 4) ? nil : "f\(forgettings)")
    }

    /// The event that some of the session's changes are done, one is refused, or another session has forgotten values.
    private mutating func memoryChanged() -> SessionEvent {
        if let refused = written.first, refused.stream == talk.session.person.stream, random.once(in: 8) {
            written.removeFirst()
            return .changeRefused(number: refused.number, Rejection(.internal, "refused"))
        }
        var done = Array(written.prefix(.random(in: 0...4, using: &random)))
        written.removeFirst(done.count)
        if random.once(in: 3) {
            forgettings += 1
            let keys = random.once(in: 2) ? nil : ["party"]
            done.append(MemoryChange(.forget(keys), stream: "other", number: forgettings, time: talk.now))
        }
        for change in done {
            known.take(change, at: MemoryPosition(offset: changes))
            changes += 1
        }
        return .memoryChanged(MemoryNews(done: known.done(talk.session.person.stream), forgettings: known.forgettings))
    }

    private mutating func request() -> IntentRequest {
        requests += 1
        let id: Identifier = random.once(in: 8) ? anyRequest() : "r\(requests)"
        let parameters = (0..<Int.random(in: 0...2, using: &random)).map { _ in
            ParameterState(name: parameter(), value: value())
        }
        var request = IntentRequest(
            id: id, intent: "Book", parameters: parameters, whenBusy: random.pick(IntentRequest.WhenBusy.allCases),
            deadline: random.once(in: 6) ? talk.now.advanced(by: .seconds(.random(in: -5...60, using: &random))) : nil)
        if random.once(in: 8) {
            request.candidates = ["Book", "Unbook", "Ask"].map {
                IntentCandidate(intent: $0, confidence: .random(in: 0...1, using: &random))
            }
            request.fallback = random.once(in: 2) ? "Search" : nil
        }
        if random.once(in: 3) { request.clock = PersonClock(said: talk.now) }
        guard person != nil else { return request }
        let own = talk.session.person
        request.remembered = own.adding(to: known.values, known)
        request.memoryDone = known.done(own.stream)
        request.memorySince = known.forgettings.last?.position
        return request
    }

    private mutating func timer() -> SessionEvent {
        if !random.once(in: 4) { talk.now = max(talk.now, talk.session.nextTimer(talk.policy)) }
        return .timer
    }

    private mutating func answer() -> Answer {
        let prompt: Identifier =
            random.once(in: 6)
            ? oldPrompts.last(where: { _ in random.once(in: 2) }) ?? "none" : talk.prompt?.id ?? "none"
        let options = talk.prompt?.options.map(\.id) ?? []
        // An acceptance of the intent carries no other values.
        let isYes = talk.prompt?.kind == .confirmIntent && !random.once(in: 4)
        var answer = Answer(
            prompt: prompt, action: random.once(in: 4) ? random.pick(Answer.Action.allCases) : .accept,
            value: !isYes && random.once(in: 2) ? value() : nil,
            option: random.once(in: 2) ? random.pick(options + ["x"]) : nil,
            parameters: random.once(in: 5)
                ? [ParameterState(name: parameter(), value: random.once(in: 4) ? .null : value())] : [])
        if talk.prompt?.approval != nil { answer.roles = random.pick([[], ["finance"], ["board"]]) }
        answer.isFromAgent = random.once(in: 10)
        answer.delegate = maybe(Principal(.appUser, random.pick(["ann", "bob", "cem"])))
        return answer
    }

    private mutating func approval() -> Approval {
        let reminders = (0..<Int.random(in: 0...3, using: &random)).map { _ in
            Duration.seconds(.random(in: 1...50, using: &random))
        }
        return Approval(
            by: random.once(in: 20) ? [] : [.principal(Principal(.appUser, "bob")), .role("finance")],
            count: .random(in: 1...3, using: &random), includesRequester: random.once(in: 2), timeout: .seconds(60),
            reminders: reminders,
            escalation: random.once(in: 2) ? nil : .init(after: .seconds(20), to: [.role("board")]))
    }

    private mutating func claim() -> SessionEvent {
        let handoff: Identifier =
            random.once(in: 5) ? "none" : talk.session.handoffs.randomElement(using: &random)?.id ?? talk.handoff
        let claimant: Claimant = random.once(in: 4) ? "watch" : "phone"
        if random.once(in: 2) { return .handoffClaimed(handoff: handoff, claimant: claimant) }
        if random.once(in: 4) { return .handoffReturned(handoff: handoff, claimant: claimant) }
        let code: ResponseCode = random.pick([.success, .success, .failure, .ready])
        return .handoffCompleted(handoff: handoff, claimant: claimant, response: IntentResponse(code))
    }

    private mutating func outcome() -> Outcome {
        let active = talk.session.active
        let isOld = random.once(in: 8)
        let phase = random.once(in: 20) ? random.pick(Phase.allCases) : active?.phase ?? .resolve
        if let late = talk.session.abandoned.last, random.once(in: 10) {
            return Outcome(
                request: late.request, step: late.step, phase: .handle, content: content(.handle),
                ticket: random.once(in: 8) ? active?.ticket : late.ticket)
        }
        if let open = talk.session.updates.last(where: \.isOpen), random.once(in: 3) {
            let update = IntentUpdate(
                phase: random.pick(["ongoing", "arriving", "completed", ""]), completionStatus: maybe("completed"))
            let failure = IntentFailure(.retry(after: .zero), reason: .busy, message: "given back")
            let content: Outcome.Content =
                random.once(in: 6)
                ? .updatesEnded(.completed) : random.once(in: 6) ? .finished(.failed(failure)) : .updated(update)
            return Outcome(
                request: open.request.id, step: open.step, phase: .handle, content: content,
                ticket: random.once(in: 8) ? nil : open.ticket)
        }
        var outcome = Outcome(
            request: isOld && random.once(in: 2) ? anyRequest() : active?.request.id ?? "none",
            step: (active?.step ?? 1) - (isOld ? .random(in: -1...2, using: &random) : 0), phase: phase,
            content: content(phase), ticket: random.once(in: 60) ? nil : active?.ticket)
        if phase == .resolve, random.once(in: 3) { outcome.policy = policy() }
        return outcome
    }

    private mutating func policy() -> IntentPolicy {
        var policy = IntentPolicy(
            effect: random.pick(IntentEffect.allCases),
            handle: PhasePolicy(
                timeout: .seconds(.random(in: 1...90, using: &random)),
                announceAfter: .seconds(.random(in: 0...20, using: &random)),
                retry: RetryPolicy(
                    firstDelay: .seconds(1), maximumAttempts: .random(in: 1...4, using: &random),
                    neverRetried: [.invalid])),
            answerTimeout: random.once(in: 2) ? .seconds(30) : nil,
            asks: random.once(in: 3)
                ? nil
                : AskPolicy(
                    maximum: random.once(in: 2) ? 4 : nil, noAnswer: .random(in: 0...2, using: &random), noMatch: 1,
                    unsupported: random.once(in: 2) ? 1 : nil, offersOptions: random.once(in: 2),
                    finally: random.once(in: 2) ? .handToApp : .fail("failureNotUnderstood")))
        if random.once(in: 4) { policy.reminders = [.seconds(10), .seconds(40)] }
        return policy
    }

    private mutating func content(_ phase: Phase) -> Outcome.Content {
        switch Int.random(in: 0..<20, using: &random) {
        case 0: return .cancelled
        case 1: return .progressed(fraction: 0.5, dialog: nil)
        case 2:
            let disposition: IntentFailure.Disposition = random.pick([.failure("failureX"), .reject])
            let field = random.once(in: 2) ? "parameters.\(parameter())" : nil
            let reason = random.pick(RejectionReason.allCases)
            return .finished(.failed(IntentFailure(disposition, reason: reason, message: "failed", field: field)))
        case 3...4:
            let delay = Duration.seconds(.random(in: -1...30, using: &random))
            return .finished(.failed(IntentFailure(.retry(after: delay), reason: .busy, message: "again")))
        case 5 where phase == .handle: return .starting(claim: random.pick(["a", "a", "a", "b"]))
        case 6...9
        where phase == .handle && talk.session.active?.permit == nil
            && talk.session.active?.policy?.effect == .atMostOnce:
            return .starting(claim: "a")
        case 5 where phase != .resolve: return .finished(.resolved([]))
        case 9...11 where phase != .resolve || random.once(in: 10): return .finished(.asked(question(phase)))
        case 6...8 where phase == .handle:
            return .progressed(fraction: random.once(in: 3) ? nil : .random(in: 0...1, using: &random), dialog: nil)
        default: break
        }
        if phase == .resolve {
            let isOffering = random.once(in: 2)
            let plain = ["dropOff", "party"].map { name in
                var parameter = ResolvedParameter(
                    name: name, resolution: resolution(name), isSecret: random.once(in: 20),
                    memoryKey: random.once(in: 2) ? name : nil)
                parameter.memoryScope = random.pick(MemoryScope.allCases)
                if isOffering { parameter.options = [Station.north, Station.south] }
                return parameter
            }
            let asks = random.once(in: 3)
            return .finished(.resolved(plain + friends(), confirmation: asks ? confirmation() : nil))
        }
        let common: [ResponseCode] = [.continueInApp, .handleInApp, .failure, .failureRequiringAppLaunch]
        let codes: [ResponseCode] =
            phase == .confirm
            ? [.ready, .ready, .success, .userConfirmationRequired] + common + [.inProgress]
            : [.success, .success, .inProgress, .continueInApp] + common + [.ready]
        let asking = phase == .confirm && random.once(in: 3) ? confirmation() : nil
        var response = IntentResponse(random.pick(codes))
        response.offersUpdates = random.once(in: 2)
        if random.once(in: 3) { response.validFor = .seconds(.random(in: -1...2, using: &random)) }
        if random.once(in: 12) { response.approval = approval() }
        if random.once(in: 4) { response.opensIntent = OpenedIntent(intent: "Book", parameters: ["dropOff": value()]) }
        if random.once(in: 3) { response.proposed = [parameter(): value()] }
        if random.once(in: 3) {
            response.items = random.pick([[Station.north], [Station.north, Station.south]])
            response.choice = ItemChoice(remembers: ["dropOff": "name"])
            response.remembered = random.once(in: 2) ? ["seen": value()] : [:]
        }
        if random.once(in: 3) {
            response.undo = UndoOffer(OpenedIntent(intent: "Unbook", parameters: ["dropOff": value()]))
        }
        return .finished(.responded(response, confirmation: asking))
    }

    private mutating func confirmation() -> ConfirmationRequest {
        ConfirmationRequest(summary: "Book", approval: random.once(in: 2) ? approval() : nil)
    }

    private mutating func question(_ phase: Phase) -> PhaseQuestion {
        let kind: PhaseQuestion.Kind = random.pick([
            .value, .choice([Station.north, Station.south]), .confirmValue(Station.north.value), .confirmIntent,
            .confirmIntent, .signIn(SignIn(requires: random.once(in: 2) ? .person : nil)),
        ])
        return PhaseQuestion(
            id: "\(phase)-\(Int.random(in: 0...2, using: &random))", kind: kind,
            parameter: random.once(in: 2) ? parameter() : nil,
            recorded: random.once(in: 2) ? ["hold": value()] : [:])
    }

    /// Resolutions of the list, if there is one: the whole list succeeds, or one or two of its elements are open.
    private mutating func friends() -> [ResolvedParameter] {
        guard let known = talk.session.active?.parameters.first(where: { $0.name == "friends" }),
            let value = known.value
        else { return [] }
        let list = value.view.elements.map(\.json)
        guard !list.isEmpty, !random.once(in: 2) else {
            return [ResolvedParameter(name: "friends", resolution: .success(value))]
        }
        var indices = [Int.random(in: 0..<list.count, using: &random)]
        if let other = list.indices.first(where: { $0 != indices[0] }), random.once(in: 3) { indices.append(other) }
        let origins = list.indices.map {
            indices.contains($0) || random.once(in: 5) ? ParameterState.Origin.given : .resolved
        }
        return indices.map { index in
            let resolution: ParameterResolution = random.pick([.which, .isItNorth, .notThere, .missing])
            return ResolvedParameter(
                name: "friends", resolution: resolution,
                element: ListElement(index: index, list: list, origins: origins))
        }
    }

    private mutating func resolution(_ name: String) -> ParameterResolution {
        let known = talk.session.active?.parameters.first { $0.name == name }?.value
        switch Int.random(in: 0..<12, using: &random) {
        case 0: return .needsValue(dialog: nil)
        case 1: return .which
        case 2: return .isItNorth
        case 3...4: return .notThere
        case 5: return .notRequired
        default: return known.map { .success($0) } ?? (random.once(in: 2) ? .notRequired : .needsValue(dialog: nil))
        }
    }

    private mutating func parameter() -> String { random.pick(["dropOff", "party", "friends"]) }

    private mutating func value() -> JSON {
        let words = [Station.north.value, .string("Leeds"), .string("Moon"), .string("n"), .number(2)]
        if random.once(in: 3) {
            return .array((0...Int.random(in: 0...2, using: &random)).map { _ in random.pick(words) })
        }
        return random.pick(words)
    }

    private mutating func maybe<Value>(_ value: Value) -> Value? { random.once(in: 2) ? value : nil }

    private mutating func anyRequest() -> Identifier {
        let open = talk.session.stages.keys.sorted()
        return random.once(in: 3)
            ? "r\(max(1, requests - .random(in: 0...20, using: &random)))"
            : open.randomElement(using: &random) ?? "none"
    }
}

extension Talk {
    /// Opens the session again after it was forgotten.
    func begin(_ remains: ForgottenSession?) {
        session = Session(id: "s", after: remains, at: now)
        ledger = Ledger(moves: ledger.moves)
    }
}
