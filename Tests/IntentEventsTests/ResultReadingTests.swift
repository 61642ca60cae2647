import IntentEvents
import IntentModel
import RecordLog
import Testing

@Suite("Reading results")
struct ResultReadingTests {
    @Test(
        "a record that is not a result is not read as one",
        arguments: ["intent.requested.v1", "handoff.completed.v1", "intent.handle.v1", "prompt.issued.v2", ""])
    func noResult(_ type: String) {
        let record = record(Array("{}".utf8), topic: "intents.results", type: type)
        #expect(problem { () throws(EventError) in try ReceivedResult(record) } == "unsupported type, dead letter")
    }

    @Test("a result has its position in the log")
    func position() throws {
        let result = try ReceivedResult(Golden(named: "intent.progressed.v1").consumed)
        #expect(result.partition == 3 && result.offset == 42 && result.timestamp == 1_772_366_400_000)
        #expect(result.id == "kitchen/ride-1.5" && result.data["fraction"]?.double == 0.5)
        #expect(
            result.prompt == nil && result.promptKind == nil && result.offeredHandoff == nil && result.status == nil)
    }
}
