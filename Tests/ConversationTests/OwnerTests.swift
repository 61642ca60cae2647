import Conversation
import IntentModel
import Testing

@Suite("The principal who has opened a session owns it")
struct OwnerTests {
    private let talk = Talk()
    private static let ann = Principal(.appUser, "ann")
    private static let strangers: [Principal?] = [
        nil, Principal(.appUser, "bob"), Principal(.user, "ann"), Principal(.serviceAccount, "agent"),
    ]

    private func request(_ id: Identifier, from principal: Principal?) -> [String] {
        talk.receive(.requested(IntentRequest(id: id, intent: "Book", principal: principal)), from: principal)
    }

    @Test("each event of another one is refused by name, and changes nothing", arguments: strangers)
    func refused(_ other: Principal?) {
        _ = request("r", from: Self.ann)
        talk.resolver(["dropOff": .needsValue(dialog: nil)])
        let before = talk.session
        let prompt = talk.prompt?.id ?? ""
        let events: [SessionEvent] = [
            .requested(IntentRequest(id: "q", intent: "Book")),
            .answered(Answer(prompt: prompt, action: .accept, value: .string("x"))),
            .corrected(Correction(request: nil, parameter: "dropOff", value: .string("x"))), .cancelled(request: nil),
            .handoffClaimed(handoff: "h", claimant: "phone"), .handoffReturned(handoff: "h", claimant: "phone"),
            .handoffCompleted(handoff: "h", claimant: "phone", response: IntentResponse(.success)),
            .forgotten(Forgetting(keys: nil)),
            .ended(reason: nil),
            .updatesStarted(request: "r"), .updatesStopped(request: "r"),
            .optionsRequested(OptionsRequest(prompt: "p")),
            .undoRequested(UndoRequest(id: "u")),
        ]
        for event in events {
            #expect(talk.receive(event, from: other) == ["rejected unauthorized authid"])
        }
        var after = talk.session
        after.sequence = before.sequence
        #expect(after == before, "but for the number of results")
        #expect(
            talk.receive(.answered(Answer(prompt: prompt, action: .accept, value: .string("x"))), from: Self.ann) == [
                "resolve"
            ])
    }

    @Test(
        "a principal whose name only looks like the owner's is another one, and may neither answer, confirm, cancel, end, forget nor take back",
        arguments: Lookalikes.names)
    func lookalike(_ owner: String, _ other: String) {
        let (owner, other) = (Principal(.appUser, Identifier(owner)), Principal(.appUser, Identifier(other)))
        _ = request("r", from: owner)
        talk.resolver(["dropOff": .needsValue(dialog: nil)])
        let answer = SessionEvent.answered(Answer(prompt: talk.prompt?.id ?? "", action: .accept, value: .string("x")))
        #expect(talk.receive(answer, from: other) == ["rejected unauthorized authid"])
        let others: [SessionEvent] = [
            .cancelled(request: nil), .ended(reason: nil), .forgotten(Forgetting(keys: nil)),
            .undoRequested(UndoRequest(id: "u")),
            .handoffClaimed(handoff: "h", claimant: "phone"),
        ]
        for event in others { #expect(talk.receive(event, from: other) == ["rejected unauthorized authid"]) }
        #expect(talk.receive(answer, from: owner) == ["resolve"])
    }

    @Test("the platform itself may cancel, end and forget, and nothing else")
    func system() {
        _ = request("r", from: Self.ann)
        let system = Principal(.system, "")
        #expect(
            talk.receive(.requested(IntentRequest(id: "q", intent: "Book")), from: system) == [
                "rejected unauthorized authid"
            ])
        #expect(
            talk.receive(.cancelled(request: nil), from: system) == [
                "cancel resolve", "completed r: cancelled cancelled",
            ])
        #expect(talk.receive(.ended(reason: "over"), from: system) != ["rejected unauthorized authid"])
    }

    @Test("a platform that is only named by a producer has no more rights than any other one")
    func namedSystem() {
        _ = request("r", from: Self.ann)
        for event in [SessionEvent.cancelled(request: nil), .ended(reason: nil), .forgotten(Forgetting(keys: nil))] {
            #expect(
                talk.receive(event, from: Principal(.system, ""), isNamed: true) == ["rejected unauthorized authid"])
        }
        #expect(talk.session.active != nil && talk.session.ending == nil)
    }

    @Test("a session that was opened by nobody who is authenticated takes events from anyone")
    func nobody() {
        _ = request("r", from: nil)
        #expect(talk.session.owner == nil)
        #expect(
            talk.receive(.cancelled(request: nil), from: Self.ann) == [
                "cancel resolve", "completed r: cancelled cancelled",
            ])
        #expect(talk.session.owner == nil)
    }

    @Test("workers and timers have no principal, and the request's goes with its work")
    func work() {
        _ = request("r", from: Self.ann)
        guard case .work(let work)? = talk.effects.first else {
            Issue.record("no work: \(talk.effects)")
            return
        }
        #expect(work.item?.principal == Self.ann)
        #expect(talk.resolver(["dropOff": .needsValue(dialog: nil)]) == ["prompt value dropOff"])
    }
}
