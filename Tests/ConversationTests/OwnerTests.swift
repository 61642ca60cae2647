import Conversation
import IntentModel
import Testing

@Suite("The principal who has opened a session owns it") struct OwnerTests {
    private let talk = Talk()
    private static let refused: Reply = "rejected unauthorized authid"
    private static let system = Principal(.system, "")
    private static let strangers: [Principal?] = [
        nil, Principal(.appUser, "bob"), Principal(.user, "ann"), Principal(.serviceAccount, "agent"),
    ]
    /// Events of the person's side.
    private static let events: [SessionEvent] = [
        .requested(IntentRequest(id: "q", intent: "Book")),
        .corrected(Correction(request: nil, parameter: "dropOff", value: "x")), .cancelled(request: nil),
        .handoffClaimed(handoff: "h", claimant: "phone"), .handoffReturned(handoff: "h", claimant: "phone"),
        .handoffCompleted(handoff: "h", claimant: "phone", response: IntentResponse(.success)),
        .forgotten(Forgetting(keys: nil)), .ended(reason: nil), .updatesStarted(request: "r"),
        .updatesStopped(request: "r"), .optionsRequested(OptionsRequest(prompt: "p")),
        .undoRequested(UndoRequest(id: "u")),
    ]

    private static let dialogues: Dialogues = [
        "the platform itself may cancel and end, and nothing else": [
            .request(from: .ann): "resolve",
            .event(.requested(IntentRequest(id: "q", intent: "Book")), from: system): refused,
            .event(.cancelled(request: nil), from: system): ["cancel resolve", "completed r: cancelled cancelled"],
            .event(.ended(reason: "over"), from: system): [],
        ],
        "a session that was opened by nobody who is authenticated takes events from anyone": [
            .request(): "resolve", .the(\.session.owner): "none",
            .event(.cancelled(request: nil), from: .ann): ["cancel resolve", "completed r: cancelled cancelled"],
            .the(\.session.owner): "none",
        ],
        "workers and timers have no principal, and the request's goes with its work": [
            .request(from: .ann): "resolve", .the(\.item?.principal): "\(Principal.ann)",
            .resolver(["dropOff": .missing]): "prompt value dropOff",
        ],
    ]

    @Test(arguments: dialogues.cases)
    func `as in the dialogues`(_ dialogue: Dialogue) { talk.play(dialogue) }

    // The ledger checks that a rejected event changes nothing.
    @Test(arguments: strangers)
    func `each event of another one is refused by name`(_ other: Principal?) { refuses(other, owner: .ann) }

    @Test(arguments: Lookalikes.names)
    func `a principal whose name only looks like the owner's is another one`(_ owner: String, _ other: String) {
        refuses(Principal(.appUser, Identifier(other)), owner: Principal(.appUser, Identifier(owner)))
    }

    private func refuses(_ other: Principal?, owner: Principal) {
        talk.play(.request(from: owner), .resolver(["dropOff": .missing]))
        for event in Self.events { talk.play([.event(event, from: other): Self.refused]) }
        talk.play([.answer(.accept, "x", from: other): Self.refused, .answer(.accept, "x", from: owner): "resolve"])
    }

    @Test func `a platform that is only named by a producer has no more rights than any other one`() {
        talk.play(.request(from: .ann))
        for event in [SessionEvent.cancelled(request: nil), .ended(reason: nil), .forgotten(Forgetting(keys: nil))] {
            #expect(talk.receive(event, from: Self.system, isNamed: true) == Self.refused.lines)
        }
        #expect(talk.session.active != nil && talk.session.ending == nil)
    }
}
