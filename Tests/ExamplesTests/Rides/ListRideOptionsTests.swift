import Foundation
import IntentKit
import IntentModel
import PipelineTestKit
import SampleDomains
import Testing

@Suite("Available rides are listed")
struct ListRideOptionsTests {
    private func list(to dropOff: String, from pickup: String = "heuston", locale: String? = nil) async throws
        -> IntentResponse
    {
        let places: KeyValuePairs<String, JSON> = [
            "pickup": JSON(try #require(City.dublin.place(pickup))),
            "dropOff": JSON(try #require(City.dublin.place(dropOff))),
        ]
        return try await rides().respond(.handle, "ListRideOptions", .resolved(places), locale: locale)
    }

    @Test("with the fare and wait of each, valid for five minutes")
    func listed() async throws {
        let response = try await list(to: "trinity")
        #expect(response.code == .success && !response.items.isEmpty)
        for item in response.items {
            #expect(
                item.value.view["fare"]?["currencyCode"]?.string == "EUR"
                    && item.value.view["minutesToPickup"]?.int ?? 0 > 0)
        }
        #expect(response.values["expirationDate"] == JSON(noon.addingTimeInterval(300)))
        #expect(
            response.values["paymentMethods"]?.view.elements.compactMap(\.string) == [
                "card", "cash", "businessAccount",
            ])
    }

    @Test("with unique names, because an answer contains only the name")
    func names() async throws {
        let items = try await list(to: "trinity").items
        #expect(Set(items.map(\.title)).count == items.count)
        for item in items {
            guard case .resolved(let all, _, _, _) = try await perform(.resolve, ["ride": .string(item.id)]),
                case .success(let ride) = all.first(where: { $0.name == "ride" })?.resolution
            else {
                Issue.record("\(item.id) is not understood")
                continue
            }
            #expect(ride.view["name"]?.string == item.title)
        }
    }

    @Test("only if a car is near")
    func near() async throws {
        #expect(try await list(to: "trinity", from: "dalkey").items.map(\.title).contains("XL") == false)
    }

    @Test("not at all for the same reasons as a ride")
    func refused() async throws {
        #expect(try await list(to: "bull-island").code == .failureRequiringAppLaunchNoServiceInArea)
    }

    @Test("in the person's language")
    func dutch() async throws {
        let response = try await list(to: "trinity", locale: "nl-NL")
        #expect(response.dialog?.hasPrefix("Er zijn ") == true)
        #expect(response.items.first?.subtitle?.hasSuffix("minuten") == true)
    }
}
