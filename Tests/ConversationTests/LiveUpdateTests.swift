import Conversation
import IntentKit
import IntentModel
import Testing

@Suite("Live updates: a handler goes on telling, until one side ends it")
struct LiveUpdateTests {
    let talk = Talk()

    private func succeed(_ id: String = "r") {
        talk.bring(to: .handling, id)
        var response = IntentResponse(.success)
        response.offersUpdates = true
        talk.worker(.finished(.responded(response, confirmation: nil)), phase: .handle)
    }

    private func tells(_ phase: String, status: String? = nil, step: Int? = nil, _ location: SourceLocation = #_sourceLocation) -> [String]
    {
        talk.worker(
            .updated(IntentUpdate(phase: phase, completionStatus: status)), phase: .handle,
            step: step ?? talk.session.updates.last?.step, request: "r", location)
    }

    private func start() -> [String] { talk.receive(.updatesStarted(request: "r")) }
    private func stop() -> [String] { talk.receive(.updatesStopped(request: "r")) }

    @Test("the completion says that there is more to tell; started once, told, and stopped, twice without harm")
    func whole() {
        succeed()
        #expect(talk.completion?.offersUpdates == true)
        #expect(start() == ["update"])
        #expect(start() == ["ignored repeatedStart"])
        #expect(tells("ongoing") == ["update ongoing"])
        #expect(tells("arriving") == ["update arriving"])
        #expect(stop() == ["cancel handle", "updates stopped"])
        #expect(stop() == ["ignored noUpdates"])
        #expect(tells("ongoing") == ["ignored staleOutcome"])
        #expect(start() == ["update"])
    }

    @Test("a wrong id, or one whose handler tells nothing more, is answered and harmless")
    func wrong() {
        talk.bring(to: .handling)
        talk.handler()
        #expect(start() == ["rejected unexpected request"])
        #expect(stop() == ["ignored noUpdates"])
    }

    @Test("the session does other things meanwhile")
    func beside() {
        succeed()
        _ = start()
        talk.bring(to: .awaitingAnswer, "other")
        #expect(tells("ongoing") == ["update ongoing"])
        #expect(talk.stage == .awaitingAnswer)
    }

    @Test("an update without a phase, or completed without a status, ends it", arguments: ["", "unknown", "completed"])
    func invalid(_ phase: String) {
        succeed()
        _ = start()
        #expect(tells(phase) == ["cancel handle", "updates invalid: invalid"])
        guard case .result(let result)? = talk.effects.last, case .updatesEnded(_, _, let error) = result.body else {
            Issue.record("it was not told")
            return
        }
        #expect(error?.message == IntentUpdate(phase: phase).violation)
    }

    @Test("an update that gives a parameter of the request another value is about something else, and is ignored")
    func foreign() {
        succeed()
        _ = start()
        talk.session.updates[0].parameters = [
            ParameterState(name: "ride", value: .string("R-1")), ParameterState(name: "seats", value: .number(2)),
            ParameterState(name: "to", value: .object(["name": .string("Airport")])), ParameterState(name: "note", value: nil),
        ]
        func tells(_ values: [String: JSON]) -> [String] {
            talk.worker(
                .updated(IntentUpdate(phase: "p\(talk.session.sequence)", values: values)), phase: .handle,
                step: talk.session.updates[0].step, request: "r")
        }
        #expect(tells(["ride": .string("R-2")]) == ["ignored foreignUpdate"])
        #expect(tells(["ride": .string("R-1"), "seats": .number(3)]) == ["ignored foreignUpdate"])
        let own: [String: JSON] = [
            "ride": .string("R-1"), "seats": .number(2.0), "to": .object(["id": .number(1)]), "note": .string("n"), "other": .number(1),
        ]
        #expect(tells(own).count == 1 && talk.session.updates[0].told != nil)
    }

    @Test("a handler that fails is tried again after the time that it names, and told of in the end")
    func fails() {
        succeed()
        _ = start()
        func fails(_ disposition: IntentFailure.Disposition) -> [String] {
            talk.worker(
                .finished(.failed(IntentFailure(disposition, reason: .internal, message: "m"))), phase: .handle,
                step: talk.session.updates[0].step, request: "r")
        }
        for _ in 1...talk.policy.maximumAttempts {
            #expect(fails(.retry(after: .seconds(1))) == [])
            #expect(talk.wait(.seconds(1)) == ["cancel handle", "update"])
        }
        #expect(fails(.retry(after: .seconds(1))) == ["cancel handle", "updates invalid: internal"])
        _ = start()
        #expect(fails(.retry(after: .zero)) == ["cancel handle", "update"])
        #expect(fails(.retry(after: .seconds(-1))) == ["cancel handle", "updates invalid: internal"])
        _ = start()
        #expect(fails(.failure("failureX")) == ["cancel handle", "updates invalid: internal"])
    }

    @Test("a handler that asks, or ends with a failure, ends it by name; one that ends with success has told all")
    func endings() {
        succeed()
        func ends(_ outcome: PhaseOutcome) -> [String] {
            _ = start()
            return talk.worker(.finished(outcome), phase: .handle, step: talk.session.updates[0].step, request: "r")
        }
        #expect(ends(.asked(PhaseQuestion(id: "q", kind: .value))) == ["cancel handle", "updates invalid: unexpected"])
        #expect(ends(.responded(.failure())) == ["cancel handle", "updates invalid: unexpected"])
        #expect(ends(.responded(.success)) == ["cancel handle", "updates completed"])
    }

    @Test("the handler has what the session remembers")
    func memory() {
        succeed()
        talk.session.memory = SessionMemory([SessionMemory.Entry(key: "city", value: .string("Cork"))])
        _ = start()
        #expect(talk.work?.item?.memory == ["city": .string("Cork")])
    }

    @Test("after 'completed' nothing comes")
    func completed() {
        succeed()
        _ = start()
        #expect(tells("completed", status: "completed") == ["update completed", "cancel handle", "updates completed"])
        #expect(tells("ongoing") == ["ignored staleOutcome"])
    }

    @Test("what tells nothing new and comes too soon is left out")
    func cadence() {
        succeed()
        _ = start()
        #expect(tells("ongoing") == ["update ongoing"])
        #expect(tells("ongoing") == ["ignored earlyUpdate"])
        talk.now = talk.now.advanced(by: talk.policy.updatesInterval)
        #expect(tells("ongoing") == ["update ongoing"])
    }

    @Test("a handler that falls silent is replaced by another, and what the first one says then counts no more")
    func silence() {
        succeed()
        _ = start()
        let first = talk.session.updates[0].step
        #expect(talk.wait(talk.policy.updatesSilence) == ["cancel handle", "update"])
        #expect(tells("ongoing", step: first) == ["ignored staleOutcome"])
        #expect(tells("ongoing") == ["update ongoing"])
        #expect(talk.session.updates[0].restarts == 0)
    }

    @Test("when nobody can be made to tell, it ends; and the session is forgotten in the end")
    func nobody() {
        succeed()
        _ = start()
        for _ in 1...talk.policy.maximumAttempts { #expect(talk.waitForTimer() == ["cancel handle", "update"]) }
        #expect(talk.waitForTimer() == ["cancel handle", "updates silent"])
        #expect(talk.waitForTimer() == ["forgotten"])
    }

    @Test("it does not go on for ever")
    func expires() {
        succeed()
        _ = start()
        talk.now = talk.now.advanced(by: talk.policy.updatesTimeout)
        #expect(talk.receive(.timer) == ["cancel handle", "updates expired"])
    }

    @Test("after a crash the work is given out again")
    func outstanding() {
        succeed()
        #expect(talk.session.outstandingWork.isEmpty)
        _ = start()
        #expect(talk.session.outstandingWork.map(\.kind) == [.update])
        talk.bring(to: .handling, "other")
        #expect(talk.session.outstandingWork.map(\.kind) == [.handle, .update])
    }

    @Test("after a crash a stop is said again")
    func outstandingStop() {
        succeed()
        _ = start()
        _ = stop()
        #expect(talk.session.outstandingWork.map(\.kind) == [.cancel])
        #expect(talk.session.outstandingWork.first?.step == talk.session.updates[0].step)
        _ = start()
        #expect(talk.session.outstandingWork.map(\.kind) == [.update])
        talk.receive(.ended(reason: nil))
        #expect(talk.session.outstandingWork.map(\.kind) == [.cancel])
        #expect(start() == ["rejected unexpected request"])
    }

    @Test("those that nobody listens to make room")
    func bounded() {
        talk.policy.maximumUpdates = 2
        for id in ["a", "r", "b"] { succeed(id) }
        #expect(talk.session.updates.map(\.request.id) == ["r", "b"])
    }

    @Test("where there is no room for more updates, the completion does not offer any")
    func noRoom() {
        talk.policy.maximumUpdates = 1
        succeed()
        #expect(start() == ["update"])
        succeed("r2")
        #expect(talk.completion?.offersUpdates == false)
        #expect(talk.receive(.updatesStarted(request: "r2")) == ["rejected unexpected request"])
    }
}
