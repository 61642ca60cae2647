import Conversation
import IntentModel
import PipelineTestKit
import Testing

@testable import Pipeline

@Suite("Cancels that are read ahead")
struct LookAheadTests {
    private func address(_ request: Identifier, _ step: Int) -> WorkAddress {
        WorkAddress(request: request, step: step, intent: "Book", phase: .handle)
    }

    @Test("are remembered for work of the same step and of those before it, until the group's reading reaches them")
    func remembered() {
        var ahead = LookAhead()
        ahead.remember(WorkCancel(address("r", 4)), session: "s", partition: 0, offset: 90)
        for (step, isCancelled) in [(3, true), (4, true), (5, false)] {
            #expect((ahead.cancel(of: WorkItem(address("r", step)), session: "s") != nil) == isCancelled)
        }
        #expect(ahead.cancel(of: WorkItem(address("r", 4)), session: "t") == nil)
        let wasKnown = ahead.reached(WorkCancel(address("r", 4)), session: "s", offset: 90)
        #expect(wasKnown && ahead.isEmpty)
        let isKnown = ahead.reached(WorkCancel(address("r", 4)), session: "s", offset: 91)
        #expect(!isKnown)
    }

    @Test("of a session or a request that only looks equal are not known")
    func lookalikes() {
        var ahead = LookAhead()
        ahead.remember(WorkCancel(address("\u{E9}", 4)), session: "K", partition: 0, offset: 90)
        #expect(ahead.cancel(of: WorkItem(address("e\u{301}", 4)), session: "K") == nil)
        #expect(ahead.cancel(of: WorkItem(address("\u{E9}", 4)), session: "\u{212A}") == nil)
        #expect(ahead.cancel(of: WorkItem(address("\u{E9}", 4)), session: "K") != nil)
    }

    @Test("are not read again in the next pause")
    func continues() {
        var ahead = LookAhead()
        ahead.begin()
        for offset in 10..<20 as Range<Int64> { ahead.passed(0, offset) }
        ahead.end()
        #expect(ahead.start(0, next: 15) == 20)
        #expect(ahead.start(0, next: 25) == 25)
        #expect(ahead.start(1, next: 3) == 3)
    }

    @Test("beyond the bound are not remembered, and the next pause reads them again")
    func bound() {
        var ahead = LookAhead()
        ahead.begin()
        for offset in 0...Int64(LookAhead.maximumCancels) {
            ahead.passed(0, offset)
            ahead.remember(WorkCancel(address("r\(offset)", 1)), session: "s", partition: 0, offset: offset)
        }
        ahead.passed(0, 5_000)
        #expect(ahead.start(0, next: 7) == 7)
        #expect(ahead.cancel(of: WorkItem(address("r\(LookAhead.maximumCancels)", 1)), session: "s") == nil)
        ahead.end()
        ahead.begin()
        ahead.passed(0, 6_000)
        #expect(ahead.start(0, next: 7) == 6_001)
    }
}
