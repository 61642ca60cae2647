import Conversation
import IntentKit
import PipelineTestKit
import Testing

private struct Stove: AppIntent {
    static let title: LocalizedText = "Light the stove"
    @Parameter(title: "Cups", requestValueDialog: "How many cups?") var cups: Int
    @Parameter(title: "Fuel") var fuel: Double?
    @Parameter(title: "Lid") var lid: Bool?
    @Parameter(title: "Boil", converters: { MinutesFromEgg() }) var boil: Duration?
    @Parameter(title: "Number", converters: { CupFromHut() }) var shelf: Int?
    static let parameters = Parameters<Self>(\.$cups, \.$fuel, \.$lid, \.$boil, \.$shelf)

    func perform() async throws -> some IntentResult & ReturnsValue<Int> { .result(value: cups * 2) }
}

/// A converter that an author has written.
private struct MinutesFromEgg: ValueConverter {
    func convert(from text: String, context: Context) async throws -> Duration? {
        switch text {
        case "soft": .seconds(240)
        case "hard": .seconds(600)
        default: nil
        }
    }
}

/// A converter that accepts the type of the input and rejects the value 13.
private struct CupFromHut: ValueConverter {
    func convert(from number: Int, context: Context) async throws -> Int? {
        if number == 13 { throw UnsupportedValue(reason: "noSuchShelf") }
        return number
    }
}

@Suite("Seed 003: input is transformed into the types of the parameters")
struct Seed003TransformTests {
    private func resolved(_ name: String, _ words: String) async throws -> ParameterResolution? {
        try await SelfPerformingExtension(Stove.self).resolve(name, of: Stove.self, [.said(name, words)])
    }

    @Test("input need not be of the parameter's type: spoken text becomes a whole number")
    func integer() async throws {
        #expect(try await resolved("cups", "3") == .success(.number(3)))
        #expect(try await resolved("cups", "three") == .success(.number(3)))
    }

    @Test("spoken text becomes a floating-point number")
    func floatingPoint() async throws {
        #expect(try await resolved("fuel", "0.5") == .success(JSON(0.5)))
    }

    @Test("spoken text becomes yes or no")
    func boolean() async throws {
        #expect(try await resolved("lid", "yes") == .success(JSON(true)))
    }

    @Test("a number becomes another type of number if nothing is lost")
    func numbers() async throws {
        let server = SelfPerformingExtension(Stove.self)
        #expect(try await server.resolve("cups", of: Stove.self, [.said("cups", json: "3.0")]) == .success(.number(3)))
        #expect(try await server.resolve("cups", of: Stove.self, [.said("cups", json: "3.5")]).value == nil)
    }

    @Test("converters are found by type, including an author's own")
    func ownResolver() async throws {
        #expect(try await resolved("boil", "soft") == .success(JSON(Duration.seconds(240))))
    }

    @Test("unconvertible text is distinguished from an unsupported value")
    func noConversion() async throws {
        #expect(try await resolved("shelf", "up there")?.reason == "invalidValue")
        #expect(try await resolved("shelf", "thirteen")?.reason == "noSuchShelf")
    }

    @Test("code uses the converted input, even if the person gave it in an answer")
    func answered() async throws {
        let talk = try await Dialogue(SelfPerformingExtension(Stove.self))
        try await talk.request(Stove.self)
        try await talk.say("a few")
        try await talk.say("four")
        #expect(try talk.lines() == ["prompt value cups", "prompt value cups", "completed success success"])
        #expect(try talk.work(.handle).first?.item?.parameters.first { $0.name == "cups" }?.value == .number(4))
    }
}
