import Conversation
import IntentKit
import IntentModel
import PipelineTestKit
import Testing

@Suite("Live updates: a handler keeps sending updates until one side ends them")
struct LiveUpdateTests {
    let talk = Talk()

    private func succeed(_ id: Identifier = "r") {
        talk.bring(to: .handling, id)
        var response = IntentResponse(.success)
        response.offersUpdates = true
        talk.worker(.finished(.responded(response, confirmation: nil)), phase: .handle)
    }

    private func tells(
        _ phase: String, status: String? = nil, step: Int? = nil, _ location: SourceLocation = #_sourceLocation
    ) -> [String] {
        talk.worker(
            .updated(IntentUpdate(phase: phase, completionStatus: status)), phase: .handle,
            step: step ?? talk.session.updates.last?.step, request: "r", location)
    }

    private func start() -> [String] { talk.receive(.updatesStarted(request: "r")) }
    private func stop() -> [String] { talk.receive(.updatesStopped(request: "r")) }

    @Test(
        "the completion offers live updates; they start, are sent and stop, and repeated starts and stops are harmless")
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

    @Test("live updates end if the log refuses their work")
    func refused() {
        succeed()
        _ = start()
        let step = talk.session.updates.last?.step ?? 0
        #expect(
            talk.receive(.workRefused(request: "r", step: step, Rejection(.internal, "refused"))) == [
                "cancel handle", "updates invalid: internal",
            ])
    }

    @Test("starting live updates that a request doesn't offer is rejected, and stopping them is ignored")
    func wrong() {
        talk.bring(to: .handling)
        talk.handler()
        #expect(start() == ["rejected unexpected request"])
        #expect(stop() == ["ignored noUpdates"])
    }

    @Test("the session serves other requests meanwhile")
    func beside() {
        succeed()
        _ = start()
        talk.bring(to: .awaitingAnswer, "other")
        #expect(tells("ongoing") == ["update ongoing"])
        #expect(talk.stage == .awaitingAnswer)
    }

    @Test(
        "an update without a phase, or completed without a status, ends the updates",
        arguments: ["", "unknown", "completed"])
    func invalid(_ phase: String) {
        succeed()
        _ = start()
        #expect(tells(phase) == ["cancel handle", "updates invalid: invalid"])
        guard case .result(let result)? = talk.effects.last, case .updatesEnded(_, _, let error) = result.body else {
            Issue.record("the last result is not the end of the updates")
            return
        }
        #expect(error?.message == IntentUpdate(phase: phase).violation)
    }

    @Test("an update with another value for a parameter of the request is about something else and is ignored")
    func foreign() {
        succeed()
        _ = start()
        talk.session.updates[0].parameters = [
            ParameterState(name: "ride", value: .string("R-1")), ParameterState(name: "seats", value: .number(2)),
            ParameterState(name: "to", value: .object(["name": .string("Airport")])),
            ParameterState(name: "note", value: nil),
        ]
        func tells(_ values: [String: JSON]) -> [String] {
            talk.worker(
                .updated(IntentUpdate(phase: "p\(talk.session.sequence)", values: values)), phase: .handle,
                step: talk.session.updates[0].step, request: "r")
        }
        #expect(tells(["ride": .string("R-2")]) == ["ignored foreignUpdate"])
        #expect(tells(["ride": .string("R-1"), "seats": .number(3)]) == ["ignored foreignUpdate"])
        let own: [String: JSON] = [
            "ride": .string("R-1"), "seats": .number(2.0), "to": .object(["id": .number(1)]), "note": .string("n"),
            "other": .number(1),
        ]
        #expect(tells(own).count == 1 && talk.session.updates[0].told != nil)
    }

    @Test("a handler that fails is retried after the delay it names, and the failure is finally reported")
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

    @Test("a question or a failure ends the updates with an error; success ends them normally")
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

    @Test("no update follows 'completed'")
    func completed() {
        succeed()
        _ = start()
        #expect(tells("completed", status: "completed") == ["update completed", "cancel handle", "updates completed"])
        #expect(tells("ongoing") == ["ignored staleOutcome"])
    }

    @Test("an unchanged update that comes too soon is left out")
    func cadence() {
        succeed()
        _ = start()
        #expect(tells("ongoing") == ["update ongoing"])
        #expect(tells("ongoing") == ["ignored earlyUpdate"])
        talk.now = talk.now.advanced(by: talk.policy.updatesInterval)
        #expect(tells("ongoing") == ["update ongoing"])
    }

    @Test("a silent handler is replaced by another, and later updates from the first are ignored")
    func silence() {
        succeed()
        _ = start()
        let first = talk.session.updates[0].step
        #expect(talk.wait(talk.policy.updatesSilence) == ["cancel handle", "update"])
        #expect(tells("ongoing", step: first) == ["ignored staleOutcome"])
        #expect(tells("ongoing") == ["update ongoing"])
        #expect(talk.session.updates[0].restarts == 0)
    }

    @Test("if every handler stays silent, the updates end, and the session is finally forgotten")
    func allSilent() {
        succeed()
        _ = start()
        for _ in 1...talk.policy.maximumAttempts { #expect(talk.waitForTimer() == ["cancel handle", "update"]) }
        #expect(talk.waitForTimer() == ["cancel handle", "updates silent"])
        #expect(talk.waitForTimer() == ["forgotten"])
    }

    @Test("live updates expire")
    func expires() {
        succeed()
        _ = start()
        talk.now = talk.now.advanced(by: talk.policy.updatesTimeout)
        #expect(talk.receive(.timer) == ["cancel handle", "updates expired"])
    }

    @Test("after a crash the work is dispatched again")
    func outstanding() {
        succeed()
        #expect(talk.session.outstandingWork.isEmpty)
        _ = start()
        #expect(talk.session.outstandingWork.map(\.kind) == [.update])
        talk.bring(to: .handling, "other")
        #expect(talk.session.outstandingWork.map(\.kind) == [.handle, .update])
    }

    @Test("after a crash a stop is sent again")
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

    @Test("live updates without a listener are dropped to make room")
    func bounded() {
        talk.policy.maximumUpdates = 2
        for id in ["a", "r", "b"] { succeed(Identifier(id)) }
        #expect(talk.session.updates.map(\.request.id) == ["r", "b"])
    }

    @Test("if there is no room for more live updates, the completion does not offer them")
    func noRoom() {
        talk.policy.maximumUpdates = 1
        succeed()
        #expect(start() == ["update"])
        succeed("r2")
        #expect(talk.completion?.offersUpdates == false)
        #expect(talk.receive(.updatesStarted(request: "r2")) == ["rejected unexpected request"])
    }
}
