import IntentModel
import Testing

@Suite("'intents-bench'", .tags(.processes, .slow))
struct BenchTests {
    @Test("plays a conversation in a closed loop and at each rate, and measures latency at the rates alone")
    func conversation() async throws {
        let options = [
            "--conversation", "prompt-and-confirmation", "--intents", "100", "--window", "20", "--sessions", "50",
            "--rate", "40,80",
            "--seconds", "1", "--handler-delay", "100", "--payload-bytes", "2000", "--resolvers", "2", "--json",
        ]
        let ending = try await Programs.run("intents-bench", options)
        #expect(ending.status == 0, "\(ending.errors)")
        let figures = try JSON(parsing: Array(ending.output.utf8)).view
        let closed = try #require(figures["closed"])
        #expect(closed["intents"]?.int == 100 && closed["failed"]?.int == 0 && closed["prompts"]?.int == 200)
        #expect(closed["latency_ms"] == nil)
        // Processes of one role are counted together.
        #expect(closed["cpu"]?.members.contains { $0.name == "resolver" } == true)
        #expect(closed["records"]?["requests"]?["perIntent"]?.double == 1)
        #expect(closed["records"]?["requests"]?["bytes"]?.double ?? 0 > 2_000)
        let paced = try #require(figures["paced"]).elements
        #expect(paced.compactMap { $0["rate"]?.int } == [40, 80])
        for rate in paced {
            let latency = try #require(rate["latency_ms"])
            #expect(latency["p50"]?.double ?? 0 >= 100 && latency["p50"]?.double ?? 0 <= latency["max"]?.double ?? 0)
        }
    }
}
