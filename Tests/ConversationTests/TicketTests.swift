import Conversation
import IntentModel
import Testing

@Suite("Tickets") struct TicketTests {
    private let talk = Talk()

    private static let dialogues: Dialogues = [
        "garbage from who did not get the work does not end the request": [
            .at(.handling): "handle",
            .event(.unreadableOutcome(Rejection(.unparseable, "garbage"), nil)): "ignored unauthorizedOutcome",
            .the(\.stage): "handling",
        ],
        "a late success needs the ticket too": [
            .at(.handling): "handle", .timer(): "…", .forged(.success, step: 3): "ignored unauthorizedOutcome",
            .worker(.success, phase: .handle, step: 3, request: "r"): "late r: success",
        ],
        "live updates need the ticket of their work": [
            .at(.handling): "handle", .handler { $0.offersUpdates = true }: "…",
            .event(.updatesStarted(request: "r")): "update",
            .forged(.updated(IntentUpdate(phase: "ongoing")), step: 4): "ignored unauthorizedOutcome",
            .worker(.updated(IntentUpdate(phase: "ongoing")), phase: .handle, step: 4, request: "r"): "update ongoing",
        ],
    ]

    @Test(arguments: dialogues.cases)
    func `as in the dialogues`(_ dialogue: Dialogue) { talk.play(dialogue) }

    @Test func `are 128 bits, written as 32 hexadecimal digits, and read back`() {
        var randomness = Randomness(seed: 5)
        for _ in 1...100 {
            let ticket = Ticket(using: &randomness)
            #expect(ticket.description.utf8.count == 32 && Ticket(ticket.description) == ticket)
        }
        #expect(Ticket("000102030405060708090a0b0c0d0e0f")?.description == "000102030405060708090a0b0c0d0e0f")
    }

    @Test(arguments: [
        "", "0", "000102030405060708090A0B0C0D0E0F", "000102030405060708090a0b0c0d0e0f0",
        "g00102030405060708090a0b0c0d0e0f",
    ])
    func `are not read from other texts`(_ text: String) { #expect(Ticket(text) == nil) }

    @Test func `of each step are new`() {
        talk.play(.at(.handling))
        #expect(Set([1, 2, 3].compactMap { talk.ticket("r", $0) }).count == 3)
    }

    private func outcome(_ phase: Phase, _ step: Int, _ ticket: Ticket?) -> SessionEvent {
        let content: Outcome.Content = phase == .resolve ? .resolved : phase == .confirm ? .ready : .success
        return .outcome(Outcome(request: "r", step: step, phase: phase, content: content, ticket: ticket))
    }

    @Test(arguments: [StageName.resolving, .confirming, .handling, .inProgress])
    func `an outcome without the ticket of its step, or with another one, has no effect`(_ stage: StageName) throws {
        talk.play(.at(stage))
        let active = try #require(talk.session.active)
        let phase = try #require(active.phase)
        var randomness = Randomness(seed: 9)
        for ticket in [nil, talk.ticket("r", active.step - 1), Ticket(using: &randomness)] {
            talk.play([.event(outcome(phase, active.step, ticket)): "ignored unauthorizedOutcome"])
        }
    }

    @Test func `the ticket of one phase is of no use for another, in any order`() {
        talk.play(.request())
        let ticket = talk.ticket("r", 1)
        func isUseless(_ phase: Phase) -> Bool {
            (1...4).allSatisfy { talk.receive(outcome(phase, $0, ticket)).allSatisfy { $0.hasPrefix("ignored") } }
        }
        #expect(isUseless(.confirm) && isUseless(.handle))
        #expect(talk.receive(outcome(.resolve, 1, ticket)) == ["confirm"])
        for phase in Phase.allCases { #expect(isUseless(phase)) }
        #expect(talk.stage == .confirming)
    }

    @Test(
        arguments: [
            .starting(claim: "c"), .cancelled, .progressed(fraction: 0.5, dialog: nil),
            .updated(IntentUpdate(phase: "p")), .updatesEnded(.completed),
            .finished(.asked(PhaseQuestion(id: "q", kind: .value))),
            .finished(.failed(IntentFailure(.reject, reason: .invalid, message: ""))),
        ] as [Outcome.Content])
    func `a forged claim, cancel, progress, question or failure has no effect`(_ content: Outcome.Content) {
        talk.play([.at(.handling): "handle", .forged(content, step: 3): "ignored unauthorizedOutcome"])
    }

    @Test func `work that an earlier version dispatched has none, and its outcome needs none`() {
        talk.play(.request())
        talk.session.active?.ticket = nil
        #expect(talk.receive(outcome(.resolve, 1, nil)) == ["confirm"])
    }

    @Test func `work that is dispatched again after a crash has the same ticket; another attempt has a new one`() {
        talk.play(.request())
        let ticket = talk.ticket("r", 1)
        #expect(ticket != nil && talk.session.outstandingWork.first?.item?.ticket == ticket)
        talk.play(.busy(), .timer())
        #expect(talk.ticket("r", 2) != nil && talk.ticket("r", 2) != ticket)
    }

    @Test func `prompts and handoffs have ids that can't be guessed from the request and the step`() throws {
        talk.play(.at(.awaitingAnswer))
        let prompt = try #require(talk.prompt?.id)
        #expect(prompt.hasPrefix("r.2.") && prompt.utf8.count == 4 + 16)
        let guess = Answer(prompt: "r.2", action: .accept, value: "Airport")
        talk.play([.event(.answered(guess)): "rejected unexpected prompt"])
        let other = Talk()
        other.play(.at(.handedOff))
        #expect(other.handoff.hasPrefix("r.2.handoff.") && other.handoff.utf8.count == 12 + 16)
    }
}

extension Step {
    /// Reports an outcome without a ticket.
    fileprivate static func forged(_ content: Outcome.Content, step: Int, at line: Line = #_sourceLocation) -> Step {
        .event(.outcome(Outcome(request: "r", step: step, phase: .handle, content: content, ticket: nil)), at: line)
    }
}
