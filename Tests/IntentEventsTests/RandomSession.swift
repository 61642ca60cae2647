import Conversation
import IntentEvents
import IntentModel
import PipelineTestKit

/// Makes sessions in every stage and with every member, from a seed.
struct RandomSession {
    var random: SeededRandom

    init(seed: UInt64) { random = SeededRandom(seed: seed) }

    mutating func journaled() -> JournaledSession {
        var session = Session(id: random.pick(["kitchen", "Küche 2", "a/b", "🏠"]), updated: instant())
        session.sequence = int()
        session.owner = maybe { $0.principal() }
        session.isOwnerNamed = session.owner != nil && .random(using: &random)
        session.active = maybe { $0.active(Self.stages[Int.random(in: 0..<Self.stages.count, using: &$0.random)]) }
        session.suspended = some { $0.active(Bool.random(using: &$0.random) ? .awaitingAnswer : .awaitingConfirmation) }
        session.queued = some { $0.request() }
        session.handoffs = some { $0.handoff() }
        session.rememberedRequests = RequestIDs(some { Identifier($0.text()) })
        session.onceRequests = some { OnceRequest(id: Identifier($0.text()), until: $0.instant()) }
        if Set(session.onceRequests.map(\.id)).count < session.onceRequests.count { session.onceRequests.removeLast() }
        session.person = person()
        session.memory = SessionMemory(some { SessionMemory.Entry(key: $0.text(), value: $0.value()) })
        session.ending = maybe { SessionEnding(reason: $0.maybe { $0.text() }) }
        session.updates = some { $0.liveUpdates() }
        session.undoable = some { $0.undoable() }
        session.abandoned = some {
            AbandonedWork(
                request: Identifier($0.text()), intent: Identifier($0.text()), step: $0.int(),
                ticket: $0.maybe { $0.ticket() },
                trace: $0.maybe { $0.trace() })
        }
        return JournaledSession(session, unacknowledged: some { $0.result() })
    }

    static let stages: [StageName] = [
        .resolving, .awaitingAnswer, .confirming, .awaitingConfirmation, .handling, .inProgress, .handedOff,
    ]

    mutating func stamp() -> JournalStamp {
        var stamp = JournalStamp(
            epoch: count(), owner: random.pick(["coordinator-1", "a=b", "host.example.com-17-0af3"]), number: count(),
            requests: Int64(count()), outcomes: Int64(count()), settled: Int64(count()), results: Int64(count()),
            lastRequest: maybe { Int64($0.count()) }, lastOutcome: maybe { Int64($0.count()) })
        stamp.inputs = maybe { $0.count() } ?? 0
        return stamp
    }

    /// A number in a stamp, less than 2⁵³.
    private mutating func count() -> Int { min(int(), 1 << 53 - 1) }

    private mutating func active(_ name: StageName) -> ActiveRequest {
        // The parameters of an active request are stored beside the request.
        var request = request()
        request.parameters = []
        let stage: ActiveRequest.Stage =
            switch name {
            case .awaitingAnswer: .awaitingAnswer(prompt(random.pick([.value, .choice, .confirmValue, .signIn])))
            case .awaitingConfirmation: .awaitingConfirmation(prompt(.confirmIntent))
            case .confirming: .confirming(working())
            case .handling: .handling(working(), call())
            case .inProgress: .inProgress(call())
            case .handedOff: .handedOff(handoff: Identifier(text()))
            case .queued, .resolving, .ended: .resolving(working())
            }
        var active = ActiveRequest(
            request: request, parameters: parameters(), stage: stage, step: int(), began: instant())
        active.stageEnds = instant()
        active.times.step = instant()
        active.times.waited = int()
        active.ticket = maybe { $0.ticket() }
        active.run.attempt = .random(in: 1...5, using: &random)
        active.run.isInApp = .random(using: &random)
        active.run.fraction = maybe { .random(in: 0...1, using: &$0.random) }
        active.run.notes = PhaseNotes(
            answers: some {
                PhaseAnswer(question: $0.text(), isAccepted: .random(using: &$0.random), value: $0.maybe { $0.value() })
            },
            recorded: object(), asks: asks())
        active.run.notes.phase = maybe { $0.random.pick(Phase.allCases) }
        active.asking.turns = .random(in: 0...3, using: &random)
        active.asking.asks = asks()
        active.asking.questions = .random(in: 0...3, using: &random)
        active.asking.misses = Dictionary(some { ($0.text(), $0.misses()) }, uniquingKeysWith: { a, _ in a })
        active.asking.alternatives = some { $0.option() }
        active.asking.replaced = parameters()
        active.openedRoute = maybe { $0.route() }
        active.openedMemory = some { $0.remembered() }
        active.traits.rememberedForPerson = some { $0.text() }
        active.traits.knowsSecrets = .random(using: &random)
        active.traits.memoryKeys = Dictionary(some { ($0.text(), $0.text()) }, uniquingKeysWith: { a, _ in a })
        active.traits.policy = maybe { $0.policy() }
        active.traits.confirmation = maybe { make in
            ConfirmationRequest(
                dialog: make.maybe { $0.text() }, summary: make.maybe { $0.text() },
                parameters: make.some { $0.shown() },
                action: make.maybe { $0.action() })
        }
        active.confirmed.activity = maybe { $0.activity() }
        active.confirmed.items = some { $0.option() }
        active.confirmed.validUntil = maybe { $0.instant() }
        active.result = maybe { $0.response() }
        active.redone = .random(in: 0...2, using: &random)
        return active
    }

