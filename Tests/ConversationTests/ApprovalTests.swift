import Conversation
import IntentModel
import PipelineTestKit
import Testing

private let bob = Principal(.appUser, "bob")
private let cem = Principal(.appUser, "cem")
private let eve = Principal(.appUser, "eve")
private let day = 86_400.0
private let notAllowed: Reply = "rejected unauthorized authid"

private func approval(
    by approvers: [Approver] = [.principal(bob), .role("finance")], count: Int = 1, includesRequester: Bool = false,
    days: Double = 10, reminders: [Double] = [], escalation: Approval.Escalation? = nil
) -> Approval {
    Approval(
        by: approvers, count: count, includesRequester: includesRequester, timeout: duration(days * day),
        reminders: reminders.map { duration($0 * day) }, escalation: escalation)
}

extension Step {
    /// Answers the open prompt as a principal with roles.
    fileprivate static func answer(
        _ action: Answer.Action = .accept, as principal: Principal?, _ roles: Identifier..., delegate: Principal? = nil,
        changing: [ParameterState] = [], words: String? = nil, isFromAgent: Bool = false,
        at line: Line = #_sourceLocation
    ) -> Step {
        Step(line) { talk in
            let prompt = talk.prompt?.id ?? "no prompt is open"
            var answer = Answer(prompt: prompt, action: action, parameters: changing)
            if let words { answer = Answer(prompt: prompt, utterance: Utterance(words)) }
            (answer.roles, answer.delegate, answer.isFromAgent) = (roles, delegate, isFromAgent)
            return talk.receive(.answered(answer), from: principal, at: line)
        }
    }

    /// Plays a request of Ann up to the prompt that others have to agree to.
    fileprivate static func asked(
        _ approval: Approval = approval(), of person: Principal? = .ann, policy: IntentPolicy = IntentPolicy(),
        at line: Line = #_sourceLocation
    ) -> Step {
        .steps(
            .request("r", ["amount": 5], from: person, at: line),
            .resolver(
                ["amount": .success(5)], asking: ConfirmationRequest(approval: approval), policy: policy, at: line),
            .confirmer(at: line), at: line)
    }
}

extension Talk {
    /// The principals who have agreed, as the completion tells.
    fileprivate var agreed: [String] {
        (completion?.agreement?.consents ?? []).map { $0.principal?.id.text ?? "the requester" }
    }
    fileprivate var agreedTexts: [String] { completion?.agreement?.parameters.compactMap(\.text) ?? [] }
    fileprivate var agreedValues: [String] {
        completion?.agreement?.parameters.map { "\($0.name) \($0.value?.description ?? "-")" } ?? []
    }
    fileprivate var reminder: PromptReminder? {
        results.lazy.compactMap { if case .reminded(let reminder) = $0.body { reminder } else { nil } }.first
    }
    fileprivate var isRemindedOf: String? { reminder?.prompt.dialog }
}

