import IntentKit
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite("Types of parameter values")
struct ParameterValueTests {
    /// Returns `true` if a type reads what it writes. Every phase may run in another process.
    private func survives<Value: ParameterValue>(_ value: Value) throws -> Bool {
        let view = try JSONView(parsing: JSON(value).bytes)
        let back = view.kind == .string ? view.string.flatMap { Value(text: $0) } : Value(json: view)
        return back == value
    }

    @Test("every type reads what it writes")
    func roundTrip() throws {
        let coordinate = try #require(Coordinate(latitude: 53.3498, longitude: -6.2603))
        #expect(
            try survives(true) && survives(-7) && survives(Int.max) && survives(0.1) && survives(2.0)
                && survives("a\"\\\u{1}é"))
        #expect(try survives(Leaf.pouchong) && survives(Cup(id: "c", title: "t")))
        #expect(
            try survives(Place(name: "Pub"))
                && survives(Place(name: "Pub", locality: "D2", coordinate: coordinate, identifier: "p")))
        #expect(try survives(Person(displayName: "Kim", handle: "+353 1", customIdentifier: "k")))
        #expect(try survives(CurrencyAmount(minorUnits: -5, currencyCode: "EUR")))
        #expect(try survives(CurrencyAmount(minorUnits: 1450, currencyCode: "JPY")))
        #expect(
            try survives(Date(timeIntervalSince1970: 1_772_476_200.125)) && survives(Date(timeIntervalSince1970: -1)))
        #expect(try survives(Duration.seconds(5400)) && survives(Duration.milliseconds(250)) && survives(Duration.zero))
        #expect(try survives(Duration.seconds(-90)) && survives(Duration.seconds(400_000_000_000) + .nanoseconds(1)))
    }

    @Test("words for yes and no are read as Bool")
    func yesAndNo() {
        #expect(["yes", "Yeah", "true", " OK "].allSatisfy { Bool(text: $0) == true })
        #expect(["no", "Nope", "off"].allSatisfy { Bool(text: $0) == false })
        #expect(Bool(text: "maybe") == nil)
    }

    @Test("numbers are read from digits and words")
    func numbers() {
        #expect(Int(text: " 12 ") == 12 && Int(text: "twenty-five") == 25 && Int(text: "-3") == -3)
        #expect(
            Int(text: "") == nil && Int(text: "2.5") == nil && Int(text: "99999999999999999999") == nil
                && Int(text: "twenty ten") == nil)
        #expect(Double(text: "1e3") == 1000 && Double(text: "two") == 2)
        #expect(
            Double(text: "nan") == nil && Double(text: "inf") == nil && Double(text: "0x10") == nil
                && Double(text: "1e999") == nil)
    }

    @Test("dates are read in ISO 8601 with a time zone only")
    func dates() {
        func seconds(_ text: String) -> Double? { Date(text: text)?.timeIntervalSince1970 }
        #expect(seconds("1970-01-01T00:00:00Z") == 0)
        #expect(seconds("2026-03-02T18:30:00+01:00") == seconds("2026-03-02T17:30:00Z"))
        #expect(seconds("2024-02-29 12:00:00.5z") == 1_709_208_000.5)
        #expect(seconds("2016-12-31T23:59:60Z") == seconds("2017-01-01T00:00:00Z"))
        for text in [
            "tomorrow", "2026-03-02", "2026-03-02T18:30:00", "2026-02-29T00:00:00Z", "2026-13-01T00:00:00Z",
            "0000-01-01T00:00:00Z",
        ] {
            #expect(Date(text: text) == nil, "\(text)")
        }
        #expect(JSON(Date(timeIntervalSince1970: 951_782_400)) == .string("2000-02-29T00:00:00Z"))
        #expect(Date(timeIntervalSince1970: 0).displayText == "1970-01-01 00:00 UTC")
    }

    @Test("durations are read in ISO 8601 and in words")
    func durations() {
        #expect(Duration(text: "PT1H30M") == .seconds(5400) && Duration(text: "P1DT12H") == .seconds(129_600))
        #expect(Duration(text: "P2W") == .seconds(1_209_600) && Duration(text: "PT0.5S") == .milliseconds(500))
        #expect(
            Duration(text: "90 minutes") == .seconds(5400) && Duration(text: "an hour and 5 mins") == .seconds(3900))
        for text in ["P", "PT", "P1Y", "PT5", "PT1M1H", "5", "minutes 5", "PT99999999999999H", "-5 minutes"] {
            #expect(Duration(text: text) == nil, "\(text)")
        }
        #expect(JSON(Duration.seconds(5400)) == .string("PT1H30M"))
        #expect(Duration.seconds(5400).displayText == "1 hour 30 minutes")
    }

    @Test("amounts of money are read from text, and exactly")
    func money() throws {
        #expect(CurrencyAmount(text: "€14.50") == CurrencyAmount(minorUnits: 1450, currencyCode: "EUR"))
        #expect(CurrencyAmount(text: "20 dollars") == CurrencyAmount(minorUnits: 2000, currencyCode: "USD"))
        #expect(CurrencyAmount(text: "EUR 3") == CurrencyAmount(minorUnits: 300, currencyCode: "EUR"))
        for text in ["14.505 EUR", "14,50 EUR", "EUR", "x EUR", "1e3 EUR", "5 EUROS2", "14. EUR", "3"] {
            #expect(CurrencyAmount(text: text) == nil, "\(text)")
        }
        let number = try JSONView(parsing: Array(#"{"amount":14.5,"currencyCode":"EUR"}"#.utf8))
        #expect(CurrencyAmount(json: number)?.displayText == "€14.50")
        #expect(CurrencyAmount(minorUnits: -5, currencyCode: "EUR").displayText == "-€0.05")
        #expect(CurrencyAmount(minorUnits: 14500, currencyCode: "KWD").displayText == "14.500 KWD")
    }

    @Test("a place needs a name, and both of its coordinates or none")
    func places() throws {
        func place(_ json: String) throws -> Place? { Place(json: try JSONView(parsing: Array(json.utf8))) }
        #expect(try place(#"{"name":"Pub","latitude":53,"longitude":-6,"more":[]}"#)?.coordinate?.latitude == 53)
        #expect(try place(#"{"latitude":53,"longitude":-6}"#) == nil)
        #expect(try place(#"{"name":"Pub","latitude":53}"#) == nil)
        #expect(try place(#"{"name":"Pub","latitude":91,"longitude":0}"#) == nil)
        #expect(Place(text: "  ") == nil)
    }

    @Test("case, accents and punctuation don't matter when words are compared")
    func folding() {
        #expect(TextFolding.fold("  Dún  Laoghaire! ") == "dun laoghaire")
        #expect(TextFolding.fold("St. Stephen’s-Green") == "st stephens green")
        #expect(TextFolding.fold("Straße Ærø Łódź Ồ e\u{301}") == "strasse aero lodz o e")
        #expect(TextFolding.fold("ΑΘΗΝΑ") == "αθηνα")
        // Capital letters whose Unicode names say less than the names of their small letters.
        #expect(TextFolding.fold("STRA\u{1E9E}E") == "strasse")
        #expect(TextFolding.fold("\u{1F6}") == TextFolding.fold("\u{195}"))
        #expect(Leaf(text: "baozhong") == .pouchong && Leaf(text: "green TEA") == .sencha && Leaf(text: "tea") == nil)
    }
}
