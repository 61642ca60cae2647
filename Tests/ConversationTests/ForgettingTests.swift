import Conversation
import IntentModel
import Testing

@Suite("Forgetting what is remembered about a person")
struct ForgettingTests {
    private let talk = Talk()
    private static let ann = Principal(.appUser, "ann")
    private static let refused = ["rejected busy"]

    // MARK: What happens

    private func request(
        _ id: Identifier, knowing values: KeyValuePairs<String, String> = ["city": "York", "seat": "window"],
        whenBusy: IntentRequest.WhenBusy = .queue, since: MemoryPosition? = nil
    ) {
        var request = IntentRequest(id: id, intent: "Book", whenBusy: whenBusy, principal: Self.ann)
        request.remembered = values.map { key, value in
            RememberedValue(
                key: key, value: .string(value), intent: "Travel", time: talk.now.advanced(by: .seconds(-3_600)))
        }
        request.memorySince = since
        talk.receive(.requested(request), from: Self.ann)
    }

    /// A resolved city.
    ///
    /// - Parameter isFromMemory: `true` if the resolver has taken the value from memory.
    private func city(_ value: String, isFromMemory: Bool) -> ResolvedParameter {
        var parameter = ResolvedParameter(name: "city", resolution: .success(.string(value)), memoryKey: "city")
        parameter.memoryScope = .person
        if isFromMemory { parameter.provenance = ParameterState.Provenance(source: .remembered) }
        return parameter
    }

    private var remembered: ResolvedParameter { city("York", isFromMemory: true) }
    private var said: ResolvedParameter { city("Leeds", isFromMemory: false) }
    private let open = ResolvedParameter(name: "when", resolution: Station.missing)

    /// Brings a request whose city comes from memory to a later stage.
    private func bring(to stage: StageName, since: MemoryPosition? = nil) {
        request("r", since: since)
        if stage == .resolving { return }
        talk.resolver(stage == .awaitingAnswer ? [remembered, open] : [remembered])
        if stage == .awaitingAnswer || stage == .confirming { return }
        talk.confirmer(.ready, asking: stage == .awaitingConfirmation ? ConfirmationRequest() : nil)
        if stage == .inProgress { talk.progress(nil) }
    }

    @discardableResult
    private func forget(_ keys: [String]? = nil, event: Identifier? = "f", from principal: Principal? = ann) -> [String]
    {
        talk.receive(.forgotten(Forgetting(keys: keys, scope: .person, event: event)), from: principal)
    }

    /// Reports that another session has forgotten values, at offset 7 by default.
    private func othersForget(_ keys: [String]? = nil, offset: Int64 = 7) -> [String] {
        let forgetting = DoneForgetting(
            keys: keys, count: 1, stream: "other", number: 1, position: MemoryPosition(offset: offset))
        return talk.receive(.memoryChanged(MemoryNews(done: 0, forgettings: [forgetting])))
    }

    private func own(_ number: Int, _ keys: [String]? = nil, count: Int = 2, offset: Int64 = 5) -> DoneForgetting {
        DoneForgetting(
            keys: keys, count: count, stream: talk.session.person.stream, number: number,
            position: MemoryPosition(offset: offset))
    }

    private func answer(_ prompt: Identifier?, _ value: String = "today") -> [String] {
        talk.receive(
            .answered(Answer(prompt: prompt ?? "none", action: .accept, value: .string(value))), from: Self.ann)
    }

    private static let stagesBefore: [StageName] = [.awaitingAnswer, .confirming, .awaitingConfirmation]
    private static let stagesOfHandling: [StageName] = [.handling, .inProgress]

    // MARK: By the session itself

