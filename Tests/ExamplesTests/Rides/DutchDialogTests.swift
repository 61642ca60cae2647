import Foundation
import IntentModel
import SampleDomains
import Testing

@Suite("A person who asks in Dutch is answered in Dutch")
struct DutchDialogTests {
    @Test("for every request of a day")
    func everything() async throws {
        let registry = try rides()
        var count = 0
        for line in RideRequests.all {
            var (english, dutch) = (try #require(ScriptedPerson(line: line)), try #require(ScriptedPerson(line: line)))
            // The answers are the same in both languages, so only requests without a choice among translated titles
            // reach the same end.
            dutch.locale = "nl"
            await english.run(with: registry)
            await dutch.run(with: registry)
            guard let a = english.last?.dialog, let b = dutch.last?.dialog, english.end == dutch.end else { continue }
            #expect(a != b, "\(line)")
            count += 1
        }
        #expect(count > RideRequests.all.count / 2)
    }
}
