public import IntentKit

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The cars, their locations and their prices.
///
/// The fleet is read from `fleet.json` and never changes while a process runs. The same request gets the same response
/// in any process.
public struct Fleet: Sendable {
    public let options: [RideOption]
    public let cancellationFee: CurrencyAmount
    /// The latest time that rides can be booked for.
    let bookableUntil: Date
    private let tariffs: [String: Tariff]
    private let routeFactor: Double
    private let speed: Double
    private let rounding: Double
    private let reach: Double
    private let currencyCode: String
    private let cars: [String: [String: Int]]
    private let closed: [String: String]
    private let centres: [(district: String, coordinate: Coordinate)]
    private let drivers: [String]

    init(json: JSONView, city: City) throws {
        guard let tariff = json["tariff"], let currencyCode = tariff["currencyCode"]?.string,
            let factor = tariff["routeFactor"]?.double,
            let speed = tariff["kilometresPerHour"]?.double, let rounding = tariff["roundingMinorUnits"]?.double,
            let fee = tariff["cancellationFeeMinorUnits"]?.int, let reach = json["reachKilometres"]?.double,
            let until = json["bookableUntil"]?.string.flatMap({ Date(text: $0) }),
            let options = json["options"]?.elements
        else { throw ResourceError(message: "fleet.json: tariff") }
        self.currencyCode = currencyCode
        self.speed = speed
        self.rounding = rounding
        self.reach = reach
        routeFactor = factor
        bookableUntil = until
        cancellationFee = CurrencyAmount(minorUnits: fee, currencyCode: currencyCode)
        self.options = try options.map { option in
            guard let id = option["id"]?.string, let name = option["name"]?.string, let seats = option["seats"]?.int
            else {
                throw ResourceError(message: "fleet.json: \(option.json)")
            }
            let fare = try Tariff(json: option).fare(kilometres: 3, minutes: 10)
            return RideOption(
                id: id, name: name, seats: seats, synonyms: option["synonyms"]?.elements.compactMap(\.string) ?? [],
                comparison: OptionComparison(price: fare, size: Double(seats)))
        }
        tariffs = Dictionary(
            uniqueKeysWithValues: zip(self.options.map(\.id), try options.map { try Tariff(json: $0) }))
        cars = Dictionary(
            (json["districts"]?.members ?? []).map { district, cars in
                (district, Dictionary(cars.members.map { ($0.name, $0.value.int ?? 0) }, uniquingKeysWith: { $1 }))
            }, uniquingKeysWith: { $1 })
        closed = Dictionary(
            (json["closed"]?.members ?? []).map { ($0.name, $0.value.string ?? "") }, uniquingKeysWith: { $1 })
        drivers = json["drivers"]?.elements.compactMap(\.string) ?? []
        centres = city.districtCentres()
    }

    /// The options with enough seats for a party.
    public func options(for party: Int) -> [RideOption] { options.filter { $0.seats >= party } }

    /// `true` if cars serve the district.
    public func serves(_ district: String) -> Bool { cars[district] != nil }

    /// The reason why a district is closed today; `nil` if the district is open.
    public func closure(of district: String) -> String? { closed[district] }

    /// The fare of a ride, and the nearest free car in the pickup's district or else in the nearest district within
    /// reach. `nil` if no car is free.
    public func quote(_ option: RideOption, from pickup: Place, in district: String, to dropOff: Place) -> Quote? {
        guard let start = pickup.coordinate, let end = dropOff.coordinate, let tariff = tariffs[option.id] else {
            return nil
        }
        guard let car = nearestCar(option, to: start, in: district) else { return nil }
        let kilometres = start.kilometres(to: end) * routeFactor
        let exact = tariff.fare(kilometres: kilometres, minutes: kilometres / speed * 60)
        let fare = CurrencyAmount(minorUnits: Int((exact / rounding).rounded() * rounding), currencyCode: currencyCode)
        let minutes = Int((car.kilometres * routeFactor / speed * 60).rounded(.up)) + 2
        return Quote(
            fare: fare, kilometres: kilometres, minutesToPickup: minutes, carFrom: car.district,
            isFromElsewhere: car.district != district)
    }

    /// The driver of a ride. The same ride always has the same driver.
    public func driver(for key: RideIdentifier) -> String {
        drivers.isEmpty ? "A driver" : drivers[Int(key.number % UInt64(drivers.count))]
    }

    private func nearestCar(_ option: RideOption, to start: Coordinate, in district: String) -> (
        district: String, kilometres: Double
    )? {
        if cars[district]?[option.id] ?? 0 > 0 { return (district, 0.5) }
        let others = centres.filter { cars[$0.district]?[option.id] ?? 0 > 0 && closed[$0.district] == nil }
        let near = others.map { (district: $0.district, kilometres: $0.coordinate.kilometres(to: start)) }.filter {
            $0.kilometres <= reach
        }
        return near.min { $0.kilometres < $1.kilometres }
    }
}

/// The fare of a ride, its length, and the wait for its car.
public struct Quote: Sendable, Hashable {
    public let fare: CurrencyAmount
    /// The distance by road.
    public let kilometres: Double
    /// The time until the car arrives, rounded up.
    public let minutesToPickup: Int
    /// The district the car comes from.
    public let carFrom: String
    /// `true` if the car comes from another district than the pickup's.
    public let isFromElsewhere: Bool
}