private let dialogues: Dialogues = [
    "an approver agrees days later, and the completion tells who and when": [
        .asked(): "prompt confirmIntent", .the(\.promptLasts): "864000.0", .passes(9 * day): [],
        .answer(as: bob): "handle", .handler(): "completed r: success", .the(\.agreed): "bob",
    ],
    "an approver is one of the declared role": [
        .asked(): "prompt confirmIntent", .answer(as: eve): notAllowed, .answer(as: eve, "sales"): notAllowed,
        .answer(as: eve, "sales", "finance"): "handle", .handler(): "completed r: success", .the(\.agreed): "eve",
    ],
    "neither the requester, an agent, nor a stranger agrees": [
        .asked(): "prompt confirmIntent", .answer(as: .ann): notAllowed, .answer(as: .ann, "finance"): notAllowed,
        .answer(as: nil): notAllowed, .answer(as: nil, "finance"): notAllowed, .answer(as: eve): notAllowed,
        .answer(as: bob, isFromAgent: true): "rejected unauthorized prompt",
        .answer(as: .ann, isFromAgent: true): "rejected unauthorized prompt", .the(\.stage): "awaitingConfirmation",
    ],
    "words of an approver agree as their buttons do": [
        .asked(): "prompt confirmIntent", .answer(as: bob, words: "yes"): ["read yes", "handle"],
    ],
    "words of the requester do not agree": [
        .asked(): "prompt confirmIntent", .answer(as: .ann, words: "yes"): ["read yes", notAllowed.line],
    ],
    "an approver's no ends the request": [
        .asked(): "prompt confirmIntent",
        .either(.answer(.decline, as: bob), .answer(.cancel, as: bob)): "completed r: cancelled",
        .the(\.agreed): "none",
    ],
    "the requester may withdraw the request": [
        .asked(): "prompt confirmIntent",
        .either(
            .answer(.decline, as: .ann), .answer(.cancel, as: .ann), .event(.cancelled(request: nil), from: .ann)):
            "completed r: cancelled",
    ],
    "an approver can't change, cancel or correct what is the requester's": [
        .asked(): "prompt confirmIntent",
        .answer(as: bob, changing: [ParameterState(name: "amount", value: 9)]): "rejected unauthorized parameters",
        .answer(as: bob, words: "make it nine"): ["read change", "rejected unauthorized parameters"],
        .event(.corrected(Correction(parameter: "amount", value: 9)), from: bob): notAllowed,
        .event(.cancelled(request: nil), from: bob): notAllowed, .known("amount"): "resolved 5",
    ],
    "two have to agree, and each of them counts once": [
        .asked(approval(count: 2)): "prompt confirmIntent", .answer(as: bob): "reminded agreed",
        .the(\.isRemindedOf): "Agreed: 1 of 2. Book?", .answer(as: bob): "rejected unexpected prompt",
        .answer(as: eve): notAllowed, .answer(as: cem, "finance"): "handle", .handler(): "completed r: success",
        .the(\.agreed): "bob, cem",
    ],
    "the requester counts if the approval says so, and once": [
        .asked(approval(count: 2, includesRequester: true)): "prompt confirmIntent",
        .answer(as: .ann): "reminded agreed", .answer(as: .ann, "finance"): "rejected unexpected prompt",
        .answer(as: bob): "handle", .handler(): "completed r: success", .the(\.agreed): "ann, bob",
    ],
    "without a name of the requester, several can't agree": [
        .asked(approval(count: 2, includesRequester: true), of: nil): "completed r: failure",
        .the(\.error): "unauthorized",
    ],
    "a requester without a name agrees if one is enough": [
        .asked(approval(includesRequester: true), of: nil): "prompt confirmIntent", .answer(as: nil): "handle",
        .handler(): "completed r: success", .the(\.agreed): "the requester",
    ],
    "an approval of others fails if nobody knows who the requester is": [
        .asked(of: nil): "completed r: failure", .the(\.error): "unauthorized",
    ],
    "an approval that nobody can give fails": [
        .asked(.either0): "completed r: failure", .the(\.error): "unexpected",
    ],
    "a changed value needs the agreement of all again": [
        .asked(approval(count: 2)): "prompt confirmIntent", .answer(as: bob): "reminded agreed",
        .event(.corrected(Correction(parameter: "amount", value: 6)), from: .ann): "resolve",
        .resolver(["amount": .success(6)], asking: ConfirmationRequest(approval: approval(count: 2))): "confirm",
        .confirmer(): "prompt confirmIntent",
        .answer(as: cem, "finance"): "reminded agreed", .answer(as: bob): "handle",
        .handler(): "completed r: success", .the(\.agreed): "cem, bob",
    ],
    "a change among the answers of the requester is resolved": [
        .asked(): "prompt confirmIntent",
        .answer(as: .ann, changing: [ParameterState(name: "amount", value: 9)]): "resolve",
    ],
    "an approver delegates to another, and has no say any more": [
        .asked(): "prompt confirmIntent", .answer(.delegate, as: bob, delegate: cem): "reminded delegated",
        .answer(as: bob): notAllowed, .answer(as: bob, "finance"): notAllowed, .answer(as: cem): "handle",
    ],
    "one to whom it was delegated delegates it on, and not back": [
        .asked(): "prompt confirmIntent", .answer(.delegate, as: bob, delegate: cem): "reminded delegated",
        .answer(.delegate, as: cem, delegate: bob): "rejected unexpected delegate",
        .answer(.delegate, as: cem, delegate: eve): "reminded delegated", .answer(as: cem): notAllowed,
        .answer(as: eve): "handle",
    ],
    "nobody delegates after they have agreed, under another name": [
        .asked(approval(by: [.principal(bob), .principal(cem)], count: 2)): "prompt confirmIntent",
        .answer(as: bob): "reminded agreed",
        .answer(.delegate, as: Principal(.user, "bob"), delegate: eve): "rejected unexpected delegate",
        .answer(.delegate, as: cem, delegate: Principal(.user, "bob")): "rejected unexpected delegate",
    ],
    "nobody delegates to the requester, or what they have no say in": [
        .asked(approval(count: 2)): "prompt confirmIntent",
        .answer(.delegate, as: bob, delegate: .ann): "rejected unauthorized delegate",
        .answer(.delegate, as: bob): "rejected invalid delegate",
        .answer(.delegate, as: bob, delegate: bob): "rejected unexpected delegate",
        .answer(.delegate, as: eve, delegate: cem): notAllowed,
        .answer(.delegate, as: .ann, delegate: cem): "rejected unauthorized action",
        .answer(.delegate, as: bob, delegate: Principal(.serviceAccount, "cem")): "rejected invalid delegate",
        .answer(.delegate, as: bob, delegate: Principal(.user, "ann")): "rejected unauthorized delegate",
        .answer(.delegate, as: cem, "finance", delegate: bob): "rejected unexpected delegate",
        .answer(.delegate, as: bob, delegate: cem, changing: [ParameterState(name: "amount", value: 9)]):
            "rejected unauthorized parameters",
        .answer(.delegate, as: bob, delegate: cem, isFromAgent: true): "rejected unauthorized prompt",
        .answer(as: bob): "reminded agreed",
        .answer(.delegate, as: bob, delegate: cem): "rejected unexpected delegate",
        .answer(.delegate, as: cem, "finance", delegate: bob): "rejected unexpected delegate",
    ],
    "one to whom an escalation goes is one of those who may agree": [
        .asked(approval(escalation: .init(after: duration(day), to: [.principal(eve)]))): "prompt confirmIntent",
        .wait(day): "reminded escalated", .answer(.delegate, as: bob, delegate: eve): "rejected unexpected delegate",
    ],
    "without a name of the requester, an approver delegates all the same": [
        .asked(approval(includesRequester: true), of: nil): "prompt confirmIntent",
        .answer(.delegate, as: bob, delegate: cem): "reminded delegated", .answer(as: cem): "handle",
    ],
    "a person has one say, in the app and on the platform": [
        .asked(approval(by: [.principal(bob), .role("finance")], count: 2)): "prompt confirmIntent",
        .answer(as: Principal(.user, "ann"), "finance"): notAllowed,
        .answer(as: Principal(.user, "bob")): "reminded agreed",
        .answer(as: bob): "rejected unexpected prompt",
        .answer(as: Principal(.serviceAccount, "bob"), "finance"): "handle",
    ],
    "an approval fails at once if too few are left beside the requester": [
        .asked(approval(by: [.principal(.ann), .principal(bob)], count: 2)): "completed r: failure",
        .the(\.error): "unauthorized",
    ],
    "an agent of an approver says no, and changes nothing": [
        .asked(): "prompt confirmIntent",
        .answer(.decline, as: bob, changing: [ParameterState(name: "note", value: "x")], isFromAgent: true):
            "rejected unauthorized parameters",
        .known("note"): "none", .answer(.decline, as: bob, isFromAgent: true): "completed r: cancelled",
    ],
    "who was too late to agree hears that": [
        .asked(): "prompt confirmIntent", .answer(as: bob): "handle",
        .answer(.accept, prompt: 1, from: cem): "rejected unexpected prompt",
    ],
    "an approval that is interrupted waits until it is resumed": [
        .asked(): "prompt confirmIntent",
        .event(.requested(IntentRequest(id: "q", intent: "Book", whenBusy: .interrupt)), from: .ann): "resolve",
        .answer(.accept, prompt: 1, from: bob): "rejected unexpected prompt",
    ],
    "a value that confirm asks for after the approval needs another one": [
        .request("r", ["amount": 5], from: .ann): "resolve",
        .resolver(["amount": .success(5)], asking: ConfirmationRequest(approval: approval())): "confirm",
        .confirmer { $0.validFor = .seconds(60) }: "prompt confirmIntent", .passes(day): [],
        .answer(as: bob): "confirm", .asks(about: "amount"): "prompt value amount",
        .answer(.accept, 9, from: .ann): "confirm", .confirmer(): "prompt confirmIntent", .answer(as: .ann): notAllowed,
    ],
    "the requester signs in after an approval, and it stands": [
        .request("r", ["amount": 5], from: .ann): "resolve",
        .resolver(["amount": .success(5)], asking: ConfirmationRequest(approval: approval())): "confirm",
        .confirmer { $0.validFor = .seconds(60) }: "prompt confirmIntent", .passes(day): [],
        .answer(as: bob): "confirm", .asks("who", .signIn(SignIn(requires: .person))): "prompt signIn",
        .answer(.accept, from: .ann): "confirm", .confirmer(): "handle",
        .asks("who", .signIn(SignIn(requires: .person))): "prompt signIn", .answer(.accept, from: .ann): "handle",
        .asks(about: "amount"): "completed r: failure", .the(\.agreed): "bob",
    ],
    "nobody else signs in after an approval": [
        .request("r", ["amount": 5]): "resolve",
        .resolver(["amount": .success(5)], asking: ConfirmationRequest(approval: approval(includesRequester: true))):
            "confirm",
        .confirmer(): "prompt confirmIntent", .answer(as: bob): "handle",
        .asks("who", .signIn(SignIn(requires: .person))): "prompt signIn",
        .answer(.accept, from: bob): "rejected unauthorized authid", .answer(.accept, from: .ann): "handle",
    ],
    "a requester may change values as often as they like": [
        .policy { $0.limits.maximumAsks = 1 }: [], .asked(): "prompt confirmIntent",
        .event(.corrected(Correction(parameter: "amount", value: 6)), from: .ann): "resolve",
        .resolver(["amount": .success(6)], asking: ConfirmationRequest(approval: approval())): "confirm",
        .confirmer(): "prompt confirmIntent",
        .event(.corrected(Correction(parameter: "amount", value: 7)), from: .ann): "resolve",
        .resolver(["amount": .success(7)], asking: ConfirmationRequest(approval: approval())): "confirm",
        .confirmer(): "prompt confirmIntent",
    ],
    "an approval that only the requester and one other can give fails if two others have to": [
        .asked(approval(by: [.principal(.ann)], count: 2, includesRequester: true)): "completed r: failure",
        .the(\.error): "unauthorized",
    ],
    "an item that is found is no question to be reminded of": [
        .request(): "resolve",
        .resolver(
            policy: {
                var policy = IntentPolicy(answerTimeout: .seconds(3_600))
                policy.reminders = [.seconds(600)]
                return policy
            }()): "confirm",
        .confirmer(): "handle",
        .handler { ($0.items, $0.choice) = ([Station.north, Station.south], ItemChoice()) }: "prompt choice",
        .request("q"): "…", .wait(\.choiceGrace): ["ignored earlyTimer", "completed r: success", "resolve"],
    ],
    "a completion shows what was proposed and agreed to": [
        .request("r", ["amount": 5], from: .ann): "resolve",
        .resolver(["amount": .success(5)], asking: ConfirmationRequest(approval: approval())): "confirm",
        .confirmer { $0.proposed = ["fee": 1] }: "prompt confirmIntent", .answer(as: bob): "handle",
        .handler(): "completed r: success", .the(\.agreedValues): "amount 5, fee 1",
    ],
    "a confirmer does not hand over to an app before others have agreed": [
        .request("r", ["amount": 5], from: .ann): "resolve",
        .resolver(["amount": .success(5)], asking: ConfirmationRequest(approval: approval())): "confirm",
        .confirmer(.continueInApp): "completed r: failure", .the(\.error): "unexpected",
    ],
    "after the approval a handler may hand over to an app": [
        .asked(): "prompt confirmIntent", .answer(as: bob): "handle", .handler(.continueInApp): "offer foreground",
    ],
    "a confirmation of the confirmer's own needs the declared approval": [
        .request("r", ["amount": 5], from: .ann): "resolve",
        .resolver(["amount": .success(5)], asking: ConfirmationRequest(approval: approval())): "confirm",
        .confirmer(asking: ConfirmationRequest(approval: Approval(by: [.principal(eve)]))): "prompt confirmIntent",
        .answer(as: eve): notAllowed, .answer(as: bob): "handle",
    ],
    "a requester who changes a value agrees to no proposal": [
        .request("r", ["amount": 5], from: .ann): "resolve",
        .resolver(["amount": .success(5)], asking: ConfirmationRequest(approval: approval())): "confirm",
        .confirmer { $0.proposed = ["to": "Leeds"] }: "prompt confirmIntent",
        .answer(as: .ann, changing: [ParameterState(name: "amount", value: 9)]): "resolve", .known("to"): "none",
    ],
    "an escalation does not count against the number of approvers when confirm looks again": [
        .request("r", ["amount": 5], from: .ann): "resolve",
        .resolver(
            ["amount": .success(5)],
            asking: ConfirmationRequest(
                approval: approval(
                    by: (0..<16).map { .principal(Principal(.appUser, Identifier("a\($0)"))) },
                    escalation: .init(after: duration(day), to: [.principal(eve)])))): "confirm",
        .confirmer { $0.validFor = .seconds(60) }: "prompt confirmIntent", .wait(day): "reminded escalated",
        .answer(as: eve): "confirm", .confirmer(): "handle",
    ],
    "a confirmer does not ask for an approval without end": [
        .policy { $0.limits.maximumAsks = 2 }: [],
        .request("r", ["amount": 5], from: .ann): "resolve",
        .resolver(["amount": .success(5)], asking: ConfirmationRequest(approval: approval())): "confirm",
        .confirmer { ($0.validFor, $0.dialog) = (.seconds(60), "1?") }: "prompt confirmIntent", .passes(day): [],
        .answer(as: bob): "confirm",
        .confirmer { ($0.validFor, $0.dialog) = (.seconds(60), "2?") }: "prompt confirmIntent", .passes(day): [],
        .answer(as: bob): "confirm",
        .confirmer { ($0.validFor, $0.dialog) = (.seconds(60), "3?") }: "prompt confirmIntent", .passes(day): [],
        .answer(as: bob): "confirm",
        .confirmer { ($0.validFor, $0.dialog) = (.seconds(60), "4?") }: "completed r: failure",
    ],
    "an approver's no is told as one": [
        .asked(): "prompt confirmIntent", .answer(.decline, as: bob): "completed r: cancelled",
        .the(\.completion?.dialog): "It was not approved.",
    ],
    "a completion shows no secret that others have agreed to": [
        .request("r", ["pin": "1234"], from: .ann): "resolve",
        .resolver(
            ["pin": .success("1234")], hiding: "pin",
            asking: ConfirmationRequest(
                parameters: [PromptParameter(name: "pin", text: "1234")], approval: approval())): "confirm",
        .confirmer(): "prompt confirmIntent", .answer(as: bob): "handle", .handler(): "completed r: success",
        .the(\.agreedTexts): "none",
    ],
    "a completion shows the values that others have agreed to": [
        .asked(): "prompt confirmIntent", .answer(as: bob): "handle", .handler(): "completed r: success",
        .the(\.agreedValues): "amount 5",
    ],
    "a question that is no approval can't be delegated": [
        .at(.awaitingAnswer, .awaitingConfirmation): "…",
        .answer(.delegate, as: nil, delegate: bob): "rejected unexpected action",
    ],
    "approvers are reminded at the declared times": [
        .asked(approval(reminders: [7, 2])): "prompt confirmIntent", .the(\.timerLasts): "172800.0",
        .wait(2 * day): "reminded reminder", .the(\.isRemindedOf): "Book?", .the(\.timerLasts): "432000.0",
        .timer(): "reminded reminder", .the(\.timerLasts): "259200.0", .timer(): "completed r: timedOut",
    ],
    "of reminders that nobody could tell, the last one counts": [
        .asked(approval(reminders: [1, 2, 3])): "prompt confirmIntent", .wait(2.5 * day): "reminded reminder",
        .the(\.timerLasts): "43200.0",
    ],
    "others may agree after some time": [
        .asked(approval(reminders: [1], escalation: .init(after: duration(3 * day), to: [.principal(eve)]))):
            "prompt confirmIntent",
        .wait(day): "reminded reminder", .answer(as: eve): notAllowed, .wait(2 * day): "reminded escalated",
        .answer(as: eve): "handle",
    ],
    "nobody else agrees in time": [.asked(): "prompt confirmIntent", .wait(10 * day): "completed r: timedOut"],
    "the operator may set a shorter time": [
        .policy { $0.maximumAnswerTimeout = .seconds(3_600) }: [], .asked(): "prompt confirmIntent",
        .the(\.promptLasts): "3600.0",
    ],
    "silence does not ask again, which would be more time": [
        .asked(policy: IntentPolicy(asks: AskPolicy(noAnswer: 3))): "prompt confirmIntent",
        .wait(10 * day): "completed r: timedOut",
    ],
    "an interruption takes no agreement away, and gives no more time": [
        .asked(approval(count: 2, reminders: [4])): "prompt confirmIntent", .answer(as: bob): "reminded agreed",
        .passes(3 * day): [],
        .event(.requested(IntentRequest(id: "q", intent: "Book", whenBusy: .interrupt)), from: .ann): "resolve",
        .event(.cancelled(request: "q"), from: .ann): [
            "cancel resolve", "completed q: cancelled", "prompt confirmIntent",
        ],
        .the(\.promptLasts): "604800.0", .the(\.timerLasts): "86400.0", .answer(as: bob): "rejected unexpected prompt",
        .answer(as: cem, "finance"): "handle",
    ],
    "a confirmer that looks again at the same asks nobody again": [
        .request("r", ["amount": 5], from: .ann): "resolve",
        .resolver(["amount": .success(5)], asking: ConfirmationRequest(approval: approval())): "confirm",
        .confirmer { $0.validFor = .seconds(60) }: "prompt confirmIntent", .passes(day): [],
        .answer(as: bob): "confirm", .confirmer { $0.validFor = .seconds(60) }: "handle",
        .handler(): "completed r: success", .the(\.agreed): "bob",
    ],
    "a confirmer that says something else has to ask again": [
        .request("r", ["amount": 5], from: .ann): "resolve",
        .resolver(["amount": .success(5)], asking: ConfirmationRequest(approval: approval())): "confirm",
        .confirmer { $0.validFor = .seconds(60) }: "prompt confirmIntent", .passes(day): [],
        .answer(as: bob): "confirm", .confirmer { $0.dialog = "It has become dearer. Book?" }: "prompt confirmIntent",
        .answer(as: .ann): notAllowed, .answer(as: bob): "handle",
    ],
    "a confirmer may require an approval, or another one": [
        .request("r", ["amount": 5], from: .ann): "resolve", .resolver(["amount": .success(5)]): "confirm",
        .confirmer { $0.approval = approval(by: [.principal(cem)]) }: "prompt confirmIntent",
        .answer(as: bob): notAllowed, .answer(as: cem): "handle",
    ],
    "values that are proposed after an approval need one as well": [
        .asked(): "prompt confirmIntent", .answer(as: bob): "handle",
        .handler(.failure) { $0.proposed = ["amount": 9] }: "prompt confirmIntent", .answer(as: .ann): notAllowed,
        .answer(as: bob): "handle", .known("amount"): "confirmed 9", .handler(): "completed r: success",
    ],
    "after an approval no handler asks for a value of the intent": [
        .asked(): "prompt confirmIntent", .answer(as: bob): "handle",
        .asks(about: "amount"): "completed r: failure", .the(\.error): "unexpected",
    ],
    "after an approval a handler may ask other things, of the requester": [
        .asked(): "prompt confirmIntent", .answer(as: bob): "handle", .asks("note"): "prompt value",
        .answer(as: bob): notAllowed, .answer(.accept, "thanks", from: .ann): "handle",
    ],
    "a question is repeated at the declared times": [
        .request(): "resolve",
        .resolver(
            ["dropOff": .missing],
            policy: {
                var policy = IntentPolicy(answerTimeout: .seconds(3_600))
                policy.reminders = [.seconds(600), .seconds(1_800)]
                return policy
            }()): "prompt value dropOff",
        .the(\.timerLasts): "600.0", .timer(): "reminded reminder", .timer(): "reminded reminder",
        .timer(): "completed r: timedOut",
    ],
    "a question asked again is repeated from its own beginning": [
        .request(): "resolve",
        .resolver(
            ["dropOff": .missing],
            policy: {
                var policy = IntentPolicy(answerTimeout: .seconds(3_600), asks: AskPolicy(noAnswer: 1))
                policy.reminders = [.seconds(600)]
                return policy
            }()): "prompt value dropOff",
        .timer(): "reminded reminder", .timer(): "prompt value dropOff", .the(\.timerLasts): "600.0",
    ],
]

