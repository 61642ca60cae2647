import Conversation
import IntentModel
import PipelineTestKit
import Testing

private let dialogues: Dialogues = [
    "a forgetting covers the session's memory and values that are not written yet; an operator may ask for one too": [
        .travel("r1", knowing: [:]): "resolve", .resolved(said, note): [#"memory ann city "Leeds""#, "confirm"],
        .confirmer(): "handle", .handler(): "completed r1: success",
        .forget(["city"], from: Principal(.system, "")): "memory ann forget city", .the(\.pending): "forget city",
        .the(\.session.memory.values): "note soft", .forget(event: "g"): "memory ann forget all",
        .the(\.pendingNumbers): "2, 3", .the(\.session.memory.values): "none",
    ],
    "a forgetting of the session's memory leaves the person's memory as it is": [
        .travels(to: .confirming): "confirm", .event(.forgotten(Forgetting()), from: .ann): "ignored nothingToForget",
        .the(\.pending): "none", .the(\.isForgotten): "false", .known("city"): "resolved York",
    ],
    "a working resolver is called again without the forgotten values, and its old outcome is stale": [
        .travels(to: .resolving): "resolve", .forget(["city"]): ["memory ann forget city", "resolve"],
        .the(\.item?.memory): "seat window",
        .worker(.finished(.resolved([remembered])), phase: .resolve, step: 1): "ignored staleOutcome",
    ],
    "a request without values of the forgotten keys is left as it is": [
        .travels(to: .awaitingConfirmation): "prompt confirmIntent", .forget(["seat"]): "memory ann forget seat",
        .forget(["other"]): "memory ann forget other", .known("city"): "resolved York",
        .answer(.accept, prompt: 1, from: .ann): "handle",
    ],
    "a value that the person has said themselves is not forgotten": [
        .travel(): "resolve", .resolved(said): "…", .forget(): "memory ann forget all", .the(\.stage): "confirming",
        .known("city"): "resolved Leeds",
    ],
    "interrupted and queued requests begin again without the forgotten values": [
        .travels(to: .awaitingAnswer): "prompt value when",
        .travel("r2", knowing: [:], whenBusy: .interrupt): "resolve", .resolver(): "confirm", .travel("r3"): [],
        .forget(): "memory ann forget all", .the(\.suspended): "r", .the(\.queued): "r3",
        .the(\.waiting): "r: none, forgotten, r3: none, forgotten",
        .the(\.session.suspended.first?.parameters.count): "0", .confirmer(): "handle",
        .handler(): ["completed r2: success", "resolve"], .the(\.item?.request): "r", .the(\.item?.memory): "none",
        .resolved(said): "confirm", .confirmer(): "handle", .handler(): ["completed r: success", "resolve"],
        .the(\.item?.request): "r3", .the(\.item?.memory): "none",
    ],
    "a request that is being handled keeps its values, and nothing of the request is remembered": [
        .travels(to: .handling, .inProgress): "…", .forget(): "memory ann forget all", .known("city"): "resolved York",
        .handler { $0.rememberedForPerson = ["ride": "R-7"] }: "completed r: success",
        .the(\.completion?.parameters.first?.value): "York", .the(\.pending): "forget all",
    ],
    "forgettings are confirmed one by one, in order, and only once they are done": [
        .forget(event: "f1"): "…", .forget(event: "f2"): "…", .forget(event: "f3"): "…",
        .news(done: 2, done(1, count: 4), done(2, count: 0, offset: 6)): [
            "confirmed f1: all, 4", "confirmed f2: all, 0",
        ],
        .news(done: 3, done(1, count: 4), done(2, count: 0, offset: 6), done(3, count: 0, offset: 9)):
            "confirmed f3: all, 0",
    ],
    "a request that came after the forgetting keeps its values when the forgetting is confirmed": [
        .forget(): "…", .travel(): "resolve", .resolved(remembered): "confirm",
        .news(done: 1, done(1)): "confirmed f: all, 2", .the(\.stage): "confirming", .the(\.isForgotten): "false",
    ],
    "a forgetting is confirmed without an unknown count, and is rejected if the log has lost or refused it": [
        .forget(): "…", .news(done: 1, done(9, count: 0, of: "")): "confirmed f: all, -",
        .or(.news(done: 2)): "rejected internal", .the(\.pending): "none",
        .or(.event(.changeRefused(number: 1, Rejection(.internal, "it is full")))): "rejected internal",
        .the(\.rejection?.event): "f", .the(\.rejection?.message): "it is full", .the(\.pending): "none",
        .event(.changeRefused(number: 1, Rejection(.internal, "it is full"))): "ignored nothingToForget",
    ],
    "an idle session rejects its unconfirmed forgetting before the session is forgotten": [
        .forget(): "…", .wait(\.idleTimeout): ["ignored earlyTimer", "rejected busy"], .the(\.rejection?.event): "f",
        .the(\.pending): "none", .timer(): "forgotten",
    ],
    "an ended session rejects its unconfirmed forgetting before the session is forgotten": [
        .travels(to: .confirming): "confirm", .forget(): ["memory ann forget all", "resolve"],
        .event(.ended(reason: nil), from: Principal(.system, "")): ["cancel resolve", "completed r: cancelled"],
        .wait(0): "rejected busy", .the(\.rejection?.event): "f", .wait(0): "forgotten",
    ],
    "nothing of an earlier request, or of one that it opens, is remembered after a forgetting; later ones are":
        [
            .travel(knowing: [:]): "resolve", .either(.forget(), .forget(["city"]), .forget(["seat"])): "…",
            .resolved(said): "confirm", .confirmer(): "handle",
            .handler { $0.opensIntent = OpenedIntent(intent: "Travel") }: [
                "completed r: success, opens Travel", "resolve",
            ],
            .resolved(said): "confirm", .confirmer(): "handle", .handler(): "completed r.opens: success",
            .travel("later", knowing: [:]): "resolve", .resolved(said): [#"memory ann city "Leeds""#, "confirm"],
        ],
    "a parameter whose value was forgotten is asked for again, and the answer to the old prompt is stale": [
        .travels(to: .awaitingAnswer, .awaitingConfirmation): "…",
        .forget(["city"]): ["memory ann forget city", "resolve"], .known("city"): "none",
        .the(\.item?.memory): "seat window", .the(\.stage): "resolving", .the(\.prompt?.id): "none",
        .answer(.accept, "today", prompt: 1, from: .ann): "rejected unexpected prompt",
    ],
    "a parameter that is forgotten while the intent is confirmed is asked for again, and the outcome is stale": [
        .either(
            .travels(to: .confirming), .travels(to: .confirming, since: MemoryPosition(offset: 6)),
            .travels(to: .confirming, since: MemoryPosition(offset: 0))): "confirm",
        .steps(.othersForget(["city"]), .worker(.ready, phase: .confirm, step: 2)): "ignored staleOutcome",
        .or(.forget(["city"])): ["memory ann forget city", "resolve"], .known("city"): "none",
        .worker(.ready, phase: .confirm, step: 2): "ignored staleOutcome",
    ],
    "another session's forgetting covers earlier requests, and requests whose position is unknown": [
        .either(
            .travels(to: .awaitingAnswer, .confirming, .awaitingConfirmation),
            .travels(to: .awaitingAnswer, .confirming, .awaitingConfirmation, since: MemoryPosition(offset: 6)),
            .travels(to: .awaitingAnswer, .confirming, .awaitingConfirmation, since: MemoryPosition(offset: 0))): "…",
        .othersForget(["city"]): "resolve", .known("city"): "none", .the(\.item?.memory): "seat window",
        .the(\.stage): "resolving", .the(\.prompt?.id): "none", .the(\.session.person.told?.offset): "7",
        // Nothing of it is remembered any more.
        .resolved(said): "confirm",
    ],
    "another session's forgetting leaves later requests as they are": [
        .either(
            .travels(to: .confirming, since: MemoryPosition(offset: 7)),
            .travels(to: .confirming, since: MemoryPosition(offset: 8)),
            .travels(to: .confirming, since: MemoryPosition(epoch: 1, offset: 0))): "confirm",
        .othersForget(): [], .the(\.stage): "confirming", .known("city"): "resolved York", .the(\.isForgotten): "false",
        .the(\.session.active?.request.remembered.count): "2",
    ],
    "another session's forgetting calls a working resolver again only if it has a forgotten value": [
        .travels(to: .resolving): "resolve", .othersForget(["other"]): [],
        .othersForget(["city"], offset: 8): "resolve", .the(\.item?.memory): "seat window",
    ],
    "another session's forgetting covers the older of two open requests, and not the later one": [
        .travels(to: .awaitingAnswer, since: MemoryPosition(offset: 3)): "prompt value when",
        .travel("r2", whenBusy: .interrupt, since: MemoryPosition(offset: 7)): "resolve", .othersForget(): [],
        .the(\.waiting): "r: none, forgotten", .the(\.isForgotten): "false",
        .the(\.session.active?.request.remembered.count): "2",
    ],
    "the values of a request are kept from a later request that came after another session's forgetting": [
        .travel(knowing: [:]): "resolve", .travel("later", knowing: [:], since: MemoryPosition(offset: 7)): [],
        .resolved(said): "…", .the(\.waiting): "later: none",
    ],
    "another session's forgetting, or a merged one, is followed once, without a result": [
        .travels(to: .confirming): "confirm", .news(done: 0, done(9, count: 0, of: "")): "resolve",
        .or(.othersForget(["seat"])): [], .othersForget(["seat"]): "ignored nothingToForget",
        .othersForget(["city"], offset: 6): "ignored nothingToForget",
    ],
    "another session's forgetting leaves a request that is being handled as it is": [
        .travels(to: .handling, .inProgress): "…", .othersForget(): [], .handler(): "completed r: success",
        .the(\.pending): "none",
    ],
]

@Suite("Forgetting what is remembered about a person") struct ForgettingTests {
    private let talk = Talk()

    @Test(arguments: dialogues.cases) func `as in the dialogues`(_ dialogue: Dialogue) { talk.play(dialogue) }

    @Test(arguments: [nil, ["city"], ["city", "seat", "other"]])
    func `a forgetting is one change with the event that waits for it, whatever is remembered`(_ keys: [String]?) {
        talk.play([.forget(keys): "memory ann forget \(keys?.joined(separator: " ") ?? "all")"])
        let stream = talk.session.person.stream
        let change = MemoryChange(.forget(keys), stream: stream, number: 1, time: Talk.start, event: "f")
        #expect(talk.session.person.pending == [change])
    }

    @Test(arguments: [nil, ["city", "seat"]])
    func `a forgetting is confirmed once, with the event, its keys and the number of values`(_ keys: [String]?) {
        talk.play([
            .forget(keys): "…", .news(done: 0): "ignored nothingToForget",
            .news(done: 1, done(1, keys)): "confirmed f: \(keys?.joined(separator: " ") ?? "all"), 2",
        ])
        #expect(talk.results.first?.request == nil && talk.session.person.told == MemoryPosition(offset: 5))
        talk.play([.the(\.pending): "none", .news(done: 1, done(1, keys)): "ignored nothingToForget"])
    }

    @Test func `16 forgettings may be open; one more is rejected, and changes nothing`() {
        for number in 1...16 { talk.play([.forget(event: "f\(number)"): "memory ann forget all"]) }
        talk.play([
            .travel(): "resolve", .resolved(remembered): "confirm", .forget(event: "f17"): "rejected busy",
            .the(\.session.person.forgettings): "16", .the(\.session.person.last): "16",
            .known("city"): "resolved York", .news(done: 1, done(1)): "confirmed f1: all, 2",
            .forget(event: "f17"): ["memory ann forget all", "resolve"],
        ])
    }

    @Test func `news concern a session only with an open request or an unconfirmed forgetting`() {
        let news = MemoryNews(done: 0, forgettings: [done(1, count: 1, of: "other", offset: 7)])
        talk.play(.travel(knowing: [:]))
        #expect(talk.session.mayHaveToForget && talk.session.isConcerned(by: news))
        talk.receive(.memoryChanged(news))
        #expect(!talk.session.isConcerned(by: news), "it has followed it")
        talk.play(.resolver(), .confirmer(), .handler())
        #expect(!talk.session.mayHaveToForget)
        talk.play(.forget())
        #expect(talk.session.mayHaveToForget && !talk.session.isConcerned(by: news))
        #expect(talk.session.isConcerned(by: MemoryNews(done: 1, forgettings: [])))
    }
}

/// A resolved city.
private func city(_ value: JSON, _ source: ParameterState.Provenance.Source? = nil) -> ResolvedParameter {
    var city = ResolvedParameter(name: "city", resolution: .success(value), memoryKey: "city")
    city.memoryScope = .person
    city.provenance = source.map { ParameterState.Provenance(source: $0) }
    return city
}

private let remembered = city("York", .remembered)
private let said = city("Leeds")
private let open = ResolvedParameter(name: "when", resolution: .missing)
private let note: ResolvedParameter = {
    var note = ResolvedParameter(name: "note", resolution: .success("soft"), memoryKey: "note")
    note.memoryScope = .session
    return note
}()

/// A forgetting that is done: of the session's own stream if none is given.
private func done(
    _ number: Int, _ keys: [String]? = nil, count: Int = 2, of stream: Identifier = "own", offset: Int64 = 5
) -> DoneForgetting {
    DoneForgetting(keys: keys, count: count, stream: stream, number: number, position: MemoryPosition(offset: offset))
}

extension Step {
    fileprivate static func travel(
        _ id: Identifier = "r", knowing values: Values = ["city": "York", "seat": "window"],
        whenBusy: IntentRequest.WhenBusy = .queue, since: MemoryPosition? = nil, at line: Line = #_sourceLocation
    ) -> Step {
        .request(id, whenBusy: whenBusy, from: .ann, at: line) { request in
            request.remembered = values.map { key, value in
                RememberedValue(
                    key: key, value: value, intent: "Travel", time: Talk.start.advanced(by: .seconds(-3_600)))
            }
            request.memorySince = since
        }
    }

    /// Brings a request whose city comes from memory to a later stage.
    fileprivate static func travels(
        to stages: StageName..., since: MemoryPosition? = nil, at line: Line = #_sourceLocation
    ) -> Step {
        each(stages, at: line) { stage in
            let travel = Step.travel(since: since, at: line)
            return switch stage {
            case .resolving: travel
            case .awaitingAnswer: .steps(travel, .resolved(remembered, open))
            case .confirming: .steps(travel, .resolved(remembered))
            case .awaitingConfirmation: .steps(travel, .resolved(remembered), .confirmer(asking: .plain))
            case .inProgress: .steps(travel, .resolved(remembered), .confirmer(), .progress(nil))
            default: .steps(travel, .resolved(remembered), .confirmer())
            }
        }
    }

    fileprivate static func forget(
        _ keys: [String]? = nil, event: Identifier? = "f", from principal: Principal = .ann,
        at line: Line = #_sourceLocation
    ) -> Step { .event(.forgotten(Forgetting(keys: keys, scope: .person, event: event)), from: principal, at: line) }

    /// Reports that changes of the session, and forgettings, are done.
    fileprivate static func news(
        done: Int, _ forgettings: DoneForgetting..., at line: Line = #_sourceLocation
    ) -> Step {
        Step(line) { talk in
            let forgettings = forgettings.map { forgetting in
                var forgetting = forgetting
                if forgetting.stream == "own" { forgetting.stream = talk.session.person.stream }
                return forgetting
            }
            return talk.receive(.memoryChanged(MemoryNews(done: done, forgettings: forgettings)), at: line)
        }
    }

    /// Reports that another session has forgotten values.
    fileprivate static func othersForget(
        _ keys: [String]? = nil, offset: Int64 = 7, at line: Line = #_sourceLocation
    ) -> Step { .news(done: 0, ConversationTests.done(1, keys, count: 1, of: "other", offset: offset), at: line) }
}

extension Talk {
    fileprivate var isForgotten: Bool? { session.active?.request.isForgotten }
    fileprivate var pendingNumbers: [Int] { session.person.pending.map(\.number) }
    /// The requests that wait, with the keys that they remember.
    fileprivate var waiting: [String] {
        (session.suspended.map(\.request) + session.queued).map {
            "\($0.id): \(words($0.remembered.map(\.key)))" + ($0.isForgotten ? ", forgotten" : "")
        }
    }
}
