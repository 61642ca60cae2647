import IntentModel
import Testing

@testable import LocalPipeline

@Suite("A reload of definitions by the workers of a development pipeline") struct DefinitionReloadTests {
    private typealias Step = DefinitionReload.Step

    private let changed = #"{"added":["B"],"changed":["A"],"removed":[]}"#
    private let same = #"{"added":[],"changed":[],"removed":[]}"#

    private func answer(_ reload: inout DefinitionReload, _ worker: String, _ text: String) throws -> Step {
        reload.receive(try JSONView(parsing: Array(text.utf8)), from: worker)
    }

    @Test func `asks one worker after the other, and reports the changes once`() throws {
        var reload = DefinitionReload()
        #expect(reload.begin(["a", "b", "c"]) == Step(ask: "a"))
        #expect(try answer(&reload, "a", changed) == Step(ask: "b"))
        #expect(try answer(&reload, "c", changed) == Step(), "an answer to no question")
        #expect(try answer(&reload, "b", same) == Step(ask: "c"))
        #expect(try answer(&reload, "c", changed) == Step(lines: ["definitions in use: added B; changed A"]))
        #expect(try answer(&reload, "b", changed) == Step(), "an answer to no question")
    }

    @Test func `says so if nothing has changed, and names at most ten intents`() throws {
        var reload = DefinitionReload()
        _ = reload.begin(["a"])
        #expect(try answer(&reload, "a", same).lines == ["definitions in use: nothing has changed"])
        _ = reload.begin(["a"])
        let names = (10...21).map { "\"I\($0)\"" }.joined(separator: ",")
        let line = try answer(&reload, "a", "{\"removed\":[\(names)]}").lines.first
        #expect(line?.hasSuffix("removed I10, I11, I12, I13, I14, I15, I16, I17, I18, I19 and 2 more") == true)
    }

    @Test func `asks no other worker if one refuses the files`() throws {
        var reload = DefinitionReload()
        _ = reload.begin(["a", "b", "c"])
        _ = try answer(&reload, "a", same)
        let step = try answer(&reload, "b", #"{"errors":["x.intents.yaml:2:1: wrong"]}"#)
        #expect(
            step.lines == [
                "x.intents.yaml:2:1: wrong", "b refuses the definitions; the earlier ones stay in use, except by a",
            ])
        #expect(step.ask == nil)
        #expect(reload.advance(past: "b") == Step())
        #expect(reload.begin(["a", "b"]) == Step(ask: "a"))
    }

    @Test func `shows the first twenty errors and the number of the others`() throws {
        var reload = DefinitionReload()
        _ = reload.begin(["a"])
        let errors = (1...25).map { "\"error \($0)\"" }.joined(separator: ",")
        let lines = try answer(&reload, "a", "{\"errors\":[\(errors)]}").lines
        #expect(lines.suffix(3).first == "error 20" && lines.suffix(2).first == "and 5 more")
    }

    @Test func `goes on without a worker that has ended`() throws {
        var reload = DefinitionReload()
        _ = reload.begin(["a", "b"])
        #expect(reload.advance(past: "b") == Step(), "not asked yet")
        #expect(reload.advance(past: "a") == Step(ask: "b"))
        #expect(reload.advance(past: "b").lines == ["definitions in use: nothing has changed"])
    }

    @Test func `names a worker that does not answer, and goes on once it has ended`() throws {
        var reload = DefinitionReload()
        _ = reload.begin(["a", "b"])
        let question = reload.question
        #expect(reload.late(question) == "a")
        #expect(reload.advance(past: "a") == Step(ask: "b"))
        #expect(reload.late(question) == nil, "b has its own time")
        #expect(try answer(&reload, "b", changed) == Step(lines: ["definitions in use: added B; changed A"]))
        #expect(reload.late(reload.question) == nil)
    }

    @Test func `begins again after a round that was under way, whose refusals end no other round`() throws {
        var reload = DefinitionReload()
        let refusal = #"{"errors":["x.intents.yaml:2:1: wrong"]}"#
        _ = reload.begin(["a", "b"])
        #expect(reload.begin(["a", "b"]) == Step(lines: ["waiting for a to read the definitions before"]))
        let refused = try answer(&reload, "a", refusal)
        #expect(refused.ask == "a" && refused.lines.count == 2, "the correction is read after the refusal")
        #expect(try answer(&reload, "b", refusal).ask == nil, "an answer to no question")
        #expect(try answer(&reload, "a", changed) == Step(ask: "b"))
        #expect(reload.begin(["a", "b"]).ask == nil, "b has not answered")
        #expect(try answer(&reload, "b", changed).ask == "a")
    }
}