    private mutating func working() -> ActiveRequest.Working {
        ActiveRequest.Working(announceAt: maybe { $0.instant() }, retryAt: maybe { $0.instant() })
    }

    private mutating func call() -> ActiveRequest.HandlerCall {
        ActiveRequest.HandlerCall(
            permit: maybe { $0.text() }, cancelReason: maybe { $0.random.pick(CancellationReason.allCases) })
    }

    private mutating func liveUpdates() -> LiveUpdates {
        var request = request()
        request.parameters = []
        var updates = LiveUpdates(
            request: request, parameters: parameters(), isInApp: .random(using: &random), step: int(),
            silentAt: instant(),
            ends: instant())
        updates.ticket = maybe { $0.ticket() }
        updates.isOpen = .random(using: &random)
        updates.isStopped = .random(using: &random)
        updates.restarts = .random(in: 0...4, using: &random)
        updates.phase = maybe { $0.text() }
        updates.told = maybe { $0.instant() }
        return updates
    }

    private mutating func misses() -> Misses {
        var misses = Misses()
        misses.noAnswer = .random(in: 0...3, using: &random)
        misses.noMatch = .random(in: 0...3, using: &random)
        misses.unsupported = .random(in: 0...3, using: &random)
        misses.wasOffered = .random(using: &random)
        return misses
    }

    private mutating func policy() -> IntentPolicy {
        IntentPolicy(
            effect: maybe { $0.random.pick(IntentEffect.allCases) }, resolve: phasePolicy(), confirm: phasePolicy(),
            handle: phasePolicy(),
            answerTimeout: duration(), handoffTimeout: duration(), inProgressTimeout: duration(),
            cleanupTimeout: duration(),
            asks: maybe {
                AskPolicy(
                    maximum: $0.maybe { .random(in: 1...9, using: &$0.random) },
                    noAnswer: .random(in: 0...3, using: &$0.random),
                    noMatch: $0.maybe { .random(in: 0...3, using: &$0.random) },
                    unsupported: $0.maybe { .random(in: 0...3, using: &$0.random) },
                    offersOptions: .random(using: &$0.random),
                    finally: .random(using: &$0.random) ? .handToApp : .fail(ResponseCode(rawValue: $0.text())))
            })
    }

    private mutating func phasePolicy() -> PhasePolicy {
        PhasePolicy(
            timeout: duration(), announceAfter: duration(),
            retry: maybe {
                RetryPolicy(
                    firstDelay: $0.duration() ?? .zero, factor: .random(in: 1...9, using: &$0.random),
                    maximumDelay: $0.duration() ?? .zero, maximumAttempts: .random(in: 1...9, using: &$0.random),
                    neverRetried: $0.some { $0.random.pick(RejectionReason.allCases) })
            })
    }

    private mutating func duration() -> Duration? {
        maybe { .milliseconds(Int.random(in: 0...100_000_000, using: &$0.random)) }
    }

