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
        session.isOwnerNamed = session.owner != nil && flip()
        session.active = maybe { $0.active($0.random.pick(Self.stages)) }
        session.suspended = some { $0.active($0.flip() ? .awaitingAnswer : .awaitingConfirmation) }
        session.queued = some { $0.request() }
        session.handoffs = some { $0.handoff() }
        session.rememberedRequests = RequestIDs(some { $0.id() })
        session.onceRequests = some { OnceRequest(id: $0.id(), until: $0.instant()) }
        if Set(session.onceRequests.map(\.id)).count < session.onceRequests.count { session.onceRequests.removeLast() }
        session.person = person()
        session.memory = SessionMemory(some { SessionMemory.Entry(key: $0.text(), value: $0.value()) })
        session.ending = maybe { SessionEnding(reason: $0.word()) }
        session.updates = some { $0.liveUpdates() }
        session.undoable = some { $0.undoable() }
        session.abandoned = some {
            AbandonedWork(
                request: $0.id(), intent: $0.id(), step: $0.int(), ticket: $0.maybe { $0.ticket() },
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
    mutating func count() -> Int { min(int(), 1 << 53 - 1) }

    mutating func active(_ name: StageName) -> ActiveRequest {
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
            case .handedOff: .handedOff(handoff: id())
            case .queued, .resolving, .ended: .resolving(working())
            }
        var active = ActiveRequest(
            request: request, parameters: parameters(), stage: stage, step: int(), began: instant())
        active.stageEnds = instant()
        active.times.step = instant()
        active.times.waited = int()
        active.ticket = maybe { $0.ticket() }
        active.run.attempt = number(1...5)
        active.run.isInApp = flip()
        active.run.fraction = maybe { .random(in: 0...1, using: &$0.random) }
        active.run.notes = PhaseNotes(
            answers: some {
                PhaseAnswer(question: $0.text(), isAccepted: $0.flip(), value: $0.maybe { $0.value() })
            },
            recorded: object(), asks: asks())
        active.run.notes.phase = maybe { $0.random.pick(Phase.allCases) }
        active.asking.turns = number(0...3)
        active.asking.asks = asks()
        active.asking.questions = number(0...3)
        active.asking.misses = table { $0.misses() }
        active.asking.alternatives = some { $0.option() }
        active.asking.replaced = parameters()
        active.openedRoute = maybe { $0.route() }
        active.openedMemory = some { $0.remembered() }
        active.traits.rememberedForPerson = words()
        active.traits.knowsSecrets = flip()
        active.traits.memoryKeys = table { $0.text() }
        active.traits.policy = maybe { $0.policy() }
        active.traits.confirmation = maybe { make in
            ConfirmationRequest(
                dialog: make.word(), summary: make.word(), parameters: make.some { $0.shown() },
                action: make.maybe { $0.action() })
        }
        active.confirmed.activity = maybe { $0.activity() }
        active.confirmed.items = some { $0.option() }
        active.confirmed.validUntil = maybe { $0.instant() }
        active.result = maybe { $0.response() }
        active.redone = number(0...2)
        return active
    }

    mutating func working() -> ActiveRequest.Working {
        ActiveRequest.Working(announceAt: maybe { $0.instant() }, retryAt: maybe { $0.instant() })
    }

    mutating func call() -> ActiveRequest.HandlerCall {
        ActiveRequest.HandlerCall(permit: word(), cancelReason: maybe { $0.random.pick(CancellationReason.allCases) })
    }

    mutating func liveUpdates() -> LiveUpdates {
        var request = request()
        request.parameters = []
        var updates = LiveUpdates(
            request: request, parameters: parameters(), isInApp: flip(), step: int(), silentAt: instant(),
            ends: instant())
        updates.ticket = maybe { $0.ticket() }
        updates.isOpen = flip()
        updates.isStopped = flip()
        updates.restarts = number(0...4)
        updates.phase = word()
        updates.told = maybe { $0.instant() }
        return updates
    }

    mutating func misses() -> Misses {
        var misses = Misses()
        misses.noAnswer = number(0...3)
        misses.noMatch = number(0...3)
        misses.unsupported = number(0...3)
        misses.wasOffered = flip()
        return misses
    }

    mutating func policy() -> IntentPolicy {
        IntentPolicy(
            effect: maybe { $0.random.pick(IntentEffect.allCases) }, resolve: phasePolicy(), confirm: phasePolicy(),
            handle: phasePolicy(), answerTimeout: duration(), handoffTimeout: duration(), inProgressTimeout: duration(),
            cleanupTimeout: duration(),
            asks: maybe {
                AskPolicy(
                    maximum: $0.maybe { $0.number(1...9) }, noAnswer: $0.number(0...3),
                    noMatch: $0.maybe { $0.number(0...3) }, unsupported: $0.maybe { $0.number(0...3) },
                    offersOptions: $0.flip(), finally: $0.flip() ? .handToApp : .fail(ResponseCode(rawValue: $0.text()))
                )
            })
    }

    mutating func phasePolicy() -> PhasePolicy {
        PhasePolicy(
            timeout: duration(), announceAfter: duration(),
            retry: maybe {
                RetryPolicy(
                    firstDelay: $0.duration() ?? .zero, factor: Double($0.number(1...9)),
                    maximumDelay: $0.duration() ?? .zero, maximumAttempts: $0.number(1...9),
                    neverRetried: $0.some { $0.random.pick(RejectionReason.allCases) })
            })
    }

    mutating func duration() -> Duration? { maybe { .milliseconds($0.number(0...100_000_000)) } }

    mutating func asks() -> [String: Int] { table { $0.number(1...5) } }

    mutating func request() -> IntentRequest {
        var request = IntentRequest(
            id: id(), intent: id(), parameters: parameters(), whenBusy: random.pick(IntentRequest.WhenBusy.allCases),
            deadline: maybe { $0.instant() }, locale: word(), attributes: object(), trace: maybe { $0.trace() })
        request.depth = number(0...2)
        request.principal = maybe { $0.principal() }
        request.candidates = some { make in
            IntentCandidate(
                intent: make.id(), confidence: .random(in: 0...1, using: &make.random), title: make.word(),
                parameters: make.parameters())
        }
        for index in request.candidates.indices { request.candidates[index].route = maybe { $0.route() } }
        request.fallback = maybe { $0.id() }
        request.fallbackRoute = maybe { $0.route() }
        request.clock = maybe { make in
            PersonClock(
                timeZone: make.maybe { _ in "Europe/Amsterdam" }, ahead: Int64(make.number(-1_000...100_000_000)),
                said: Instant(milliseconds: Int64(make.number(1_000...4_000_000_000_000))))
        }
        request.route = maybe { $0.route() }
        request.remembered = some { $0.remembered() }
        request.memorySince = maybe { $0.position() }
        request.isForgotten = random.once(in: 3)
        return request
    }
}
