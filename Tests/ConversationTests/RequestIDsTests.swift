import Conversation
import IntentModel
import PipelineTestKit
import Testing

struct RequestIDsTests {
    @Test("they are those of a list of strings, whatever is done with them")
    func isAList() {
        var random = SeededRandom(seed: 7)
        let texts: [Identifier] = [
            "a", "r-1", "\"", "\\", "\",\"", "a\\\"b", "é", "e\u{301}", "🚕", " ", "", "[]", "a,b",
        ]
        var ids = RequestIDs()
        var list: [Identifier] = []
        for _ in 0..<2_000 {
            let text = texts.randomElement(using: &random) ?? ""
            if list.count > 5 || (!list.isEmpty && Bool.random(using: &random)) {
                ids.removeFirst()
                list.removeFirst()
            } else {
                ids.append(text)
                list.append(text)
            }
            #expect(
                Array(ids) == list && ids.count == list.count && ids.isEmpty == list.isEmpty && ids.last == list.last)
            for text in texts { #expect(ids.contains(text) == list.contains(text), "\(text) in \(list)") }
            #expect(ids == RequestIDs(list))
        }
    }

    @Test("a copy is not changed with the one that it was made of")
    func copies() {
        let first: RequestIDs = ["a"]
        var second = first
        second.append("b")
        #expect(Array(first) == ["a"] && Array(second) == ["a", "b"])
    }
}