    private mutating func asks() -> [String: Int] {
        Dictionary(some { ($0.text(), Int.random(in: 1...5, using: &$0.random)) }, uniquingKeysWith: max)
    }

    private mutating func request() -> IntentRequest {
        var request = IntentRequest(
            id: Identifier(text()), intent: Identifier(text()), parameters: parameters(),
            whenBusy: random.pick(IntentRequest.WhenBusy.allCases),
            deadline: maybe { $0.instant() }, locale: maybe { $0.text() }, attributes: object(),
            trace: maybe { $0.trace() })
        request.depth = .random(in: 0...2, using: &random)
        request.principal = maybe { $0.principal() }
        request.candidates = some { make in
            IntentCandidate(
                intent: Identifier(make.text()), confidence: .random(in: 0...1, using: &make.random),
                title: make.maybe { $0.text() },
                parameters: make.parameters())
        }
        for index in request.candidates.indices { request.candidates[index].route = maybe { $0.route() } }
        request.fallback = maybe { Identifier($0.text()) }
        request.fallbackRoute = maybe { $0.route() }
        request.clock = maybe { make in
            PersonClock(
                timeZone: make.maybe { _ in "Europe/Amsterdam" },
                ahead: .random(in: -1_000...100_000_000, using: &make.random),
                said: Instant(milliseconds: .random(in: 1_000...4_000_000_000_000, using: &make.random)))
        }
        request.route = maybe { $0.route() }
        request.remembered = some { $0.remembered() }
        request.memorySince = maybe { $0.position() }
        request.isForgotten = random.once(in: 3)
        return request
    }

    // MARK: The person's memory

    private mutating func remembered() -> RememberedValue {
        RememberedValue(key: key(), value: value(), intent: maybe { Identifier($0.text()) }, time: instant())
    }

    /// A key of the memory, which is never empty.
    private mutating func key() -> String { "k" + text() }

    private mutating func keys() -> [String]? { maybe { $0.some { $0.text() } } }

    private mutating func person() -> PersonMemory {
        if random.once(in: 3) { return PersonMemory() }
        return PersonMemory(
            stream: Identifier(text()), last: max(1, int()), pending: some { $0.change() },
            told: maybe { $0.position() })
    }

    mutating func change() -> MemoryChange {
        MemoryChange(
            random.once(in: 2) ? .remember(remembered()) : .forget(keys()), stream: Identifier(text()), number: int(),
            since: maybe { $0.position() }, time: instant(), event: maybe { Identifier($0.text()) })
    }

    private mutating func position() -> MemoryPosition {
        MemoryPosition(epoch: random.once(in: 2) ? 0 : int(), offset: Int64(int()))
    }

    mutating func rememberedPerson() -> RememberedPerson {
        RememberedPerson(
            values: some { $0.remembered() },
            forgettings: some {
                DoneForgetting(
                    keys: $0.keys(), count: $0.int(), stream: Identifier($0.text()), number: $0.int(),
                    position: $0.position())
            }, streams: some { MemoryStream(name: Identifier($0.text()), number: $0.int()) }, position: position())
    }

    private mutating func route() -> IntentRoute {
        IntentRoute(service: maybe { $0.text() }, appService: maybe { $0.text() }, isInApp: .random(using: &random))
    }

    private mutating func parameters() -> [ParameterState] {
        let origins: [ParameterState.Origin] = [.given, .chosen, .confirmed, .resolved, .notRequired]
        return some { make in
            var state = ParameterState(
                name: make.text(), value: make.maybe { $0.value() }, origin: make.random.pick(origins))
            state.elements = make.maybe { $0.some { $0.random.pick(origins) } }
            state.isSecret = make.random.once(in: 4)
            state.provenance = make.maybe { $0.provenance() }
            return state
        }
    }

    private mutating func provenance() -> ParameterState.Provenance {
        ParameterState.Provenance(
            source: maybe { $0.random.pick(ParameterState.Provenance.Source.allCases) },
            original: maybe { .string($0.text()) },
            interpreted: maybe { .string($0.text()) }, confidence: Double(Int.random(in: 0...100, using: &random)) / 100
        )
    }

