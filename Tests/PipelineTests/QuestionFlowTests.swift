import Conversation
import IntentEvents
import IntentKit
import PipelineTestKit
import RecordLog
import Testing

@Suite("Questions, lists, secrets and memory through the whole pipeline")
struct QuestionFlowTests {
    private func started() async throws -> TestPipeline {
        let pipeline = try await TestPipeline(perform: Booking.perform)
        try pipeline.startAll()
        try await pipeline.settle()
        return pipeline
    }

    private func items(_ pipeline: TestPipeline, _ topic: String) throws -> [WorkItem] {
        let works = try pipeline.log.records(in: topic).map { record throws(EventError) in try WorkEvent(record).work }
        #expect(works.allSatisfy { $0.item != nil })
        return works.compactMap(\.item)
    }

    @Test("a confirmer and a handler ask; each runs again with its own answers, also after a crash while it waited")
    func questions() async throws {
        let pipeline = try await started()
        try pipeline.send(
            Booking.request("r", ["dropOff": "Airport", "confirm": "asks", "handle": "asks"]), session: "s", id: "r")
        try await pipeline.settle()
        for name in ["confirmer", "handler", "coordinator"] { pipeline.kill(name) }
        try pipeline.startCoordinator("coordinator-2")
        try pipeline.startWorker("confirmer-2", .confirm)
        try pipeline.startWorker("handler-2", .handle)
        try await pipeline.settle()
        try await pipeline.play(["-": "s", "tip": "10 %"], session: "s")
        #expect(
            try pipeline.results().map(\.line) == [
                "prompt choice -", "prompt confirmIntent -", "progress 0.5", "prompt value tip",
                "completed success success",
            ])
        let confirms = try items(pipeline, pipeline.topics.confirm)
        #expect(
            confirms.map(\.answers) == [
                [], [PhaseAnswer(question: "which", isAccepted: true, value: .string("station-south"))],
            ])
        let handles = try items(pipeline, pipeline.topics.handle)
        #expect(
            handles.map(\.answers) == [[], [PhaseAnswer(question: "tip", isAccepted: true, value: .string("10 %"))]])
        #expect(handles.map(\.recorded) == [[:], ["hold": .string("H-1")]])
        #expect(Set(handles.map(\.idempotencyKey)).count == 1)
    }

    @Test("only the unusable element of a list is asked for")
    func list() async throws {
        let pipeline = try await started()
        let friends = JSON.array([.string("Mia"), .string("jon"), .string("ali")])
        try pipeline.send(
            .requested(
                IntentRequest(
                    id: "r", intent: "Book",
                    parameters: [
                        ParameterState(name: "dropOff", value: .string("Airport")),
                        ParameterState(name: "confirm", value: .string("none")),
                        ParameterState(name: "friends", value: friends),
                    ])), session: "s", id: "r")
        try await pipeline.play(["friends": "Ben", "friends": "Eve"], session: "s")
        let results = try pipeline.results()
        #expect(results.map(\.line) == ["prompt value friends", "prompt value friends", "completed success success"])
        #expect(results.compactMap { $0.data["element"]?.int } == [1, 2])
        #expect(
            results.last?.data["parameters"]?["friends"]?.json
                == .array([.string("Mia"), .string("Ben"), .string("Eve")]))
    }

    @Test("a secret reaches only the workers")
    func secret() async throws {
        let pipeline = try await started()
        try pipeline.send(
            Booking.request("r", ["dropOff": "Airport", "pin": "1234", "confirm": "none", "handle": "app"]),
            session: "s", id: "r")
        try await pipeline.play([:], session: "s")
        let handoff = try #require(try pipeline.results().last?.offeredHandoff)
        try pipeline.send(.handoffClaimed(handoff: handoff, claimant: "phone"), session: "s", id: "claim")
        try pipeline.send(
            .handoffCompleted(handoff: handoff, claimant: "phone", response: IntentResponse(.success)), session: "s",
            id: "done")
        try await pipeline.settle()
        let results = try pipeline.results()
        #expect(
            results.map(\.line) == [
                "prompt confirmValue pin", "offer foreground", "claimed phone", "completed success success",
            ])
        for result in results { #expect(!result.data.json.description.contains("1234"), "\(result.line)") }
        let handle = try #require(try items(pipeline, pipeline.topics.handle).first)
        #expect(handle.parameters.first { $0.name == "pin" }?.value == .string("1234"))
        #expect(handle.memory == [:])
    }

    @Test("the next request has the values of earlier ones until they are forgotten, also after a takeover")
    func memory() async throws {
        let pipeline = try await started()
        try pipeline.send(Booking.request("r1", ["dropOff": "Home", "confirm": "none"]), session: "s", id: "r1")
        try await pipeline.settle()
        pipeline.kill("coordinator")
        try pipeline.startCoordinator("successor")
        try await pipeline.settle()
        try pipeline.send(Booking.request("r2", ["confirm": "none"]), session: "s", id: "r2")
        try await pipeline.settle()
        try pipeline.send(.forgotten(Forgetting(keys: ["home"])), session: "s", id: "f")
        try pipeline.send(Booking.request("r3", ["confirm": "none"]), session: "s", id: "r3")
        try await pipeline.settle()
        let results = try pipeline.results()
        #expect(
            results.map(\.line) == ["completed success success", "completed success success", "prompt value dropOff"])
        #expect(results[1].data["parameters"]?["dropOff"]?.string == "Home")
    }

    @Test("one intent opens the next, which is an ordinary request")
    func opens() async throws {
        let pipeline = try await started()
        try pipeline.send(
            Booking.request("r", ["dropOff": "Airport", "confirm": "none", "handle": "opens"]), session: "s", id: "r")
        try await pipeline.settle()
        let results = try pipeline.results()
        #expect(results.map(\.request) == ["r", "r.opens"])
        #expect(results.map(\.line) == ["completed success success", "completed success success"])
        #expect(
            results[0].data["opens"]?["request"]?.string == "r.opens" && results[0].data["items"]?.elements.count == 2)
    }

    @Test("a quote that has expired when the person accepts is requested again")
    func quote() async throws {
        let pipeline = try await started()
        try pipeline.send(Booking.request("r", ["dropOff": "Airport", "confirm": "quote"]), session: "s", id: "r")
        try await pipeline.settle()
        try await pipeline.advance(by: .seconds(31))
        try await pipeline.play([:], session: "s")
        #expect(
            try pipeline.results().map(\.line) == [
                "prompt confirmIntent -", "prompt confirmIntent -", "completed success success",
            ])
        #expect(try items(pipeline, pipeline.topics.confirm).count == 2)
    }
}
