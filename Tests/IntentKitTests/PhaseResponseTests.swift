import IntentKit
import IntentRuntime
import PipelineTestKit
import Testing

@Suite("A response of confirm or handle")
struct PhaseResponseTests {
    private struct Brewed: ResponseValues {
        var pots: Int
        var leaf: Leaf
        var note: String?
    }

    private func handled(_ response: HandleResponse, locale: String? = nil) async throws -> PhaseOutcome {
        try await Teahouse(order: OrderTeaHandler(handles: { _, _ in response })).registry()
            .perform(.handle, "OrderTea", order, locale: locale)
    }

    @Test("its values may be the properties of a type: one that is nil is left out")
    func typedValues() async throws {
        let response = try await handled(.success(values: ["cup": "c1"]).returning(Brewed(pots: 2, leaf: .assam)))
            .response
        #expect(response?.values == ["cup": .string("c1"), "pots": .number(2), "leaf": .string("assam")])
    }

    @Test("a property that is of no parameter type fails with its name")
    func unsuitableValue() async throws {
        struct Wrong: ResponseValues { var clock = ContinuousClock() }
        let failure = try await handled(.success.returning(Wrong())).failure
        #expect(failure?.message == "Wrong.clock is a ContinuousClock, which is not a parameter type")
    }

    @Test("its values are read back as their type")
    func readBack() throws {
        let response = HandleResponse.success(values: ["leaf": Leaf.assam]).returning(Brewed(pots: 2, leaf: .sencha))
        #expect(response.values(as: Brewed.self)?.leaf == .sencha)
        #expect(response.value(Leaf.self, named: "leaf") == .assam && response.value(Leaf.self, named: "cup") == nil)
    }

    @Test("its dialogs are in the language of the request, also one that is made of others")
    func languages() async throws {
        let tea = LocalizedText("Tea", translations: ["nl": "Thee"])
        let soon = LocalizedText("soon", translations: ["nl": "zo meteen"])
        let response = try await handled(.success(dialog: "\(tea) \(soon)").supporting(tea), locale: "nl").response
        #expect(response?.dialog == "Thee zo meteen" && response?.supportingDialog == "Thee")
    }

    @Test("thrown, it ends the phase")
    func thrown() async throws {
        @Sendable func check() throws(FailureResponse) {
            throw .failure("failureNoTea", dialog: "There is no tea left.")
        }
        let handler = OrderTeaHandler(confirms: { _, _ in
            try check(); return .ready
        })
        let response = try await Teahouse(order: handler).perform(.confirm, order).response
        #expect(response == IntentResponse("failureNoTea", dialog: "There is no tea left."))
    }

    @Test("a question of a resolution has a text to read beside what is said aloud")
    func supportingQuestion() async throws {
        let handler = OrderTeaHandler(guest: { _, _ in .needsValue("For whom shall I make it?").supporting("Guest") })
        let guest = try await Teahouse(order: handler).registry().resolve("guest", of: "OrderTea", order)
        #expect(
            guest.resolution == .needsValue(dialog: "For whom shall I make it?") && guest.supportingDialog == "Guest")
    }
}