    private mutating func prompt(_ kind: Prompt.Kind) -> Prompt {
        var prompt = Prompt(
            id: Identifier(text()), intent: Identifier(text()), kind: kind, parameter: maybe { $0.text() },
            dialog: text(),
            value: maybe { $0.value() },
            options: kind == .choice ? [option(), option()] : [], unsupportedReason: maybe { $0.text() },
            summary: maybe { $0.text() },
            expires: Instant(milliseconds: .random(in: 0...4_000_000_000_000, using: &random)))
        prompt.title = maybe { $0.text() }
        prompt.element = maybe { .random(in: 0...3, using: &$0.random) }
        prompt.isSecret = .random(using: &random)
        prompt.isAboutItems = .random(using: &random)
        prompt.isAboutIntents = .random(using: &random)
        prompt.proposed = parameters()
        prompt.omitsOptions = .random(using: &random)
        prompt.rejectedValue = prompt.unsupportedReason == nil ? nil : maybe { $0.value() }
        prompt.declaration = maybe { $0.value() }
        prompt.parameters = some { $0.shown() }
        prompt.action = maybe { $0.action() }
        prompt.supportingDialog = maybe { $0.text() }
        prompt.provenance = maybe { $0.provenance() }
        prompt.snippet = maybe { $0.snippet() }
        if kind == .signIn { prompt.signIn = signIn() }
        prompt.question = maybe {
            Prompt.Question(id: $0.text(), phase: .random(using: &$0.random) ? .confirm : .handle)
        }
        return prompt
    }

    /// The members of a response that are stored while the person chooses one of its items.
    private mutating func response() -> IntentResponse {
        var response = IntentResponse(
            ResponseCode(rawValue: text()), userActivity: maybe { $0.activity() }, dialog: maybe { $0.text() },
            values: object())
        response.choice = maybe {
            ItemChoice(
                dialog: $0.maybe { $0.text() },
                remembers: Dictionary($0.some { ($0.text(), $0.text()) }, uniquingKeysWith: { a, _ in a }))
        }
        response.items = some { $0.option() }
        response.remembered = object()
        response.rememberedForPerson = object()
        response.offersUpdates = .random(using: &random)
        response.opensIntent = maybe { OpenedIntent(intent: Identifier($0.text()), parameters: $0.object()) }
        response.supportingDialog = maybe { $0.text() }
        response.snippet = maybe { $0.snippet() }
        response.undo = maybe {
            UndoOffer(
                OpenedIntent(intent: $0.random.pick(["CancelRide", "Unsend"]), parameters: $0.object()),
                title: $0.maybe { $0.text() },
                validFor: .milliseconds(Int.random(in: 1_000...86_400_000, using: &$0.random)))
        }
        response.results = some {
            ElementResult(
                id: $0.maybe { $0.text() }, title: $0.text(), code: ResponseCode(rawValue: $0.text()),
                dialog: $0.maybe { $0.text() })
        }
        return response
    }

    private mutating func snippet() -> Snippet {
        Snippet(
            plain: text(), subtitle: maybe { $0.text() }, image: maybe { .systemName($0.text()) },
            lines: some { Snippet.Line(plain: $0.text(), $0.text()) })
    }

    private mutating func signIn() -> SignIn {
        SignIn(
            url: maybe { $0.random.pick(["https://example.com/sign-in?state=1", "rides:link"]) },
            code: maybe { _ in "WDJB-MJHT" },
            title: maybe { _ in "Example Rides" },
            validFor: maybe { .milliseconds(Int.random(in: 1_000...86_400_000, using: &$0.random)) },
            requires: maybe { $0.random.pick(SignIn.Requirement.allCases) })
    }

    private mutating func undoable() -> UndoableRequest {
        var request = request()
        request.parameters = []
        let undo = OpenedIntent(intent: Identifier(text()), parameters: object())
        var undoable = UndoableRequest(request: request, undo: undo, expires: instant())
        undoable.undoneBy = maybe { Identifier($0.text()) }
        return undoable
    }

    private mutating func option() -> ParameterOption {
        ParameterOption(
            id: text(), title: text(), subtitle: maybe { $0.text() }, value: value(), synonyms: some { $0.text() },
            section: maybe { $0.text() },
            image: maybe { $0.random.pick([.systemName($0.text()), .named($0.text()), .url($0.text())]) })
    }

