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

    @Test func `asks one worker, then the others, and reports the changes once`() throws {
        var reload = DefinitionReload()
        #expect(reload.begin(["a", "b", "c"]) == Step(asks: ["a"]))
        #expect(try answer(&reload, "a", changed) == Step(asks: ["b", "c"]))
        #expect(try answer(&reload, "c", changed) == Step())
        #expect(try answer(&reload, "b", changed) == Step(lines: ["definitions in use: added B; changed A"]))
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

    @Test func `asks no other worker if the first one refuses the files`() throws {
        var reload = DefinitionReload()
        _ = reload.begin(["a", "b"])
        let step = try answer(&reload, "a", #"{"errors":["x.intents.yaml:2:1: wrong"]}"#)
        #expect(step.asks == [] && step.lines.first == "x.intents.yaml:2:1: wrong" && step.lines.count == 2)
        #expect(reload.advance(past: "a") == Step())
        #expect(reload.begin(["a", "b"]) == Step(asks: ["a"]))
    }

    @Test func `goes on without a worker that has ended`() throws {
        var reload = DefinitionReload()
        _ = reload.begin(["a", "b"])
        #expect(reload.advance(past: "b") == Step(), "not asked yet")
        #expect(reload.advance(past: "a") == Step(asks: ["b"]))
        #expect(reload.advance(past: "b").lines == ["definitions in use: nothing has changed"])
    }

    @Test func `begins again after a round that was under way, whose refusals end no other round`() throws {
        var reload = DefinitionReload()
        let refusal = #"{"errors":["x.intents.yaml:2:1: wrong"]}"#
        _ = reload.begin(["a", "b", "c"])
        #expect(reload.begin(["a", "b", "c"]) == Step(lines: ["waiting for a to read the definitions before"]))
        let refused = try answer(&reload, "a", refusal)
        #expect(refused.asks == ["a"] && refused.lines.count == 2, "the correction is read after the refusal")
        #expect(try answer(&reload, "c", refusal).asks == [], "an answer to no question")
        #expect(try answer(&reload, "a", changed) == Step(asks: ["b", "c"]))
        #expect(try answer(&reload, "b", refusal).lines.count == 2)
        #expect(reload.begin(["a", "b"]).asks == [], "c has not answered")
        #expect(try answer(&reload, "c", changed) == Step(asks: ["a"]), "not in use: one worker has refused")
    }
}
