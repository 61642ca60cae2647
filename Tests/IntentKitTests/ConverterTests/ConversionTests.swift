import Foundation
import IntentKit
import PipelineTestKit
import Testing

@Suite("Input is converted to a parameter's type by chains of converters") struct ConversionTests {
    private func read<Value: ParameterValue>(_ json: JSON, as type: Value.Type = Value.self) throws -> Value? {
        ParameterConversion<Value>.standard.read(json.view)
    }

    @Test func `chains of converters can go through other types, and numbers lose no digits`() throws {
        // Text becomes a number and then a whole number: the type itself can't read these texts.
        #expect(Int(text: "2.0") == nil)
        #expect(try read("2.0") == 2)
        #expect(try read("1e3") == 1000)
        // A number becomes text and then yes or no, as in App Intents.
        #expect(try read(1) == true)
        #expect(try read(0) == false)
        #expect(try read(2, as: Bool.self) == nil)
        #expect(try read(true) == "true")
        for number in ["12345678901234567890", "0.1", "5"] { #expect(try read(JSON(unchecked: number)) == number) }
        for json: JSON in [2.5, "2.5", 1e300] { #expect(try read(json, as: Int.self) == nil) }
        #expect(try read(1e300, as: Decimal.self) == nil)
        #expect(try read(JSON(unchecked: "1e300")) == "1e+300")
    }

    @Test func `a single value is converted to a list of one`() throws {
        #expect(try read(5) == [5])
        #expect(try read(JSON(unchecked: "5.0")) == Set([5]))
        #expect(try read("2.0") == [2])
        #expect(try read(["name": "Kim"], as: [Person].self) == nil)
        #expect(try read([1, "2.0", "three"]) == [1, 2, 3])
        #expect(try read(["yes", 0]) == [true, false])
    }

    @Test func `a bare number is not converted to a place, though any text is`() throws {
        #expect(try read(5, as: Place.self) == nil && read(5, as: [Place].self) == nil)
        #expect(try read(true, as: Person.self) == nil)
        #expect(try read("5") == Place(name: "5"))
    }

    @Test func `empty and unsuitable input has no conversion`() throws {
        for json: JSON in [[:], [], [5], ""] { #expect(try read(json, as: Int.self) == nil) }
        #expect(try read(.null, as: String.self) == nil)
    }

    @Test func `a type's own converters serve every parameter of that type`() throws {
        #expect(try read(7) == Table(number: 7))
        #expect(try read("seven") == Table(number: 7))
        #expect(try read(70, as: Table.self) == nil)
        #expect(try read(7) == [Table(number: 7)])
    }

    @Test func `a type's own checks apply to every parameter of that type`() async throws {
        let conversion = ParameterConversion<Even>.standard
        let context = Context(InvocationContext(session: "s", request: "r", idempotencyKey: "k"), phase: .resolve)
        #expect(!conversion.isImmediate)
        #expect(try await conversion.convert(JSON.number(4).view, context: context) != .noConversion)
        #expect(try await conversion.convert(JSON.number(5).view, context: context) == .noConversion)
        #expect(try await conversion.convert(JSON.string("5").view, context: context) == .noConversion)
    }
}

/// A type with its own converter from a number.
private struct Table: ParameterValue {
    var number: Int

    static var jsonKind: JSONView.Kind { .object }
    static var defaultConverterSpecification: ConverterSpecification { ConverterSpecification { FromNumber() } }
    init(number: Int) { self.number = number }
    init?(json: JSONView) {
        guard let number = json["table"]?.int else { return nil }
        self.number = number
    }
    func encode(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("table", number)
        writer.endObject()
    }
    var displayText: String { "table \(number)" }

    struct FromNumber: InstantConverter {
        func convert(from number: Int) -> Table? { (1...12).contains(number) ? Table(number: number) : nil }
    }
}

/// A type whose own converters check the value.
private struct Even: ParameterValue {
    var number: Int

    static var jsonKind: JSONView.Kind { .number }
    static var defaultConverterSpecification: ConverterSpecification {
        ConverterSpecification {
            FromText<Self>()
            Check()
        }
    }
    init?(json: JSONView) { self.init(json.int) }
    init?(text: String) { self.init(Int(text)) }
    private init?(_ number: Int?) {
        guard let number else { return nil }
        self.number = number
    }
    func encode(to writer: inout JSONWriter) { writer.number(number) }
    var displayText: String { "\(number)" }

    struct Check: InstantConverter {
        func convert(from value: Even) -> Even? { value.number.isMultiple(of: 2) ? value : nil }
    }
}

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

@Suite("Own converters in a resolution") struct ParameterConverterTests {
    private let server = serving(Lay.self, handle: { .success(dialog: "\($0.cup.id)") })
    private let cup = JSON(Cup(id: "c7", title: "Cup 7"))

    @Test(arguments: [7, "7", "seven", JSON(unchecked: "7.0")] as [JSON])
    func `converters are chained by type`(_ said: JSON) async throws {
        #expect(try await server.resolve("cup", said: said) == .success(cup))
    }

    @Test(
        arguments: [
            ("cup", "a bowl", "invalidValue"), ("spoons", "3", "odd"), ("spoons", "a few", "invalidValue"),
            ("spoons", "10", "aboveMaximum"), ("spoons", "4", nil),
        ] as [(String, JSON, String?)])
    func `unconvertible and unsupported input differ`(_ name: String, _ said: JSON, _ reason: String?) async throws {
        let resolution = try await server.resolve(name, said: said)
        #expect(resolution.reason == reason && (reason != nil || resolution == .success(4)))
        let unlucky = try await server.resolve("cup", said: "13")
        #expect(unlucky == .unsupported(reason: "unlucky", dialog: "Not 13."))
    }

    @Test func `JSON that no converter can read is rejected`() async throws {
        #expect(try await server.failure(.resolve, [.given("cup", [1])]).field == "parameters.cup")
    }

    @Test func `each value of a list is converted`() async throws {
        #expect(try await server.resolve("cups", said: [7, "seven"]) == .success([cup, cup]))
        let refused = try await server.resolve("cups", [.given("cups", [7, 13])])
        #expect(refused.resolution.reason == "unlucky" && refused.element?.index == 1)
    }

    @Test func `a resolved value is not converted again`() async throws {
        #expect(try await server.resolve("spoons", said: 3, .resolved) == .success(3))
    }

    @Test func `values are also converted if handle runs without an earlier resolve`() async throws {
        #expect(try await server.respond(.handle, [.given("cup", "seven")]) == .success(dialog: "c7"))
        let bad = try await server.failure(.handle, [.given("cup", "13")])
        #expect(bad.disposition == .reject && bad.field == "parameters.cup")
    }
}
