import Conversation
import IntentEvents
import IntentModel
import IntentRuntime
import PipelineTestKit
import SampleDomains
import Testing

@Suite("Whole conversations about a workout")
struct WorkoutConversationTests {
    private func pipeline() async throws -> TestPipeline {
        let registry = try WorkoutsFixture().registry
        let pipeline = try await TestPipeline { await registry.perform($0, report: $1) }
        try pipeline.startAll()
        try await pipeline.settle()
        return pipeline
    }

    private func send(
        _ pipeline: TestPipeline, _ intent: String, _ said: KeyValuePairs<String, String> = [:], id: String
    ) async throws {
        let states = said.map { ParameterState(name: $0, value: .string($1)) }
        try pipeline.send(
            .requested(IntentRequest(id: Identifier(id), intent: Identifier(intent), parameters: states)), session: "s",
            id: Identifier(id))
        try await pipeline.settle()
    }

    /// Answers the open prompt.
    private func answer(_ pipeline: TestPipeline, option: String? = nil) async throws {
        let prompt = try #require(try pipeline.results().last?.prompt)
        var answer = Answer(prompt: prompt, action: .accept)
        answer.option = option
        try pipeline.send(.answered(answer), session: "s", id: "to-\(prompt)")
        try await pipeline.settle()
    }

    private func lastCode(_ pipeline: TestPipeline) throws -> String? {
        let last = try pipeline.results().last
        return last?.type == .completed ? last?.data["code"]?.string : nil
    }

    @Test("a run is resolved, started by the app's workers, paused and cancelled")
    func run() async throws {
        let pipeline = try await pipeline()
        try await send(pipeline, "StartWorkout", ["workoutName": "run", "goalValue": "3"], id: "1")
        #expect(try pipeline.results().last?.data["parameter"]?.string == "goalUnitType")
        try await answer(pipeline, option: "mile")
        #expect(try pipeline.results().last?.data["parameter"]?.string == "workoutLocationType")
        try await answer(pipeline, option: "outdoor")
        #expect(try lastCode(pipeline) == "success")
        #expect(try pipeline.results().last?.data["dialog"]?.string == "Run started: 3 miles to go.")
        try await send(pipeline, "PauseWorkout", id: "2")
        #expect(try lastCode(pipeline) == "success")
        try await send(pipeline, "StartWorkout", ["workoutName": "yoga"], id: "3")
        #expect(try lastCode(pipeline) == "failureOngoingWorkout")
        try await send(pipeline, "CancelWorkout", id: "4")
        try await answer(pipeline)
        #expect(try pipeline.results().last?.data["dialog"]?.string == "Your Run is cancelled.")
    }

    @Test("a goal that is not kept is not asked about and left out")
    func yoga() async throws {
        let pipeline = try await pipeline()
        try await send(
            pipeline, "StartWorkout", ["workoutName": "yoga", "goalValue": "5", "goalUnitType": "miles"], id: "1")
        #expect(try lastCode(pipeline) == "success")
        #expect(try pipeline.results().last?.data["dialog"]?.string == "Yoga started.")
    }
}
