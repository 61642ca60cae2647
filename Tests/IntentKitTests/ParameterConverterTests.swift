import IntentKit
import PipelineTestKit
import Testing

private struct CupFromNumber: ValueConverter {
    func convert(from number: Int, context: Context) async throws -> Cup? {
        if number == 13 { throw UnsupportedValue(reason: "unlucky", dialog: "Not 13.") }
        return number < 10 ? Cup(id: "c\(number)", title: "Cup \(number)") : nil
    }
}

private struct InPairs: ValueConverter {
    func convert(from number: Int, context: Context) async throws -> Int? {
        if number % 2 == 1 { throw UnsupportedValue(reason: "odd") }
        return number
    }
}

private struct Lay: Intent {
    static let title: LocalizedText = "Lay"
    @Parameter(title: "Cup", converters: { CupFromNumber() }) var cup: Cup
    @Parameter(title: "Spoons", .inclusiveRange(1...8), converters: { InPairs() }) var spoons: Int?
    @Parameter(title: "Cups", converters: { CupFromNumber() }) var cups: [Cup]?
    static let parameters = Parameters<Self>(\.$cup, \.$spoons, \.$cups)
}

private struct LayHandler: IntentHandling {
    func handle(_ lay: Lay, context: Context) async throws -> HandleResponse { .success(dialog: "\(lay.cup.id)") }
}

@Suite("Own converters in a resolution")
struct ParameterConverterTests {
    private let server = SingleHandlerExtension(handler: LayHandler())
    private let cup = JSON(Cup(id: "c7", title: "Cup 7"))

    @Test("converters are chained by type")
    func chained() async throws {
        for said in ["7", "\"7\"", "\"seven\"", "7.0"] {
            #expect(try await server.resolve("cup", [.given("cup", json: said)]).resolution == .success(cup))
        }
    }

    @Test("unconvertible input and an unsupported value have different reasons")
    func reasons() async throws {
        #expect(try await server.resolve("cup", [.given("cup", "a bowl")]).resolution.reason == "invalidValue")
        #expect(
            try await server.resolve("cup", [.given("cup", "13")]).resolution
                == .unsupported(reason: "unlucky", dialog: "Not 13."))
        #expect(try await server.resolve("spoons", [.given("spoons", "3")]).resolution.reason == "odd")
        #expect(try await server.resolve("spoons", [.given("spoons", "a few")]).resolution.reason == "invalidValue")
        #expect(try await server.resolve("spoons", [.given("spoons", "10")]).resolution.reason == "aboveMaximum")
        #expect(try await server.resolve("spoons", [.given("spoons", "4")]).resolution == .success(.number(4)))
    }

    @Test("JSON that no converter can read is rejected")
    func unsuitableJSON() async throws {
        #expect(try await server.failure(.resolve, [.given("cup", json: "[1]")]).field == "parameters.cup")
    }

    @Test("each value of a list is converted")
    func list() async throws {
        let found = try await server.resolve("cups", [.given("cups", json: #"[7,"seven"]"#)])
        #expect(found.resolution == .success(.array([cup, cup])))
        let refused = try await server.resolve("cups", [.given("cups", json: #"[7,13]"#)])
        #expect(refused.resolution.reason == "unlucky" && refused.element?.index == 1)
    }

    @Test("a resolved value is not converted again")
    func resolved() async throws {
        let resolved = ParameterState(name: "spoons", value: .number(3), origin: .resolved)
        #expect(try await server.resolve("spoons", [resolved]).resolution == .success(.number(3)))
    }

    @Test("values are also converted if handle runs without an earlier resolve")
    func handledDirectly() async throws {
        #expect(try await server.perform(.handle, [.given("cup", "seven")]) == .responded(.success(dialog: "c7")))
        let bad = try await server.failure(.handle, [.given("cup", "13")])
        #expect(bad.disposition == .reject && bad.field == "parameters.cup")
    }
}
