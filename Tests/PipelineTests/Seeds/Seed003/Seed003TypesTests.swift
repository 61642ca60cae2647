import IntentKit
import PipelineTestKit
import TestTrails
import Testing

import struct IntentKit.Measurement

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A parameter of each type that the article names.
private struct Everything: AppIntent {
    static let title: LocalizedText = "Everything"
    @Parameter(title: "Bool") var bool: Bool?
    @Parameter(title: "Int") var int: Int?
    @Parameter(title: "Double") var double: Double?
    @Parameter(title: "String") var string: String?
    @Parameter(title: "Duration") var duration: Duration?
    @Parameter(title: "Date") var date: Date?
    @Parameter(title: "Decimal") var decimal: Decimal?
    @Parameter(title: "Measurement") var measurement: Measurement<UnitLength>?
    @Parameter(title: "URL") var url: URL?
    @Parameter(title: "Array") var array: [Int]?
    @Parameter(title: "Set") var set: Set<String>?
    @Parameter(title: "Person") var person: Person?
    @Parameter(title: "People") var people: [Person]?
    @Parameter(title: "File") var file: IntentFile?
    @Parameter(title: "Place") var place: Place?
    @Parameter(title: "Currency amount") var currencyAmount: CurrencyAmount?
    @Parameter(title: "Payment method") var paymentMethod: PaymentMethod?
    @Parameter(title: "Date range") var dateRange: DateRange?
    @Parameter(title: "Recurrence") var recurrence: RecurrenceRule?
    @Parameter(title: "Enumeration") var activity: ActivityStyle?
    @Parameter(title: "Entity") var trail: TrailEntity?

    static let parameters = Parameters<Self>(
        \.$bool, \.$int, \.$double, \.$string, \.$duration, \.$date, \.$decimal, \.$measurement, \.$url, \.$array,
        \.$set, \.$person,
        \.$people, \.$file, \.$place, \.$currencyAmount, \.$paymentMethod, \.$dateRange, \.$recurrence, \.$activity,
        \.$trail)

    private var values: [(any ParameterValue)?] {
        [
            bool, int, double, string, duration, date, decimal, measurement, url, array, set, person, people, file,
            place, currencyAmount,
            paymentMethod, dateRange, recurrence, activity, trail,
        ]
    }

    private func line(_ value: some ParameterValue) -> String { "\(type(of: value)) " + value.displayText }

    func perform() async throws -> some IntentResult & ReturnsItems {
        .result(items: values.compactMap { value in value.map { line($0) } })
    }
}

@Suite("Seed 003: types that parameters can have")
struct Seed003TypesTests {
    private let server = SelfPerformingExtension(Everything.self, provide: TrailDataManager.provide)

    /// Checks that resolution leaves the value unchanged, and that `perform()` gets the value with its type.
    private func passes(_ name: String, _ value: some ParameterValue) async throws {
        let said = ParameterState(name: name, value: JSON(value))
        #expect(try await server.resolve(name, of: Everything.self, [said]) == .success(JSON(value)), "\(name)")
        let items = try await server.perform(.handle, Everything.self, [said]).response?.items
        #expect(items?.map(\.title) == ["\(type(of: value)) " + value.displayText], "\(name)")
    }

    @Test("Bool, Int, Double and String")
    func primitives() async throws {
        try await passes("bool", true)
        try await passes("int", -3)
        try await passes("double", 2.5)
        try await passes("string", "Mount Bell")
    }

    @Test("Duration and Date")
    func times() async throws {
        try await passes("duration", Duration.seconds(5_400))
        try await passes("date", Date(timeIntervalSince1970: 1_767_268_800))
    }

    @Test("Decimal, Measurement and URL")
    func foundationTypes() async throws {
        try await passes("decimal", try #require(Decimal(string: "0.1")))
        try await passes("measurement", Measurement(value: 5, unit: UnitLength.kilometers))
        try await passes("url", try #require(URL(string: "https://example.com/trails")))
    }

    @Test("an Array and a Set of parameter types")
    func collections() async throws {
        try await passes("array", [3, 1, 3])
        try await passes("set", Set(["a", "b"]))
        try await passes("people", [Person(displayName: "Kim"), Person(displayName: "Lee", handle: "+44 1")])
    }

    @Test("a person and a file")
    func frameworkTypes() async throws {
        try await passes("person", Person(displayName: "Kim", customIdentifier: "k"))
        try await passes(
            "file", try IntentFile(data: Data([1, 2, 3]), filename: "map.gpx", type: "application/gpx+xml"))
        try await passes("file", try IntentFile(url: try #require(URL(string: "https://example.com/map.gpx"))))
    }

    @Test("the other common types: place, currency amount, payment method, date range, recurrence")
    func commonTypes() async throws {
        try await passes("place", Place(name: "Bonn", identifier: "p"))
        try await passes("currencyAmount", CurrencyAmount(minorUnits: 14_50, currencyCode: "EUR"))
        try await passes("paymentMethod", PaymentMethod(type: .credit, name: "Visa"))
        try await passes(
            "dateRange", try #require(DateRange(start: Date(timeIntervalSince1970: 1_767_268_800), end: nil)))
        try await passes("recurrence", RecurrenceRule(frequency: .weekly, weekdays: [.monday]))
    }

    @Test("an enumeration, whose values are known at build time")
    func enumeration() async throws {
        try await passes("activity", ActivityStyle.hiking)
        #expect(ActivityStyle.knownValues == [.biking, .hiking, .jogging])
    }

    @Test("an entity, which is requested at run time")
    func entity() async throws {
        try await passes("trail", TrailEntity.samples[0])
    }
}
