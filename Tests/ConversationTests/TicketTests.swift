import Conversation
import IntentModel
import Testing

@Suite("Tickets")
struct TicketTests {
    private let talk = Talk()

    private func outcome(_ phase: Phase, _ step: Int, _ ticket: Ticket?) -> SessionEvent {
        let content: Outcome.Content =
            phase == .resolve
            ? .finished(.resolved([])) : .finished(.responded(IntentResponse(phase == .handle ? .success : .ready)))
        return .outcome(Outcome(request: "r", step: step, phase: phase, content: content, ticket: ticket))
    }

    @Test("are 128 bits, written as 32 hexadecimal digits, and read back")
    func text() throws {
        var randomness = Randomness(seed: 5)
        for _ in 1...100 {
            let ticket = Ticket(using: &randomness)
            #expect(ticket.description.utf8.count == 32 && Ticket(ticket.description) == ticket)
        }
        #expect(Ticket("000102030405060708090a0b0c0d0e0f")?.description == "000102030405060708090a0b0c0d0e0f")
        for text in [
            "", "0", "000102030405060708090A0B0C0D0E0F", "000102030405060708090a0b0c0d0e0f0",
            "g00102030405060708090a0b0c0d0e0f",
        ] {
            #expect(Ticket(text) == nil, "\(text)")
        }
    }

    @Test("of each step are new")
    func fresh() throws {
        talk.bring(to: .handling)
        #expect(Set([1, 2, 3].compactMap { talk.ticket("r", $0) }).count == 3)
    }

    @Test(
        "an outcome without the ticket of its step, or with another one, has no effect",
        arguments: [StageName.resolving, .confirming, .handling, .inProgress])
    func wrongTicket(_ stage: StageName) throws {
        talk.bring(to: stage)
        let active = try #require(talk.session.active)
        let phase = try #require(active.phase)
        var randomness = Randomness(seed: 9)
        for ticket in [nil, talk.ticket("r", active.step - 1), Ticket(using: &randomness)] {
            #expect(talk.receive(outcome(phase, active.step, ticket)) == ["ignored unauthorizedOutcome"])
        }
        #expect(talk.session.active == active)
    }

    @Test("the ticket of one phase is of no use for another, in any order")
    func otherPhase() throws {
        talk.request()
        let ticket = talk.ticket("r", 1)
        for step in 1...4 {
            for phase in [Phase.confirm, .handle] {
                #expect(talk.receive(outcome(phase, step, ticket)).allSatisfy { $0.hasPrefix("ignored") })
            }
        }
        #expect(talk.receive(outcome(.resolve, 1, ticket)) == ["confirm"])
        for step in 1...4 {
            for phase in Phase.allCases {
                #expect(talk.receive(outcome(phase, step, ticket)).allSatisfy { $0.hasPrefix("ignored") })
            }
        }
        #expect(talk.stage == .confirming)
    }

    @Test("a forged claim, cancel, progress, question or failure has no effect")
    func otherContents() throws {
        talk.bring(to: .handling)
        let step = try #require(talk.session.active?.step)
        let contents: [Outcome.Content] = [
            .starting(claim: "c"), .cancelled, .progressed(fraction: 0.5, dialog: nil),
            .updated(IntentUpdate(phase: "p")),
            .updatesEnded(.completed), .finished(.asked(PhaseQuestion(id: "q", kind: .value))),
            .finished(.failed(IntentFailure(.reject, reason: .invalid, message: ""))),
        ]
        for content in contents {
            let forged = Outcome(request: "r", step: step, phase: .handle, content: content, ticket: nil)
            #expect(talk.receive(.outcome(forged)) == ["ignored unauthorizedOutcome"])
        }
    }

    @Test("garbage from who did not get the work does not end the request")
    func garbage() throws {
        talk.bring(to: .handling)
        #expect(
            talk.receive(.unreadableOutcome(Rejection(.unparseable, "garbage"), nil)) == ["ignored unauthorizedOutcome"]
        )
        #expect(talk.stage == .handling)
    }

    @Test("a late success needs the ticket too")
    func late() throws {
        talk.bring(to: .handling)
        let step = try #require(talk.session.active?.step)
        talk.waitForTimer()
        #expect(talk.receive(outcome(.handle, step, nil)) == ["ignored unauthorizedOutcome"])
        #expect(talk.receive(outcome(.handle, step, talk.ticket("r", step))) == ["late r: success"])
    }

    @Test("live updates need the ticket of their work")
    func updates() throws {
        talk.bring(to: .handling)
        var success = IntentResponse(.success)
        success.offersUpdates = true
        talk.responds(success)
        talk.receive(.updatesStarted(request: "r"))
        let step = try #require(talk.session.updates.first?.step)
        func update(_ ticket: Ticket?) -> SessionEvent {
            .outcome(
                Outcome(
                    request: "r", step: step, phase: .handle, content: .updated(IntentUpdate(phase: "ongoing")),
                    ticket: ticket))
        }
        #expect(talk.receive(update(nil)) == ["ignored unauthorizedOutcome"])
        #expect(talk.receive(update(talk.ticket("r", step))) == ["update ongoing"])
    }

    @Test("work that an earlier version dispatched has none, and its outcome needs none")
    func earlierVersion() throws {
        talk.request()
        talk.session.active?.ticket = nil
        #expect(talk.receive(outcome(.resolve, 1, nil)) == ["confirm"])
    }

    @Test("work that is dispatched again after a crash has the same ticket; another attempt has a new one")
    func again() throws {
        talk.request()
        let ticket = talk.ticket("r", 1)
        #expect(ticket != nil && talk.session.outstandingWork.first?.item?.ticket == ticket)
        talk.fails(.retry(after: .zero), .busy)
        talk.waitForTimer()
        #expect(talk.ticket("r", 2) != nil && talk.ticket("r", 2) != ticket)
    }

    @Test("prompts and handoffs have ids that can't be guessed from the request and the step")
    func ids() throws {
        talk.bring(to: .awaitingAnswer)
        let prompt = try #require(talk.prompt?.id)
        #expect(prompt.hasPrefix("r.2.") && prompt.utf8.count == 4 + 16)
        #expect(talk.answer(.accept, "Airport", prompt: "r.2") == ["rejected unexpected prompt"])
        let other = Talk()
        other.bring(to: .handedOff)
        #expect(other.handoff.hasPrefix("r.2.handoff.") && other.handoff.utf8.count == 12 + 16)
    }
}
