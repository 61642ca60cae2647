import IntentKit
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite("Input is converted to a parameter's type by chains of converters")
struct ConversionTests {
    private func read<Value: ParameterValue>(_ json: String, as type: Value.Type = Value.self) throws -> Value? {
        ParameterConversion<Value>.standard.read(try JSONView(parsing: Array(json.utf8)))
    }

    @Test("text is converted to the parameter's type")
    func text() throws {
        #expect(try read(#""three""#) == 3)
        #expect(try read(#""2.5""#) == 2.5)
        #expect(try read(#""14.50""#) == Decimal(string: "14.5"))
        #expect(try read(#""yes""#) == true)
        #expect(try read(#""2026-03-02T18:30:00Z""#) == Date(timeIntervalSince1970: 1_772_476_200))
        #expect(try read(#""half past""#, as: Date.self) == nil)
        #expect(try read(#""90 minutes""#) == Duration.seconds(5400))
        #expect(try read(#""5 km""#) == Measurement(value: 5, unit: UnitLength.kilometers))
        #expect(try read(#""https://example.com""#) == URL(string: "https://example.com"))
        #expect(try read(#""green tea""#) == Leaf.sencha)
    }

    @Test("chains of converters can go through other types")
    func chains() throws {
        // Text becomes a number and then a whole number: the type itself can't read these texts.
        #expect(Int(text: "2.0") == nil)
        #expect(try read(#""2.0""#) == 2)
        #expect(try read(#""1e3""#) == 1000)
        // A number becomes text and then yes or no, as in App Intents.
        #expect(try read("1") == true)
        #expect(try read("0") == false)
        #expect(try read("2", as: Bool.self) == nil)
        #expect(try read("true") == "true")
    }

    @Test("numbers lose no digits in a conversion")
    func digits() throws {
        #expect(try read("12345678901234567890") == "12345678901234567890")
        #expect(try read("0.1") == "0.1")
        #expect(try read("5") == "5")
        #expect(try read("2.5", as: Int.self) == nil)
        #expect(try read(#""2.5""#, as: Int.self) == nil)
        #expect(try read("1e300", as: Int.self) == nil)
        #expect(try read("1e300", as: Decimal.self) == nil)
        #expect(try read("1e300") == "1e+300")
    }

    @Test("a single value is converted to a list of one")
    func listOfOne() throws {
        #expect(try read("5") == [5])
        #expect(try read("5.0") == Set([5]))
        #expect(try read(#""2.0""#) == [2])
        #expect(try read(#"{"name":"Kim"}"#, as: [Person].self) == nil)
        #expect(try read(#"[1, "2.0", "three"]"#) == [1, 2, 3])
        #expect(try read(#"["yes", 0]"#) == [true, false])
    }

    @Test("a bare number is not converted to a place, though any text is")
    func numbersAreNotPlaces() throws {
        #expect(try read("5", as: Place.self) == nil)
        #expect(try read("true", as: Person.self) == nil)
        #expect(try read("5", as: [Place].self) == nil)
        #expect(try read(#""5""#) == Place(name: "5"))
    }

    @Test("empty and unsuitable input has no conversion")
    func noConversion() throws {
        #expect(try read("null", as: String.self) == nil)
        #expect(try read("{}", as: Int.self) == nil)
        #expect(try read("[]", as: Int.self) == nil)
        #expect(try read("[5]", as: Int.self) == nil)
        #expect(try read(#""""#, as: Int.self) == nil)
    }

    @Test("a type's own converters serve every parameter of that type")
    func ownSpecification() throws {
        #expect(try read("7") == Table(number: 7))
        #expect(try read(#""seven""#) == Table(number: 7))
        #expect(try read("70", as: Table.self) == nil)
        #expect(try read("7") == [Table(number: 7)])
    }

    @Test("a type's own checks apply to every parameter of that type")
    func ownChecks() async throws {
        let conversion = ParameterConversion<Even>.standard
        let context = Context(InvocationContext(session: "s", request: "r", idempotencyKey: "k"), phase: .resolve)
        #expect(!conversion.isImmediate)
        #expect(try await conversion.convert(JSON.number(4).view, context: context) != .noConversion)
        #expect(try await conversion.convert(JSON.number(5).view, context: context) == .noConversion)
        #expect(try await conversion.convert(JSON.string("5").view, context: context) == .noConversion)
    }
}

/// A type with its own converter from a number.
struct Table: ParameterValue {
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
struct Even: ParameterValue {
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