extension Approval {
    fileprivate static let either0 = Approval(by: [])
}

extension Reply {
    fileprivate var line: String { lines?.first ?? "" }
}

@Suite("Others than the requester agree") struct ApprovalTests {
    private let talk = Talk()

    @Test(arguments: dialogues.cases) func `as in the dialogues`(_ dialogue: Dialogue) { talk.play(dialogue) }

    @Test(arguments: Lookalikes.names)
    func `a name or a role that only looks like an approver's agrees to nothing`(_ name: String, _ other: String) {
        talk.play(
            .asked(
                Approval(by: [.principal(Principal(.appUser, Identifier(name))), .role(Identifier(name))])))
        let stranger = Principal(.appUser, Identifier(other))
        talk.play([
            .answer(as: stranger): notAllowed, .answer(as: stranger, Identifier(other)): notAllowed,
            .answer(as: eve, Identifier(name)): "handle",
        ])
    }

    @Test func `a producer that is not trusted with names agrees in the name of nobody`() {
        talk.play(.asked())
        let answer = Answer(prompt: talk.prompt?.id ?? "", action: .accept)
        #expect(talk.receive(.answered(answer), from: bob, isNamed: true) == notAllowed.lines)
    }

    @Test func `a request in a name that nobody has authenticated fails, if the requester may not agree`() {
        let request = IntentRequest(id: "r", intent: "Book", parameters: [ParameterState(name: "amount", value: 5)])
        talk.receive(.requested(request), from: .ann, isNamed: true)
        talk.play(.resolver(["amount": .success(5)], asking: ConfirmationRequest(approval: approval())), .confirmer())
        #expect(talk.completion?.error?.reason == .unauthorized)
    }

    @Test func `a rejected answer leaves no approval behind`() {
        talk.play(.asked())
        talk.policy.limits.maximumParameterBytes =
            talk.session.active?.parameters.reduce(0) { $0 + $1.name.utf8.count + 1 } ?? 0
        let answer = Answer(prompt: talk.prompt?.id ?? "", action: .accept, value: true)
        #expect(talk.receive(.answered(answer), from: bob) == ["rejected complex parameters"])
        #expect(talk.session.active?.confirmed.agreement == nil)
    }

    @Test func `nothing is remembered of an agent's request to which only others have agreed`() {
        talk.play(.asked())
        talk.session.active?.request.isUnagreed = true
        talk.play(.answer(as: bob))
        #expect(talk.session.active?.request.isUnagreed == true)
    }
}