    @Test(
        "is one change, which says who waits for it, whatever is remembered",
        arguments: [nil, ["city"], ["city", "seat", "other"]])
    func oneChange(_ keys: [String]?) {
        #expect(forget(keys) == ["memory ann forget \(keys?.joined(separator: " ") ?? "all")"])
        let stream = talk.session.person.stream
        #expect(
            talk.session.person.pending == [
                MemoryChange(.forget(keys), stream: stream, number: 1, time: Talk.start, event: "f")
            ])
    }

    @Test("takes along what the session remembers, and values that are not written yet; an operator may ask for it too")
    func values() {
        request("r1", knowing: [:])
        var note = ResolvedParameter(name: "note", resolution: .success(.string("soft")), memoryKey: "note")
        note.memoryScope = .session
        #expect(talk.resolver([said, note]) == [#"memory ann city "Leeds""#, "confirm"])
        talk.confirmer()
        talk.handler()
        #expect(forget(["city"], from: Principal(.system, "")) == ["memory ann forget city"])
        #expect(
            talk.session.person.pending.map(\.kind) == [.forget(["city"])]
                && talk.session.memory.values == ["note": .string("soft")])
        #expect(forget(event: "g") == ["memory ann forget all"])
        #expect(talk.session.person.pending.map(\.number) == [2, 3] && talk.session.memory.entries.isEmpty)
    }

    @Test("does not happen when only what the session remembers is to be forgotten")
    func sessionScope() {
        bring(to: .confirming)
        #expect(talk.receive(.forgotten(Forgetting()), from: Self.ann) == ["ignored nothingToForget"])
        #expect(talk.session.person.pending.isEmpty && talk.session.active?.request.isForgotten == false)
        #expect(talk.known("city") == "resolved York")
    }

    @Test(
        "has a parameter asked for again whose value came from the memory, and what was said before is stale",
        arguments: stagesBefore)
    func askedAgain(_ stage: StageName) throws {
        bring(to: stage)
        let prompt = talk.prompt?.id
        let step = try #require(talk.session.active?.step)
        #expect(forget(["city"]) == ["memory ann forget city", "resolve"])
        #expect(talk.known("city") == nil && talk.work?.item?.memory == ["seat": .string("window")])
        #expect(talk.stage == .resolving && talk.prompt == nil)
        if stage == .confirming {
            let late = Outcome.Content.finished(.responded(IntentResponse(.ready), confirmation: nil))
            #expect(talk.worker(late, phase: .confirm, step: step) == ["ignored staleOutcome"])
        } else {
            #expect(answer(prompt) == ["rejected unexpected prompt"])
        }
    }

    @Test(
        "has a resolver that is at work asked again, without what it may use no more; what it still says of the old is stale"
    )
    func atWork() throws {
        bring(to: .resolving)
        let step = try #require(talk.session.active?.step)
        #expect(forget(["city"]) == ["memory ann forget city", "resolve"])
        #expect(talk.work?.item?.memory == ["seat": .string("window")])
        #expect(
            talk.worker(.finished(.resolved([remembered])), phase: .resolve, step: step) == ["ignored staleOutcome"])
    }

    @Test("leaves alone what has nothing from the memory under these keys", arguments: [["seat"], ["other"]])
    func otherKeys(_ keys: [String]) {
        bring(to: .awaitingConfirmation)
        let prompt = talk.prompt?.id
        #expect(forget(keys) == ["memory ann forget \(keys[0])"])
        #expect(talk.prompt?.id == prompt && talk.known("city") == "resolved York")
    }

    @Test("leaves alone what the person has said themselves")
    func saidThemselves() {
        request("r")
        talk.resolver([said])
        #expect(forget() == ["memory ann forget all"])
        #expect(talk.stage == .confirming && talk.known("city") == "resolved Leeds")
    }

    @Test("reaches requests that are interrupted or wait: each begins again without what was forgotten")
    func openRequests() {
        bring(to: .awaitingAnswer)
        request("r2", knowing: [:], whenBusy: .interrupt)
        talk.resolver()
        request("r3")
        #expect(forget() == ["memory ann forget all"])
        let requests = talk.session.suspended.map(\.request) + talk.session.queued
        #expect(requests.map(\.id) == ["r", "r3"])
        for request in requests { #expect(request.remembered.isEmpty && request.isForgotten, "\(request.id)") }
        #expect(talk.session.suspended.first?.parameters.contains { $0.name == "city" } == false)
        talk.confirmer()
        #expect(talk.handler() == ["completed r2: success success", "resolve"])
        #expect(talk.work?.item?.request == "r" && talk.work?.item?.memory == [:])
        talk.resolver([said])
        talk.confirmer()
        #expect(talk.handler() == ["completed r: success success", "resolve"])
        #expect(talk.work?.item?.request == "r3" && talk.work?.item?.memory == [:])
    }

    @Test(
        "does nothing to a request that is being handled, of which nothing is remembered either",
        arguments: stagesOfHandling)
    func beingHandled(_ stage: StageName) throws {
        bring(to: stage)
        #expect(forget() == ["memory ann forget all"])
        #expect(talk.stage == stage && talk.known("city") == "resolved York")
        var response = IntentResponse(.success)
        response.rememberedForPerson = ["ride": .string("R-7")]
        #expect(
            talk.worker(.finished(.responded(response, confirmation: nil)), phase: .handle) == [
                "completed r: success success"
            ])
        #expect(talk.completion?.parameters.first?.value == .string("York"))
        #expect(talk.session.person.pending.map(\.kind) == [.forget(nil)])
    }

    @Test(
        "keeps anything of a request that came before from being remembered, and of one that it opens, but not of one that comes later",
        arguments: [nil, ["city"], ["seat"]])
    func notRememberedAgain(_ keys: [String]?) {
        request("r", knowing: [:])
        forget(keys)
        #expect(talk.resolver([said]) == ["confirm"])
        talk.confirmer()
        var response = IntentResponse(.success)
        response.opensIntent = OpenedIntent(intent: "Travel")
        #expect(
            talk.worker(.finished(.responded(response, confirmation: nil)), phase: .handle)
                == ["completed r: success success, opens Travel", "resolve"])
        #expect(talk.resolver([said]) == ["confirm"])
        talk.confirmer()
        talk.handler()
        request("later", knowing: [:])
        #expect(talk.resolver([said]) == [#"memory ann city "Leeds""#, "confirm"])
    }

    // MARK: The confirmation

    @Test(
        "is confirmed once, with the event, its keys and how many values there were",
        arguments: [nil, ["city", "seat"]])
    func confirmed(_ keys: [String]?) throws {
        forget(keys)
        #expect(talk.receive(.memoryChanged(MemoryNews(done: 0, forgettings: []))) == ["ignored nothingToForget"])
        let news = SessionEvent.memoryChanged(MemoryNews(done: 1, forgettings: [own(1, keys)]))
        #expect(talk.receive(news) == ["confirmed f: \(keys?.joined(separator: " ") ?? "all"), 2"])
        guard case .result(let result)? = talk.effects.first, case .memoryForgotten(let told) = result.body else {
            Issue.record("no confirmation: \(talk.effects)")
            return
        }
        #expect(told == ForgottenMemory(event: "f", keys: keys, count: 2) && result.request == nil)
        #expect(talk.session.person.pending.isEmpty && talk.session.person.told == MemoryPosition(offset: 5))
        #expect(talk.receive(news) == ["ignored nothingToForget"])
    }

    @Test("is confirmed without a number if that is not known any more")
    func unknownCount() {
        forget()
        let others = DoneForgetting(keys: nil, count: 0, stream: "", number: 9, position: MemoryPosition(offset: 5))
        #expect(talk.receive(.memoryChanged(MemoryNews(done: 1, forgettings: [others]))) == ["confirmed f: all, -"])
    }

    @Test("is not confirmed if the log has lost it, although a later change of the session is done")
    func lost() {
        forget()
        #expect(talk.receive(.memoryChanged(MemoryNews(done: 2, forgettings: []))) == ["rejected internal"])
        #expect(talk.session.person.pending.isEmpty)
    }

    @Test("that stands for those before it is followed by a session that has changed nothing")
    func standsForOthers() {
        bring(to: .confirming)
        let others = DoneForgetting(keys: nil, count: 0, stream: "", number: 9, position: MemoryPosition(offset: 5))
        #expect(talk.receive(.memoryChanged(MemoryNews(done: 0, forgettings: [others]))) == ["resolve"])
    }

    @Test("is confirmed each time that it was asked for, in order, and only as far as it is done")
    func several() {
        for number in 1...3 { forget(event: Identifier("f\(number)")) }
        let first = MemoryNews(done: 2, forgettings: [own(1, count: 4, offset: 5), own(2, count: 0, offset: 6)])
        #expect(talk.receive(.memoryChanged(first)) == ["confirmed f1: all, 4", "confirmed f2: all, 0"])
        let second = MemoryNews(done: 3, forgettings: first.forgettings + [own(3, count: 0, offset: 9)])
        #expect(talk.receive(.memoryChanged(second)) == ["confirmed f3: all, 0"])
    }

    @Test("is followed once: a request that came since keeps what it has when it is confirmed")
    func followedOnce() {
        forget()
        request("r")
        talk.resolver([remembered])
        #expect(talk.receive(.memoryChanged(MemoryNews(done: 1, forgettings: [own(1)]))) == ["confirmed f: all, 2"])
        #expect(talk.stage == .confirming && talk.session.active?.request.isForgotten == false)
    }

    @Test("can be asked for 16 times before the first is done; one more is refused, and changes nothing")
    func bound() {
        for number in 1...16 { #expect(forget(event: Identifier("f\(number)")) == ["memory ann forget all"]) }
        request("r")
        talk.resolver([remembered])
        #expect(forget(event: "f17") == Self.refused)
        #expect(
            talk.session.person.forgettings == 16 && talk.session.person.last == 16
                && talk.known("city") == "resolved York")
        #expect(talk.receive(.memoryChanged(MemoryNews(done: 1, forgettings: [own(1)]))) == ["confirmed f1: all, 2"])
        #expect(forget(event: "f17") == ["memory ann forget all", "resolve"])
    }

    @Test("that the log refuses for good is told to who has asked for it, once")
    func refusedByTheLog() {
        forget()
        let refusal = SessionEvent.changeRefused(number: 1, Rejection(.internal, "the log takes nothing"))
        #expect(talk.receive(refusal) == ["rejected internal"] && rejection?.event == "f")
        #expect(rejection?.message == "the log takes nothing")
        #expect(talk.session.person.pending.isEmpty)
        #expect(talk.receive(refusal) == ["ignored nothingToForget"])
    }

    private var rejection: Rejection? {
        guard case .result(let result)? = talk.effects.first, case .rejected(let rejection) = result.body else {
            return nil
        }
        return rejection
    }

    @Test("is not confirmed when the session was idle for too long: that is told, and then the session is forgotten")
    func idle() {
        forget()
        #expect(talk.wait(talk.policy.idleTimeout) == Self.refused && rejection?.event == "f")
        #expect(talk.session.person.pending.isEmpty)
        #expect(talk.waitForTimer() == ["forgotten"])
    }

    @Test("is not confirmed when the session was ended: that is told, and then the session is forgotten")
    func ended() {
        bring(to: .confirming)
        #expect(forget() == ["memory ann forget all", "resolve"])
        let system = Principal(.system, "")
        #expect(
            talk.receive(.ended(reason: nil), from: system) == ["cancel resolve", "completed r: cancelled cancelled"])
        #expect(talk.wait(.zero) == Self.refused && rejection?.event == "f")
        #expect(talk.wait(.zero) == ["forgotten"])
    }

    // MARK: By another session of the person

    @Test(
        "by another session is followed by requests that came before, and by those of which that is not known",
        arguments: [nil, MemoryPosition(offset: 6), MemoryPosition(offset: 0)], stagesBefore)
    func others(_ since: MemoryPosition?, _ stage: StageName) throws {
        bring(to: stage, since: since)
        let prompt = talk.prompt?.id
        let step = try #require(talk.session.active?.step)
        #expect(othersForget(["city"]) == ["resolve"])
        #expect(talk.known("city") == nil && talk.work?.item?.memory == ["seat": .string("window")])
        #expect(talk.session.person.told == MemoryPosition(offset: 7))
        if stage == .confirming {
            let late = Outcome.Content.finished(.responded(IntentResponse(.ready), confirmation: nil))
            #expect(talk.worker(late, phase: .confirm, step: step) == ["ignored staleOutcome"])
        } else {
            #expect(answer(prompt) == ["rejected unexpected prompt"])
        }
        #expect(talk.resolver([said]) == ["confirm"], "nothing of it is remembered any more")
    }

    @Test(
        "by another session leaves requests alone that came later",
        arguments: [MemoryPosition(offset: 7), MemoryPosition(offset: 8), MemoryPosition(epoch: 1, offset: 0)])
    func laterRequests(_ since: MemoryPosition) {
        bring(to: .confirming, since: since)
        #expect(othersForget() == [])
        #expect(talk.stage == .confirming && talk.known("city") == "resolved York")
        #expect(talk.session.active?.request.isForgotten == false && talk.session.active?.request.remembered.count == 2)
    }

    @Test("by another session has a resolver at work asked again only if it knows something of it")
    func othersAtWork() {
        bring(to: .resolving)
        #expect(othersForget(["other"]) == [])
        #expect(othersForget(["city"], offset: 8) == ["resolve"])
        #expect(talk.work?.item?.memory == ["seat": .string("window")])
    }

    @Test("by another session tells the older of two open requests from the later one")
    func olderAndLater() {
        bring(to: .awaitingAnswer, since: MemoryPosition(offset: 3))
        request("r2", whenBusy: .interrupt, since: MemoryPosition(offset: 7))
        #expect(othersForget() == [])
        #expect(
            talk.session.suspended.map(\.request.isForgotten) == [true]
                && talk.session.active?.request.isForgotten == false)
        #expect(talk.session.suspended.first?.request.remembered.isEmpty == true)
        #expect(talk.session.active?.request.remembered.count == 2)
    }

    @Test(
        "by another session, of which only the later of two open requests knows, keeps the earlier one's values from it"
    )
    func laterRequestTakesNothing() {
        request("r", knowing: [:])
        request("later", knowing: [:], since: MemoryPosition(offset: 7))
        talk.resolver([said])
        #expect(talk.session.queued.map { $0.remembered.map(\.key) } == [[]])
    }

    @Test("by another session is followed once, and nothing is told of it")
    func othersOnce() {
        bring(to: .confirming)
        #expect(othersForget(["seat"]) == [])
        #expect(othersForget(["seat"]) == ["ignored nothingToForget"])
        #expect(othersForget(["city"], offset: 6) == ["ignored nothingToForget"], "it was before that")
    }

    @Test("by another session does nothing to a request that is being handled", arguments: stagesOfHandling)
    func othersBeingHandled(_ stage: StageName) {
        bring(to: stage)
        #expect(othersForget() == [])
        #expect(talk.stage == stage && talk.handler() == ["completed r: success success"])
        #expect(talk.session.person.pending.isEmpty)
    }

    @Test("concerns a session only if it has an open request or a forgetting that it has not confirmed")
    func concerned() {
        let foreign = DoneForgetting(
            keys: nil, count: 1, stream: "other", number: 1, position: MemoryPosition(offset: 7))
        let news = MemoryNews(done: 0, forgettings: [foreign])
        request("r", knowing: [:])
        #expect(talk.session.mayHaveToForget && talk.session.isConcerned(by: news))
        talk.receive(.memoryChanged(news))
        #expect(!talk.session.isConcerned(by: news), "it has followed it")
        talk.resolver()
        talk.confirmer()
        talk.handler()
        #expect(!talk.session.mayHaveToForget)
        forget()
        #expect(talk.session.mayHaveToForget && !talk.session.isConcerned(by: news))
        #expect(talk.session.isConcerned(by: MemoryNews(done: 1, forgettings: [])))
    }
}
