import IntentKit
import IntentRuntime
import PipelineTestKit

/// A fulfilment in Swift that records its calls.
final class Bistro: IntentFulfilment {
    typealias Answer<Value> = @Sendable (FulfilmentCall) throws -> Value

    private let resolution: Answer<ParameterResolution>
    private let confirmation: Answer<IntentResponse>
    private let handling: Answer<IntentResponse>
    private let received = Recorder<FulfilmentCall>()

    init(
        resolve: @escaping Answer<ParameterResolution> = { _ in .notRequired },
        confirm: @escaping Answer<IntentResponse> = { _ in .ready },
        handle: @escaping Answer<IntentResponse> = { _ in .success }
    ) {
        (resolution, confirmation, handling) = (resolve, confirm, handle)
    }

    var calls: [FulfilmentCall] { received.all }

    func resolve(_ parameter: String, of call: FulfilmentCall) async throws -> ParameterResolution {
        received.record(call)
        return try resolution(call)
    }

    func confirm(_ call: FulfilmentCall) async throws -> IntentResponse {
        received.record(call)
        return try confirmation(call)
    }

    func handle(_ call: FulfilmentCall) async throws -> IntentResponse {
        received.record(call)
        return try handling(call)
    }
}

extension IntentDeclaration {
    /// Declares an intent that reserves a table, with a number of seats, a size and a city.
    static func reserve(_ fulfilment: (any IntentFulfilment)? = nil) -> IntentDeclaration {
        var reserve = IntentDeclaration(
            "Reserve", title: LocalizedText(verbatim: "Reserve a table", translations: ["nl": "Reserveer een tafel"]),
            fulfilment: fulfilment)
        let sizes = EnumerationDeclaration(
            "TableSize",
            cases: [.init("small", title: "Small"), .init("l", title: "Large", synonyms: ["big", "huge"])])
        let cities = EntityCatalogue(
            "City",
            entities: [
                .init(
                    "AMS", title: "Amsterdam", synonyms: ["Mokum"],
                    properties: ["country": .string("NL"), "people": .number(900_000)]),
                .init("BER", title: "Berlin", properties: ["country": .string("DE"), "people": .number(3_700_000)]),
                .init("NYC", title: "New York", properties: ["country": .string("US"), "people": .number(8_300_000)]),
                .init("YRK", title: "York", properties: ["country": .string("GB"), "people": .number(200_000)]),
            ])
        reserve.parameters = [
            ParameterDeclaration("restaurant", .string, title: "Restaurant", prompt: "Which restaurant?"),
            ParameterDeclaration(
                "seats", .int, title: "Seats", defaults: [.constant(.number(2))], range: .init(.number(1), .number(6))),
            ParameterDeclaration("size", .enumeration(sizes), title: "Size", isRequired: false),
            ParameterDeclaration("city", .entity(cities), title: "City", isRequired: false),
            ParameterDeclaration("dishes", .list(.string), title: "Dishes", isRequired: false, size: 0...3),
        ]
        reserve.summary = .text(
            LocalizedText(verbatim: "Table for {seats} at {restaurant}", translations: ["nl": "Tafel bij {restaurant}"])
        )
        return reserve
    }
}
