import IntentKit
import PipelineTestKit
import Testing

@Suite("A parameter's own converters") struct OwnConverterTests {
    private typealias Length = Measurement<UnitLength>

    private func convert<Value: ParameterValue>(
        _ json: JSON, to type: Value.Type = Value.self,
        @ConverterSpecificationBuilder _ converters: () -> ConverterSpecification
    ) async throws -> Conversion<Value> {
        let context = Context(
            InvocationContext(session: "s", request: "r", idempotencyKey: "k", locale: "en"), phase: .resolve)
        return try await ParameterConversion<Value>(converters: converters()).convert(json.view, context: context)
    }

    @Test(
        arguments: [
            (3, .value(3)), ("three", .value(3)), ("some", .noConversion), ([:], .noConversion),
            (0, .notSupported(reason: "belowMinimum", dialog: "It can be 1 to 6, not 0.")),
            ("twenty", .notSupported(reason: "aboveMaximum", dialog: "It can be 1 to 6, not 20.")),
        ] as [(JSON, Conversion<Int>)])
    func `unconvertible and unsupported input differ`(_ said: JSON, _ conversion: Conversion<Int>) async throws {
        #expect(try await convert(said) { IntConverter(range: 1...6) } == conversion)
    }

    @Test func `ranges apply to every comparable type`() async throws {
        #expect(
            try await convert(2.5) { DoubleConverter(range: 0...1) }
                == Conversion<Double>.notSupported(reason: "aboveMaximum", dialog: "It can be 0 to 1, not 2.5."))
        let range = Length(value: 1, unit: .kilometers)...Length(value: 50, unit: .kilometers)
        let miles = Length(value: 3, unit: .miles)
        #expect(try await convert("3 miles") { RangeConverter(range: range) } == .value(miles))
        #expect(
            try await convert("300 m", to: Length.self) { RangeConverter(range: range) }
                == .notSupported(reason: "belowMinimum", dialog: "It can be 1 km to 50 km, not 300 m."))
    }

    @Test(arguments: [5, JSON(unchecked: "5.0"), "five", "5 km"] as [JSON])
    func `a bare number gets the converter's unit`(_ said: JSON) async throws {
        let result: Conversion<Length> = try await convert(said) { MeasurementFromDouble(unit: UnitLength.kilometers) }
        #expect(result == .value(Length(value: 5, unit: .kilometers)))
    }

    @Test func `an author's converter becomes part of the chains`() async throws {
        let log = Recorder<Int>()
        func cup(_ json: JSON) async throws -> Conversion<Cup> { try await convert(json) { CupFromNumber(calls: log) } }
        for said: JSON in [2, "two", "2.0"] { #expect(try await cup(said) == .value(Cup(id: "c2", title: "Cup 2"))) }
        #expect(try await cup("9") == .noConversion)
        // The value's own JSON is read without the converter.
        #expect(try await cup(["id": "x", "title": "X"]) == .value(Cup(id: "x", title: "X")))
        // No converter is called twice for an input, even if several chains lead to it.
        #expect(log.all == [2, 2, 2, 9])
    }

    @Test func `an author's converter takes precedence over the type's own reading`() async throws {
        #expect(try await convert("10") { IntFromString(radix: 16) } == .value(16))
        // If the author's converter can't read the input, the other chains are tried in turn.
        #expect(try await convert("three") { IntFromString(radix: 16) } == .value(3))
        #expect(try await convert("2.7") { IntFromDouble(rounding: .toNearestOrEven) } == .value(3))
        #expect(try await convert(1e300, to: Int.self) { IntFromDouble(rounding: .up) } == .noConversion)
    }

    @ConverterSpecificationBuilder private func fixed(_ first: Int?) -> ConverterSpecification {
        Fixed(first)
        Fixed(2)
    }

    @ConverterSpecificationBuilder private func throughCup() -> ConverterSpecification {
        CupFromText()
        NumberFromCup()
    }

    @Test func `the shortest chain wins, and among equals the first`() async throws {
        // Both converters are one step from text, so the first wins.
        #expect(try await convert("x") { fixed(1) } == .value(1))
        #expect(try await convert("x") { fixed(nil) } == .value(2))
        // A chain through a cup takes two steps.
        #expect(try await convert("7", throughCup) == .value(7))
        #expect(try await convert("pot", throughCup) == .value(42))
    }

    @Test func `a converter from a type to itself adjusts every value of that type in a chain`() async throws {
        // The converter adjusts text on its way to a number, and the number itself.
        #expect(try await convert("about 5") { WithoutAbout() } == .value(5))
        let above: Conversion<Int> = try await convert("about 7") {
            WithoutAbout()
            IntConverter(range: 1...6)
        }
        #expect(above == .notSupported(reason: "aboveMaximum", dialog: "It can be 1 to 6, not 7."))
        #expect(try await convert("about tea") { WithoutAbout() } == .value("tea"))
    }

    @Test func `a converter's own error is thrown on`() async throws {
        await #expect(throws: Broken.self) { _ = try await convert(1, to: Int.self) { Breaking() } }
        await #expect(throws: CancellationError.self) {
            _ = try await convert(1, to: Int.self) { Breaking(error: CancellationError()) }
        }
    }

    @Test func `without own converters a conversion is immediate`() throws {
        #expect(ParameterConversion<Int>.standard.isImmediate && ParameterConversion<[Length]>.standard.isImmediate)
        let bounded = ParameterConversion<Int>(converters: ConverterSpecification { IntConverter(range: 1...2) })
        #expect(!bounded.isImmediate)
        // A wire form that an earlier phase wrote is read without the parameter's own converters.
        let hexadecimal = ParameterConversion<Int>(converters: ConverterSpecification { IntFromString(radix: 16) })
        #expect(hexadecimal.read(JSON.string("10").view) == 10)
    }

    @Test func `a converter gets the context`() async throws {
        #expect(try await convert(1) { LocaleOfContext() } == .value("en"))
    }

    @Test(arguments: [true, false])
    func `converters can be built conditionally`(_ isStrict: Bool) async throws {
        let result: Conversion<Int> = try await convert(9) { if isStrict { IntConverter(range: 1...6) } }
        #expect((result == .value(9)) == !isStrict)
    }
}

private struct CupFromNumber: ValueConverter {
    var calls: Recorder<Int>
    func convert(from number: Int, context: Context) async throws -> Cup? {
        await Task.yield()
        calls.record(number)
        return number < 4 ? Cup(id: "c\(number)", title: "Cup \(number)") : nil
    }
}

private struct CupFromText: InstantConverter { func convert(from text: String) -> Cup? { Cup(id: text, title: text) } }

private struct NumberFromCup: InstantConverter { func convert(from cup: Cup) -> Int? { 42 } }

private struct Fixed: InstantConverter {
    var number: Int?
    init(_ number: Int?) { self.number = number }
    func convert(from text: String) -> Int? { number }
}

private struct WithoutAbout: InstantConverter {
    func convert(from text: String) -> String? { text.hasPrefix("about ") ? String(text.dropFirst(6)) : text }
}

private struct Broken: Error {}

private struct Breaking: ValueConverter {
    var error: any Error = Broken()
    func convert(from number: Int, context: Context) async throws -> Int? { throw error }
}

private struct LocaleOfContext: ValueConverter {
    func convert(from number: Int, context: Context) async throws -> String? { context.locale }
}
