import IntentModel
import Testing

@testable import sgd_replay

@Suite("The services of a recorded dialogue")
struct RecordingTests {
    private let tuesday = Boats.hiring.merging(["day": "Tuesday"]) { $1 }

    private func recording(_ turns: Dialogue.Turn...) -> Recording {
        Recording(Dialogue(id: "sailing", services: ["Boats"], turns: turns), Boats.services)
    }

    @Test("answer each search with what was found by the search that came there, in its order")
    func order() {
        var services = recording(
            .system(call: .find(["harbour": "Veere"]), results: [Boats.gull, Boats.tern]),
            .system(call: .find(["harbour": "Goes"]), results: []))
        let first = services.handle("Boats.FindBoat", ["harbour": "Veere"], key: "1").view
        #expect(first["code"]?.string == "success" && first["response"] == nil)
        let items = first["items"]?.elements ?? []
        #expect(items.map { $0["id"]?.string } == ["0", "1"])
        #expect(items.map { $0["title"]?.string } == ["boat Gull, harbour Veere, hull wood", "boat Tern, harbour Veere, hull steel"])
        #expect(items.map { $0["value"]?["boat"]?.string } == ["Gull", "Tern"])
        #expect("\(services.handle("Boats.FindBoat", ["harbour": "Goes"], key: "2"))" == #"{"code":"success"}"#)
        #expect(services.made == [.find(["harbour": "Veere"]), .find(["harbour": "Goes"])])
    }

    @Test("answer what is done with its result, and not with items")
    func transaction() {
        var services = recording(.system(.act("NOTIFY_SUCCESS"), call: .hire(Boats.hiring), results: [Boats.gull]))
        #expect(
            "\(services.handle("Boats.HireBoat", Boats.hiring, key: "1"))"
                == #"{"code":"success","response":{"boat":"Gull","harbour":"Veere","hull":"wood"}}"#)
    }

    @Test("take a call with the same idempotency key for a repeat: the same answer, and no second call")
    func repeated() {
        var services = recording(
            .system(call: .find(["harbour": "Veere"]), results: [Boats.gull]),
            .system(call: .find(["harbour": "Veere"]), results: [Boats.tern]))
        let first = services.handle("Boats.FindBoat", ["harbour": "Veere"], key: "1")
        #expect(services.handle("Boats.FindBoat", ["harbour": "Veere"], key: "1") == first)
        #expect(services.made.count == 1)
        #expect(services.handle("Boats.FindBoat", ["harbour": "Veere"], key: "2") != first)
        #expect(services.made.count == 2)
    }

    @Test("answer a failure with what was offered instead, as far as it differs from what was said")
    func failure() {
        var services = recording(
            .system(
                .act("NOTIFY_FAILURE"), .act("OFFER", "day", "Tuesday"), .act("OFFER", "boat", "Gull"), .act("OFFER", "hull", "steel"),
                .act("OFFER", "crew", "3"), call: .hire(Boats.hiring), results: []),
            .system(.act("NOTIFY_FAILURE"), call: .hire(tuesday), results: []))
        // Neither what is as it was said, nor what is no parameter, nor what nobody has spoken of.
        #expect("\(services.handle("Boats.HireBoat", Boats.hiring, key: "1"))" == #"{"code":"failure","proposed":{"day":"Tuesday"}}"#)
        #expect("\(services.handle("Boats.HireBoat", tuesday, key: "2"))" == #"{"code":"failure"}"#)
    }

    @Test("are ready, with other values where the person agreed to those")
    func proposals() {
        var services = recording(
            .system(.act("CONFIRM", "day", "Tuesday"), .act("CONFIRM", "boat", "Gull")), .user(.act("AFFIRM")),
            .system(.act("NOTIFY_SUCCESS"), call: .hire(tuesday), results: [Boats.gull]))
        #expect("\(services.confirm("Boats.HireBoat", Boats.hiring))" == #"{"code":"ready","proposed":{"day":"Tuesday"}}"#)
        #expect("\(services.confirm("Boats.HireBoat", tuesday))" == #"{"code":"ready"}"#)
        #expect(services.made.isEmpty)
    }

    @Test("propose nothing that the person said no to: what comes next is the next that was asked")
    func refused() {
        var services = recording(
            .system(.act("CONFIRM", "day", "Sunday")), .user(.act("NEGATE")), .system(.act("CONFIRM", "day", "Tuesday")),
            .user(.act("AFFIRM")), .system(.act("NOTIFY_SUCCESS"), call: .hire(tuesday), results: [Boats.gull]))
        #expect("\(services.confirm("Boats.HireBoat", Boats.hiring))" == #"{"code":"ready"}"#)
        #expect("\(services.confirm("Boats.HireBoat", Boats.hiring))" == #"{"code":"ready","proposed":{"day":"Tuesday"}}"#)
    }

    @Test("propose only what belongs to the call that comes next")
    func another() {
        var services = recording(
            .system(call: .find(["harbour": "Veere"]), results: [Boats.gull]), .system(.act("CONFIRM", "day", "Tuesday")),
            .user(.act("AFFIRM")), .system(call: .hire(tuesday), results: [Boats.gull]))
        #expect("\(services.confirm("Boats.HireBoat", Boats.hiring))" == #"{"code":"ready"}"#)
        _ = services.handle("Boats.FindBoat", ["harbour": "Veere"], key: "1")
        #expect("\(services.confirm("Boats.HireBoat", Boats.hiring))" == #"{"code":"ready","proposed":{"day":"Tuesday"}}"#)
        _ = services.handle("Boats.HireBoat", tuesday, key: "2")
        #expect("\(services.confirm("Boats.HireBoat", Boats.hiring))" == #"{"code":"ready"}"#)
    }

    @Test("propose anew what was asked before the call after the last")
    func twice() {
        let sunday = Boats.hiring.merging(["day": "Sunday"]) { $1 }
        var services = recording(
            .system(.act("CONFIRM", "day", "Tuesday")), .user(.act("AFFIRM")), .system(call: .hire(tuesday), results: []),
            .system(.act("CONFIRM", "day", "Sunday")), .user(.act("AFFIRM")), .system(call: .hire(sunday), results: []))
        #expect(services.confirm("Boats.HireBoat", Boats.hiring).view["proposed"]?["day"]?.string == "Tuesday")
        _ = services.handle("Boats.HireBoat", tuesday, key: "1")
        #expect(services.confirm("Boats.HireBoat", Boats.hiring).view["proposed"]?["day"]?.string == "Sunday")
    }

    @Test("let a call succeed that was not recorded, and note it; they fail for an intent that they don't know")
    func unrecorded() {
        var services = recording(.system(call: .find(["harbour": "Veere"]), results: [Boats.gull]))
        #expect("\(services.handle("Boats.HireBoat", Boats.hiring, key: "1"))" == #"{"code":"success"}"#)
        #expect("\(services.handle("Boats.FindBoat", ["harbour": "Veere"], key: "2"))" == #"{"code":"success"}"#)
        #expect("\(services.handle("Boats.SinkBoat", [:], key: "3"))" == #"{"code":"failure"}"#)
        #expect("\(services.confirm("Boats.SinkBoat", [:]))" == #"{"code":"ready"}"#)
        #expect(services.made == [.hire(Boats.hiring), .find(["harbour": "Veere"])])
    }
}
