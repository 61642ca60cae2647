import Conversation
import IntentModel
import PipelineTestKit
import Testing

private let refused: Reply = "rejected unauthorized authid"
private let system = Principal(.system, "")

private let strangers: [Principal?] = [
    nil, Principal(.appUser, "bob"), Principal(.user, "ann"), Principal(.serviceAccount, "agent"),
]

/// Events of the person's side.
private let events: [SessionEvent] = [
    .requested(IntentRequest(id: "q", intent: "Book")),
    .corrected(Correction(request: nil, parameter: "dropOff", value: "x")), .cancelled(request: nil),
    .handoffClaimed(handoff: "h", claimant: "phone"), .handoffReturned(handoff: "h", claimant: "phone"),
    .handoffCompleted(handoff: "h", claimant: "phone", response: IntentResponse(.success)),
    .forgotten(Forgetting(keys: nil)), .ended(reason: nil), .updatesStarted(request: "r"),
    .updatesStopped(request: "r"), .optionsRequested(OptionsRequest(prompt: "p")), .undoRequested(UndoRequest(id: "u")),
]

/// Names that `String` considers equal although their bytes differ.
enum Lookalikes {
    /// One character and two, the Kelvin sign and the letter, the ohm sign and the letter, and two marks in either
    /// order.
    static let names = [
        ("jos\u{E9}", "jose\u{301}"), ("\u{212A}ate", "Kate"), ("\u{2126}", "\u{3A9}"),
        ("a\u{323}\u{307}", "a\u{307}\u{323}"),
    ]
}

private let dialogues: Dialogues = [
    "the platform itself may cancel and end, and nothing else": [
        .request(from: .ann): "resolve",
        .event(.requested(IntentRequest(id: "q", intent: "Book")), from: system): refused,
        .event(.cancelled(request: nil), from: system): ["cancel resolve", "completed r: cancelled"],
        .event(.ended(reason: "over"), from: system): [],
    ],
    "a session without an authenticated owner accepts events from anyone": [
        .request(): "resolve", .the(\.session.owner): "none",
        .event(.cancelled(request: nil), from: .ann): ["cancel resolve", "completed r: cancelled"],
        .the(\.session.owner): "none",
    ],
    "workers and timers have no principal, and the request's goes with its work": [
        .request(from: .ann): "resolve", .the(\.item?.principal): "\(Principal.ann)",
        .resolver(["dropOff": .missing]): "prompt value dropOff",
    ],
]

@Suite("The principal who has opened a session owns it") struct OwnerTests {
    private let talk = Talk()

    @Test(arguments: dialogues.cases) func `as in the dialogues`(_ dialogue: Dialogue) { talk.play(dialogue) }

    // The ledger checks that a rejected event changes nothing.
    @Test(arguments: strangers)
    func `each event of another principal is rejected`(_ other: Principal?) { refuses(other, owner: .ann) }

    @Test(arguments: Lookalikes.names)
    func `a principal whose name only looks like the owner's is rejected`(_ owner: String, _ other: String) {
        refuses(Principal(.appUser, Identifier(other)), owner: Principal(.appUser, Identifier(owner)))
    }

    private func refuses(_ other: Principal?, owner: Principal) {
        talk.play(.request(from: owner), .resolver(["dropOff": .missing]))
        for event in events { talk.play([.event(event, from: other): refused]) }
        talk.play([.answer(.accept, "x", from: other): refused, .answer(.accept, "x", from: owner): "resolve"])
    }

    @Test func `a platform that is only named by a producer has no rights of a platform`() {
        talk.play(.request(from: .ann))
        for event in [SessionEvent.cancelled(request: nil), .ended(reason: nil), .forgotten(Forgetting(keys: nil))] {
            #expect(talk.receive(event, from: system, isNamed: true) == refused.lines)
        }
        #expect(talk.session.active != nil && talk.session.ending == nil)
    }
}

