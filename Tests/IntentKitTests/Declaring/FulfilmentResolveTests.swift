import IntentModel
import IntentRuntime
import PipelineTestKit
import Testing

@Suite("A parameter resolved by the fulfilment")
struct FulfilmentResolveTests {
    private func fixture(
        isRequired: Bool = true, after: [String] = [],
        _ answer: @escaping @Sendable (FulfilmentCall) throws -> ParameterResolution
    ) throws -> (DeclarationFixture, Bistro) {
        let bistro = Bistro(resolve: answer)
        var declaration = IntentDeclaration.reserve(bistro)
        declaration.parameters[1].defaults = []
        declaration.parameters[1].isRequired = isRequired
        declaration.parameters[1].prompt = "How many?"
        declaration.parameters[1].isResolvedByFulfilment = true
        declaration.parameters[1].after = after
        return (try DeclarationFixture(declaration), bistro)
    }

    @Test("gets any of the six results, with the declaration's prompts if there is no dialog")
    func six() async throws {
        let option = ParameterOption(id: "a", title: "Three", value: .string("three"))
        let other = ParameterOption(id: "b", title: "Five", value: .number(5))
        let answers: [(ParameterResolution, ParameterResolution)] = [
            (.success(.string("4")), .success(.number(4))),
            (.needsValue(dialog: nil), .needsValue(dialog: "How many?")),
            (.needsValue(dialog: "Say it"), .needsValue(dialog: "Say it")),
            (
                .confirmationRequired(.string("three"), dialog: "Three?"),
                .confirmationRequired(.number(3), dialog: "Three?")
            ),
            (.disambiguation([option], dialog: nil), .confirmationRequired(.number(3), dialog: nil)),
            (
                .disambiguation([option, other], dialog: nil),
                .disambiguation(
                    [ParameterOption(id: "a", title: "Three", value: .number(3)), other], dialog: "How many?")
            ),
            (.disambiguation([], dialog: "None"), .unsupported(reason: "noMatch", dialog: "None")),
            (
                .unsupported(reason: "tableTooSmall", dialog: "No."),
                .unsupported(reason: "tableTooSmall", dialog: "No.")
            ),
        ]
        for (answer, expected) in answers {
            let (fixture, bistro) = try fixture { _ in answer }
            #expect(try await fixture.resolve(["seats": .string("two")])["seats"] == expected)
            #expect(bistro.calls.first?.parameters == ["seats": .number(2)])
        }
        let (optional, _) = try fixture(isRequired: false) { _ in .notRequired }
        #expect(try await optional.resolve(["seats": .number(2)])["seats"] == nil)
    }

    @Test("is passed to the fulfilment if it has no value, but not if its value violates the declaration")
    func declarationFirst() async throws {
        let (fixture, bistro) = try fixture { call in
            call.parameters["seats"].map { .success($0) } ?? .success(.number(5))
        }
        #expect(try await fixture.resolve(["seats": .number(9)])["seats"]?.reason == "aboveMaximum")
        #expect(bistro.calls.isEmpty)
        #expect(try await fixture.resolve([:])["seats"] == .success(.number(5)))
        #expect(bistro.calls.count == 1)
    }

    @Test("is resolved again only if a parameter that it depends on has changed")
    func once() async throws {
        let (fixture, bistro) = try fixture(after: ["restaurant"]) { _ in .success(.number(3)) }
        let seats = ParameterState(name: "seats", value: .number(2), origin: .resolved)
        _ = try await fixture.resolve([
            ParameterState(name: "restaurant", value: .string("N"), origin: .resolved), seats,
        ])
        #expect(bistro.calls.isEmpty)
        let answer = try await fixture.resolve([ParameterState(name: "restaurant", value: .string("M")), seats])
        #expect(answer["seats"] == .success(.number(3)))
        // The parameter is not resolved before the parameter that it depends on.
        #expect(try await fixture.resolve([:])["seats"] == .needsValue(dialog: nil))
        #expect(bistro.calls.count == 1)
    }

    @Test("keeps a chosen or confirmed value even if the fulfilment asks again")
    func agreed() async throws {
        let (confirming, _) = try fixture { .confirmationRequired($0.parameters["seats"] ?? .number(1), dialog: nil) }
        let seats = ParameterState(name: "seats", value: .number(2), origin: .confirmed)
        #expect(try await confirming.resolve([seats])["seats"] == .success(.number(2)))
        let (choosing, _) = try fixture { _ in
            .disambiguation(
                [.init(id: "2", title: "2", value: .number(2)), .init(id: "3", title: "3", value: .number(3))],
                dialog: nil)
        }
        let chosen = ParameterState(name: "seats", value: .number(3), origin: .chosen)
        #expect(try await choosing.resolve([chosen])["seats"] == .success(.number(3)))
    }

    @Test("fails the request if the fulfilment returns what the declaration does not allow")
    func wrong() async throws {
        let answers: [(ParameterResolution, String)] = [
            (.success(.number(9)), "a value that its declaration does not allow"),
            (.success(.object([:])), "a value that its declaration does not allow"),
            (.notRequired, "'notRequired', but it is required: declare it with 'required: false'"),
            (
                .disambiguation(
                    [.init(id: "2", title: "2", value: .number(2)), .init(id: "2", title: "3", value: .number(3))],
                    dialog: nil),
                "options of which two have the same id"
            ),
        ]
        for (answer, message) in answers {
            let (fixture, _) = try fixture { _ in answer }
            let failure = await #expect(throws: IntentFailure.self) {
                _ = try await fixture.resolve(["seats": .number(2)])
            }
            #expect(failure?.message == "the fulfilment of Reserve resolved 'seats' to \(message)")
            #expect(failure?.disposition == .failure(.failure))
            #expect(failure?.field == "parameters.seats")
        }
    }
}