    private mutating func shown() -> PromptParameter {
        var shown = PromptParameter(
            name: text(), title: maybe { $0.text() }, text: maybe { $0.text() }, value: maybe { $0.value() },
            isMissing: .random(using: &random), declaration: maybe { $0.value() })
        shown.options = some { $0.option() }
        shown.omitsOptions = .random(using: &random)
        return shown
    }

    private mutating func action() -> ConfirmationAction {
        ConfirmationAction(
            name: text(), acceptLabel: text(), acceptAlternatives: some { $0.text() }, denyLabel: text(),
            denyAlternatives: some { $0.text() }, isDestructive: .random(using: &random))
    }

    mutating func principal() -> Principal { Principal(random.pick(Principal.Kind.allCases), Identifier(text())) }

    private mutating func handoff() -> Handoff {
        var handoff = Handoff(
            id: Identifier(text()), request: Identifier(text()),
            mode: .random(using: &random) ? .foreground : .background,
            activity: activity(),
            interaction: Interaction(
                intent: Identifier(text()), parameters: parameters(), code: ResponseCode(rawValue: text())),
            expires: instant(),
            claimant: maybe { random in Claimant(Identifier(random.text()), proof: random.maybe { $0.text() }) })
        handoff.returns = .random(in: 0...2, using: &random)
        handoff.interaction.response = object()
        return handoff
    }

    private mutating func activity() -> UserActivity {
        var activity = UserActivity(
            activityType: text(), title: maybe { $0.text() }, userInfo: object(), webpageURL: maybe { $0.text() })
        activity.requiredUserInfoKeys = some { $0.text() }
        activity.expirationDate = maybe { .random(in: 0...4_000_000_000_000, using: &$0.random) }
        activity.persistentIdentifier = maybe { $0.text() }
        activity.keywords = some { $0.text() }
        return activity
    }

    private mutating func result() -> EncodedResult {
        EncodedResult(
            sequence: int(), type: random.pick(EventType.allCases), request: maybe { Identifier($0.text()) },
            time: instant(),
            data: .object(["session": .string(text()), "x": value()]), trace: maybe { $0.trace() })
    }

    private mutating func object() -> [String: JSON] {
        Dictionary(some { ($0.text(), $0.value()) }, uniquingKeysWith: { a, _ in a })
    }

    private mutating func value() -> JSON {
        switch Int.random(in: 0..<8, using: &random) {
        case 0: .null
        case 1: .bool(.random(using: &random))
        case 2: .number(int())
        case 3: .number(Double.random(in: -1e6...1e6, using: &random))
        case 4: .array(some { $0.value() })
        case 5: .object(["a": value(), text(): value()])
        default: .string(text())
        }
    }

    private mutating func trace() -> TraceContext { TraceContext(parent: text(), state: maybe { $0.text() }) }

    private mutating func text() -> String {
        random.pick([
            "", "r1", "ride-1.2.9b1deb4d3b7d4bad", "drop off", "\"quoted\" \\ / \n\t\u{1}", "Küche", "🚕👨‍👩‍👧",
            "\u{7F}\u{2028}", "null", "{}",
        ])
            + (random.once(in: 3) ? "\(Int.random(in: 0..<1_000, using: &random))" : "")
    }

    private mutating func ticket() -> Ticket { Ticket(using: &random) }

    private mutating func int() -> Int {
        random.once(in: 20) ? random.pick([0, 1 << 53]) : .random(in: 0...1_000_000, using: &random)
    }

    mutating func instant() -> Instant {
        Instant(
            milliseconds: random.once(in: 20)
                ? random.pick([.min, -1, 0, .max]) : .random(in: 0...4_000_000_000_000, using: &random))
    }

    private mutating func maybe<Value>(_ make: (inout RandomSession) -> Value) -> Value? {
        random.once(in: 2) ? make(&self) : nil
    }

    private mutating func some<Value>(_ make: (inout RandomSession) -> Value) -> [Value] {
        (0..<Int.random(in: 0...2, using: &random)).map { _ in make(&self) }
    }
}
