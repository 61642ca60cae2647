import IntentModel
import Testing

@testable import sgd_replay

@Suite("The services of a recorded dialogue")
struct RecordingTests {
    private let tuesday = Boats.hiring.merging(["day": "Tuesday"]) { $1 }

    private func recording(_ turns: Dialogue.Turn...) -> Recording {
        Recording(Dialogue(id: "sailing", services: ["Boats"], turns: turns), Boats.services)
    }

    @Test("reply to each search with the recorded results, in order")
    func order() {
        var services = recording(
            .system(call: .find(["harbour": "Veere"]), results: [Boats.gull, Boats.tern]),
            .system(call: .find(["harbour": "Goes"]), results: []))
        let first = services.handle("Boats.FindBoat", ["harbour": "Veere"], key: "1").view
        #expect(first["code"]?.string == "success" && first["response"] == nil)
        let items = first["items"]?.elements ?? []
        #expect(items.map { $0["id"]?.string } == ["0", "1"])
        #expect(
            items.map { $0["title"]?.string } == [
                "boat Gull, harbour Veere, hull wood", "boat Tern, harbour Veere, hull steel",
            ])
        #expect(items.map { $0["value"]?["boat"]?.string } == ["Gull", "Tern"])
        #expect("\(services.handle("Boats.FindBoat", ["harbour": "Goes"], key: "2"))" == #"{"code":"success"}"#)
        #expect(services.made == [.find(["harbour": "Veere"]), .find(["harbour": "Goes"])])
    }

    @Test("reply to a transaction with its result, not with items")
    func transaction() {
        var services = recording(.system(.act("NOTIFY_SUCCESS"), call: .hire(Boats.hiring), results: [Boats.gull]))
        #expect(
            "\(services.handle("Boats.HireBoat", Boats.hiring, key: "1"))"
                == #"{"code":"success","response":{"boat":"Gull","harbour":"Veere","hull":"wood"}}"#)
    }

    @Test("reply to a repeated idempotency key with the same reply, and don't count it as a call")
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

    @Test("reply to a failing call with the offered values that differ from the given ones")
    func failure() {
        var services = recording(
            .system(
                .act("NOTIFY_FAILURE"), .act("OFFER", "day", "Tuesday"), .act("OFFER", "boat", "Gull"),
                .act("OFFER", "hull", "steel"),
                .act("OFFER", "crew", "3"), call: .hire(Boats.hiring), results: []),
            .system(.act("NOTIFY_FAILURE"), call: .hire(tuesday), results: []))
        // Equal values, slots that are no parameters, and slots without a value are left out.
        #expect(
            "\(services.handle("Boats.HireBoat", Boats.hiring, key: "1"))"
                == #"{"code":"failure","proposed":{"day":"Tuesday"}}"#)
        #expect("\(services.handle("Boats.HireBoat", tuesday, key: "2"))" == #"{"code":"failure"}"#)
    }

    @Test("reply ready, with other values if the person agreed to those")
    func proposals() {
        var services = recording(
            .system(.act("CONFIRM", "day", "Tuesday"), .act("CONFIRM", "boat", "Gull")), .user(.act("AFFIRM")),
            .system(.act("NOTIFY_SUCCESS"), call: .hire(tuesday), results: [Boats.gull]))
        #expect(
            "\(services.confirm("Boats.HireBoat", Boats.hiring))" == #"{"code":"ready","proposed":{"day":"Tuesday"}}"#)
        #expect("\(services.confirm("Boats.HireBoat", tuesday))" == #"{"code":"ready"}"#)
        #expect(services.made.isEmpty)
    }

    @Test("skip a proposal that the person declined, and propose the next one")
    func refused() {
        var services = recording(
            .system(.act("CONFIRM", "day", "Sunday")), .user(.act("NEGATE")),
            .system(.act("CONFIRM", "day", "Tuesday")),
            .user(.act("AFFIRM")), .system(.act("NOTIFY_SUCCESS"), call: .hire(tuesday), results: [Boats.gull]))
        #expect("\(services.confirm("Boats.HireBoat", Boats.hiring))" == #"{"code":"ready"}"#)
        #expect(
            "\(services.confirm("Boats.HireBoat", Boats.hiring))" == #"{"code":"ready","proposed":{"day":"Tuesday"}}"#)
    }

    @Test("propose only values of the next call")
    func another() {
        var services = recording(
            .system(call: .find(["harbour": "Veere"]), results: [Boats.gull]),
            .system(.act("CONFIRM", "day", "Tuesday")),
            .user(.act("AFFIRM")), .system(call: .hire(tuesday), results: [Boats.gull]))
        #expect("\(services.confirm("Boats.HireBoat", Boats.hiring))" == #"{"code":"ready"}"#)
        _ = services.handle("Boats.FindBoat", ["harbour": "Veere"], key: "1")
        #expect(
            "\(services.confirm("Boats.HireBoat", Boats.hiring))" == #"{"code":"ready","proposed":{"day":"Tuesday"}}"#)
        _ = services.handle("Boats.HireBoat", tuesday, key: "2")
        #expect("\(services.confirm("Boats.HireBoat", Boats.hiring))" == #"{"code":"ready"}"#)
    }

    @Test("propose again before the second call")
    func twice() {
        let sunday = Boats.hiring.merging(["day": "Sunday"]) { $1 }
        var services = recording(
            .system(.act("CONFIRM", "day", "Tuesday")), .user(.act("AFFIRM")),
            .system(call: .hire(tuesday), results: []),
            .system(.act("CONFIRM", "day", "Sunday")), .user(.act("AFFIRM")), .system(call: .hire(sunday), results: []))
        #expect(services.confirm("Boats.HireBoat", Boats.hiring).view["proposed"]?["day"]?.string == "Tuesday")
        _ = services.handle("Boats.HireBoat", tuesday, key: "1")
        #expect(services.confirm("Boats.HireBoat", Boats.hiring).view["proposed"]?["day"]?.string == "Sunday")
    }

    @Test("let an unrecorded call succeed and count it, and fail for an unknown intent")
    func unrecorded() {
        var services = recording(.system(call: .find(["harbour": "Veere"]), results: [Boats.gull]))
        #expect("\(services.handle("Boats.HireBoat", Boats.hiring, key: "1"))" == #"{"code":"success"}"#)
        #expect("\(services.handle("Boats.FindBoat", ["harbour": "Veere"], key: "2"))" == #"{"code":"success"}"#)
        #expect("\(services.handle("Boats.SinkBoat", [:], key: "3"))" == #"{"code":"failure"}"#)
        #expect("\(services.confirm("Boats.SinkBoat", [:]))" == #"{"code":"ready"}"#)
        #expect(services.made == [.hire(Boats.hiring), .find(["harbour": "Veere"])])
    }
}