@Suite("An event after which the session would be too large") struct SessionSizeTests {
    private let talk = Talk()

    private func refusal(_ event: SessionEvent) -> SessionEvent? {
        talk.session.refusal(of: event, bytes: 7, maximum: 5)
    }

    private func outcome(_ content: Outcome.Content) -> SessionEvent {
        .outcome(
            Outcome(
                request: talk.active ?? "r", step: talk.session.active?.step ?? 0, phase: .handle, content: content,
                ticket: talk.session.active?.ticket))
    }

    @Test(
        arguments: [
            .requested(IntentRequest(id: "r", intent: "Book")), .answered(Answer(prompt: "p", action: .accept)),
            .corrected(Correction(parameter: "p", value: .number(1))),
        ] as [SessionEvent])
    func `an event from the person's side is rejected, since they can send less`(_ event: SessionEvent) throws {
        let rejection = try #require(refusal(event).flatMap { if case .refused(let why) = $0 { why } else { nil } })
        #expect(rejection.reason == .complex && rejection.message.contains("7 bytes, and it may take 5"))
    }

    @Test func `a worker's outcome fails the request, as unknown if the effect may have happened`() throws {
        talk.play(.at(.handling))
        let answer = try #require(refusal(outcome(.success)))
        talk.play([.event(answer): "completed r: failure", .the(\.error): "complex"])
        talk.play(.at(.handling, id: "r2"))
        talk.session.active?.stage.call?.permit = "claim"
        let once = try #require(refusal(outcome(.success)))
        talk.play([.event(once): "completed r2: failure", .the(\.error): "outcomeUnknown"])
    }

    @Test func `a late success is reported without its content`() throws {
        talk.play(.at(.handling))
        let late = outcome(.finished(.responded(IntentResponse(.success, dialog: "Booked"))))
        talk.play([.timer(): "…", .the(\.completion?.status): "timedOut"])
        let refused = try #require(refusal(late))
        talk.play([.event(refused): "late r: success", .the(\.session.abandoned): "none"])
    }

    @Test func `an event that ends something, and a timer, are accepted`() {
        talk.play(.at(.handling))
        let failed = PhaseOutcome.failed(IntentFailure(.reject, reason: .invalid, message: ""))
        let events: [SessionEvent] = [
            .cancelled(request: nil), .timer, .ended(reason: nil), .forgotten(Forgetting(keys: nil)),
            outcome(.cancelled), outcome(.finished(failed)), .updatesStopped(request: "r"),
            .handoffCompleted(handoff: "h", claimant: "c", response: IntentResponse(.success)),
        ]
        for event in events { #expect(refusal(event) == nil) }
    }
}

@Suite("Identifiers are the bytes of their names") struct IdentifierTests {
    @Test(arguments: Lookalikes.names)
    func `two names that only look equal are two: as values, as keys, and in order`(_ first: String, _ second: String) {
        #expect(first == second, "as texts")
        let (a, b) = (Identifier(first), Identifier(second))
        #expect(a != b && (a < b) != (b < a))
        #expect(Set([a, b]).count == 2 && [a: 1][b] == nil)
        #expect(Principal(.appUser, a) != Principal(.appUser, b))
    }

    @Test(arguments: [1, 7, 8, 9, 15, 16, 17, 40])
    func `equal bytes are one identifier, and any other byte makes another`(_ count: Int) {
        let name = Identifier(String(repeating: "k", count: count))
        #expect(
            name == Identifier([String](repeating: "k", count: count).joined())
                && Set([name, Identifier("\(name)")]).count == 1)
        for index in 0..<count {
            var other = [UInt8](name.utf8)
            other[index] = UInt8(ascii: "l")
            let changed = Identifier(String(decoding: other, as: UTF8.self))
            #expect(name != changed && name < changed && !(changed < name))
        }
        #expect(name < Identifier(name.text + "a") && !(Identifier(name.text + "a") < name))
    }
}
