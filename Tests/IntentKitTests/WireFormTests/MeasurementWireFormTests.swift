import IntentKit
import Testing

@Suite("The wire form of measurements, and their arithmetic") struct MeasurementWireFormTests {
    private typealias Length = Measurement<UnitLength>

    private func length(_ value: Double, _ unit: UnitLength) -> Length { Length(value: value, unit: unit) }

    @Test func `a length`() throws {
        try WireForm<Measurement<UnitLength>>(
            written: [
                (length(5, .kilometers), #"{"value":5,"unit":"km"}"#),
                (length(-0.5, .feet), #"{"value":-0.5,"unit":"ft"}"#),
            ],
            read: [(#"{"unit":"miles","value":3,"more":1}"#, length(3, .miles)), (#""5 km""#, length(5, .kilometers))],
            said: [
                ("5km", length(5, .kilometers)), ("three miles", length(3, .miles)),
                ("2.5 Metres", length(2.5, .meters)), ("twenty-five nautical miles", length(25, .nauticalMiles)),
                ("twenty five yards", length(25, .yards)), ("a mile", length(1, .miles)),
                ("5 feet 11 inches", length(71, .inches)), ("five foot and 11 in", length(71, .inches)),
                ("1 km, 500 m", length(1500, .meters)), ("3,5 km", length(3.5, .kilometers)),
                ("0,25 km", length(0.25, .kilometers)),
            ],
            refused: [
                "5", #""5""#, #""km""#, #""5 kg""#, #""5 km 3""#, #""5 km -3 m""#, #""5 5 km""#, #""nan km""#,
                #""1e999 km""#, #"{"value":5}"#, #"{"unit":"km"}"#, #"{"value":"5","unit":"km"}"#,
                #"{"value":1e999,"unit":"km"}"#, #"{"value":1e308,"unit":"km"}"#, #"{"value":5,"unit":"parsec"}"#,
                #"{"value":5,"unit":""}"#, "\"\(String(repeating: "1 km ", count: 100))\"", "[]",
            ], shown: [(length(5, .kilometers), "5 km")]
        ).holds()
    }

    /// Checks the wire form of one value of a dimension, what people say, and what is refused.
    private func check<Unit: MeasurementUnit>(
        _ value: Double, _ unit: Unit, _ json: String, _ said: [(String, Double, Unit)], refused: [String] = []
    ) throws {
        try WireForm<Measurement<Unit>>(
            written: [(Measurement(value: value, unit: unit), json)],
            said: said.map { ($0.0, Measurement(value: $0.1, unit: $0.2)) }, refused: refused
        ).holds()
    }

    @Test func `other dimensions`() throws {
        try check(
            2, UnitMass.pounds, #"{"value":2,"unit":"lb"}"#,
            [("12 stone 3 lbs", 171, .pounds), ("two kilos", 2, .kilograms)])
        try check(
            20, UnitTemperature.celsius, #"{"value":20,"unit":"°C"}"#,
            [("-5°C", -5, .celsius), ("−5 C", -5, .celsius), ("70 degrees fahrenheit", 70, .fahrenheit)],
            refused: [#""20 degrees""#, #""20 C 3 K""#])
        #expect(Measurement(value: 20, unit: UnitTemperature.celsius).displayText == "20 °C")
        try check(90, UnitDuration.minutes, #"{"value":90,"unit":"min"}"#, [("1 hour and 30 minutes", 90, .minutes)])
        try check(
            50, UnitSpeed.kilometersPerHour, #"{"value":50,"unit":"km/h"}"#,
            [("30 miles per hour", 30, .milesPerHour), ("50 kph", 50, .kilometersPerHour)])
        try check(
            2, UnitVolume.fluidOunces, #"{"value":2,"unit":"fl oz"}"#,
            [("2 fl oz", 2, .fluidOunces), ("an imperial pint", 1, .imperialPints)])
        try check(
            200, UnitEnergy.kilocalories, #"{"value":200,"unit":"kcal"}"#, [("1 kilowatt hour", 1, .kilowattHours)])
        try check(
            80, UnitArea.squareMeters, #"{"value":80,"unit":"m²"}"#,
            [("80 square metres", 80, .squareMeters), ("80 m2", 80, .squareMeters)])
    }

    @Test func `common conversions are exact`() {
        #expect(length(3, .miles).converted(to: .feet).value == 15_840)
        #expect(length(1, .kilometers).converted(to: .meters).value == 1000)
        #expect(length(6, .feet).converted(to: .inches).value == 72)
        #expect(Measurement(value: 20, unit: UnitTemperature.celsius).converted(to: .fahrenheit).value == 68)
        #expect(Measurement(value: -40, unit: UnitTemperature.fahrenheit).converted(to: .celsius).value == -40)
        #expect(Measurement(value: 0, unit: UnitTemperature.celsius).converted(to: .kelvin).value == 273.15)
        #expect(Measurement(value: 1, unit: UnitMass.pounds).converted(to: .ounces).value == 16)
        #expect(Measurement(value: 1, unit: UnitVolume.gallons).converted(to: .cups).value == 16)
        #expect(Measurement(value: 1, unit: UnitVolume.tablespoons).converted(to: .teaspoons).value == 3)
        #expect(Measurement(value: 36, unit: UnitSpeed.kilometersPerHour).converted(to: .metersPerSecond).value == 10)
        #expect(Measurement(value: 1, unit: UnitArea.squareMiles).converted(to: .acres).value == 640)
        #expect(length(1e308, .kilometers).converted(to: .millimeters).value == .infinity)
    }

    @Test func `measurements are compared by size, not by unit`() {
        #expect(length(1, .kilometers) == length(1000, .meters) && length(1, .feet) == length(12, .inches))
        #expect(Set([length(1, .kilometers), length(1000, .meters)]).count == 1)
        #expect(length(1, .miles) > length(1, .kilometers))
    }

    @Test func `every name of a unit is unambiguous`() {
        func check<Unit: MeasurementUnit>(_ units: Unit.Type) {
            for unit in units.allCases {
                for name in [unit.symbol] + unit.definition.names {
                    #expect(Measurement<Unit>(text: "2 \(name)")?.unit == unit, "\(name)")
                }
            }
        }
        let units: [any MeasurementUnit.Type] = [
            UnitLength.self, UnitMass.self, UnitTemperature.self, UnitDuration.self, UnitSpeed.self, UnitVolume.self,
            UnitEnergy.self, UnitArea.self,
        ]
        for unit in units { check(unit) }
    }

    @Test func `authors can define their own units`() {
        #expect(Measurement<UnitTea>(text: "2 pots and 3 cups") == Measurement(value: 11, unit: .cups))
        #expect(Measurement<UnitTea>.typeDescription == "an amount of tea with its unit, such as '2 cup' or '2 pot'")
    }
}

private enum UnitTea: String, MeasurementUnit {
    case cups = "cup"
    case pots = "pot"
    static var dimension: String { "an amount of tea" }
    var definition: UnitDefinition {
        switch self {
        case .cups: UnitDefinition(names: ["cups"])
        case .pots: UnitDefinition(4, names: ["pots"])
        }
    }
}
