import IntentKit
import Testing

@Suite("Intents are values")
struct IntentValueTests {
    @Test("copies never share state")
    func copies() {
        var first = OrderTea()
        first.leaf = .sencha
        first.guest = Person(displayName: "Kim")
        var second = first
        second.leaf = .assam
        second.guest = nil
        second.$pots.value = 4
        #expect(first.leaf == .sencha && first.guest?.displayName == "Kim" && first.pots == 1)
        #expect(second.leaf == .assam && second.guest == nil && second.pots == 4)
    }

    @Test("a parameter without a value reads its default")
    func defaults() {
        let order = OrderTea()
        #expect(order.pots == 1)
        #expect(order.$pots.value == nil)
        #expect(order.$leaf.value == nil)
    }

    @Test("a parameter can be set through its key path")
    func keyPath() {
        var order = OrderTea()
        let path: WritableKeyPath<OrderTea, Parameter<Leaf>> = \.$leaf
        order[keyPath: path].value = .pouchong
        #expect(order.leaf == .pouchong)
    }

    @Test(
        "the summary contains the intent's values",
        arguments: [
            ([], "A pot of Assam"),
            ([ParameterState.given("pots", json: "3")], "3 pots of Assam; [Note]"),
            ([.given("pots", json: "3"), .given("note", "no milk")], "3 pots of Assam; no milk"),
            ([.given("guest", "Kim")], "1 of Assam in the Glass for Kim"),
        ])
    func summary(parameters: [ParameterState], text: String) async throws {
        let handler = OrderTeaHandler(confirms: { _, _ in .userConfirmationRequired() })
        guard case .responded(_, let request) = try await Teahouse(order: handler).perform(.confirm, order + parameters)
        else {
            Issue.record("not confirmed")
            return
        }
        #expect(request?.summary == text)
    }

    @Test("a text is given in the closest language")
    func closestLanguage() {
        let text = LocalizedText("Tea", translations: ["nl": "Thee", "pt-BR": "Chá"])
        #expect(text.text(in: nil) == "Tea")
        #expect(text.text(in: "nl-BE") == "Thee")
        #expect(text.text(in: "pt-BR") == "Chá")
        #expect(text.text(in: "pt-PT") == "Tea")
    }
}
