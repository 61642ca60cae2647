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

/// An intent with a parameter of any type.
private struct Holding<Value: ParameterValue>: AppIntent {
    static var name: String { "Holding" }
    static var title: LocalizedText { "Holding" }
    @Parameter(title: "Value") var value: Value
    static var parameters: Parameters<Self> { Parameters(\.$value) }

    func perform() async throws -> some IntentResult & ReturnsItems { .result(items: [line(value)]) }
}

private func line(_ value: some ParameterValue) -> String { "\(type(of: value)) " + value.displayText }

@Suite("Seed 003: types that parameters can have") struct Seed003TypesTests {
    private static let values: [any ParameterValue] = [
        true, -3, 2.5, "Mount Bell", Duration.seconds(5_400), Date(timeIntervalSince1970: 1_767_268_800),
        Decimal(string: "0.1")!, Measurement(value: 5, unit: UnitLength.kilometers),
        URL(string: "https://example.com/trails")!, [3, 1, 3], Set(["a", "b"]),
        [Person(displayName: "Kim"), Person(displayName: "Lee", handle: "+44 1")],
        Person(displayName: "Kim", customIdentifier: "k"),
        try! IntentFile(data: Data([1, 2, 3]), filename: "map.gpx", type: "application/gpx+xml"),
        try! IntentFile(url: URL(string: "https://example.com/map.gpx")!), Place(name: "Bonn", identifier: "p"),
        CurrencyAmount(minorUnits: 14_50, currencyCode: "EUR"), PaymentMethod(type: .credit, name: "Visa"),
        DateRange(start: Date(timeIntervalSince1970: 1_767_268_800), end: nil)!,
        RecurrenceRule(frequency: .weekly, weekdays: [.monday]), ActivityStyle.hiking, TrailEntity.samples[0],
    ]

    @Test(
        "a value of each type that the article names is unchanged by resolution, and performed with its type",
        arguments: values)
    func passes(_ value: any ParameterValue) async throws { try await pass(value) }

    private func pass<Value: ParameterValue>(_ value: Value) async throws {
        let server = SelfPerformingExtension(Holding<Value>.self, provide: TrailDataManager.provide)
        let said = [ParameterState(name: "value", value: JSON(value))]
        #expect(try await server.registry().resolve("value", of: "Holding", said).resolution == .success(JSON(value)))
        let items = try await server.registry().respond(.handle, "Holding", said).items
        #expect(items.map(\.title) == [line(value)])
    }
}
