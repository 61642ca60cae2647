import Conversation
import IntentEvents
import IntentKit
import PipelineTestKit
import Testing

@Suite("The behaviours most often got wrong: 11 to 19")
struct LifecycleNextTests {
    @Test("11: attributes are the request's and never merged; memory is replaced, and deleted by name")
    func attributes() async throws {
        struct Tell: AppIntent {
            static let title: LocalizedText = "Tell"
            @Parameter(title: "City", default: .remembered, .memory(.session(as: "city"))) var city: String?
            static let parameters = Parameters<Self>(\.$city)
            func perform() async throws -> some IntentResult & ProvidesDialog {
                .result(dialog: "\(city ?? "-") \(context.attributes.keys.sorted().joined(separator: ","))")
            }
        }
        let talk = try await Dialogue(SelfPerformingExtension(Tell.self))
        try await talk.request(Tell.self, ["city": "Bonn"], id: "r1", attributes: ["a": .number(1), "b": .number(2)])
        try await talk.request(Tell.self, ["city": "Cork"], id: "r2", attributes: ["b": .number(3)])
        try await talk.request(Tell.self, id: "r3")
        try await talk.send(.forgotten(Forgetting(keys: ["city"])))
        try await talk.request(Tell.self, id: "r4")
        #expect(try talk.completions().map(\.dialog) == ["Bonn a,b", "Cork b", "Cork ", "- "])
    }

    @Test("14: of a list only the unusable element is asked for")
    func oneBadElement() async throws {
        let talk = try await Dialogue.errand(ErrandHandler(), ["who": "Kim", "others": "Lee, nobody and Sam"])
        #expect(try talk.lines() == ["prompt value others"] && talk.prompt()?.data["element"]?.int == 1)
        try await talk.say("Max")
        let others = try talk.last()?.data["parameters"]?["others"]?.elements.map { $0["name"]?.string }
        #expect(others == ["Lee", "Max", "Sam"])
    }

    @Test("16: an answer to a later phase has no effect while a parameter is unresolved")
    func preemptive() async throws {
        let talk = try await Dialogue.errand(ErrandHandler(), [:])
        let item = try #require(try talk.work(.resolve).last)
        var address = item.address
        for step in address.step...address.step + 2 {
            for phase in Phase.allCases {
                (address.phase, address.step) = (phase, step)
                try await talk.answer(address, .responded(phase == .handle ? .success : .ready), item.item?.ticket)
            }
        }
        #expect(try talk.lines() == ["prompt value who"] && talk.work(.handle).isEmpty)
        try await talk.say("Kim")
        #expect(try talk.lines().last == "completed success success")
    }

    @Test("17: a negative retry delay means no retry")
    func neverRetry() async throws {
        for (seconds, calls) in [(-1, 1), (1, 2)] {
            let notebook = Recorder<String>()
            let handler = ErrandHandler(handles: { _, context in
                notebook.record("call")
                if context.attempt > 1 { return .success }
                throw IntentFailure(.retry(after: .seconds(seconds)), reason: .busy, message: "too much to do")
            })
            let talk = try await Dialogue.errand(handler)
            try await talk.pipeline.advance(by: .seconds(2))
            #expect(notebook.all.count == calls)
            #expect(try talk.lines() == [calls == 1 ? "completed failure failure" : "completed success success"])
        }
    }

    @Test("18: not required is final even if there is a value")
    func notRequired() async throws {
        let handler = ErrandHandler()
        let talk = try await Dialogue.errand(handler, ["note": "ring twice"])
        try await talk.say("Kim")
        #expect(try talk.lines() == ["prompt value who", "completed success success"])
        #expect(handler.notebook.count("note") == 1)
    }

    @Test("19: a parameter that another one excludes is not asked for")
    func excludedChild() async throws {
        #expect(
            try await Dialogue.errand(ErrandHandler(), ["who": "Kim", "van": "no"]).lines() == [
                "completed success success"
            ])
        #expect(
            try await Dialogue.errand(ErrandHandler(), ["who": "Kim", "van": "yes"]).lines() == ["prompt value boxes"])
    }
}
