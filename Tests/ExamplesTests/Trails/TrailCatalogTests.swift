import IntentModel
import IntentRuntime
import Testing

@testable import SampleDomains

@Suite("The catalogue of trails")
struct TrailCatalogTests {
    @Test("has every intent with its summary")
    func summaries() throws {
        let all = try registry().intents
        #expect(all.sorted() == ["BookTrailGuide", "GetTrailInfo", "StartTrailActivity", "SuggestTrails"])
        let text = try #require(registry().describe("SuggestTrails")).text
        #expect(
            text.contains("Ride a bike within") && text.contains("Suggest ${activity} trails from ${trailCollection}"))
    }
}
