import IntentKit
import Testing

@Suite("The wire form of measurements, and their arithmetic")
struct MeasurementWireFormTests {
    private typealias Length = Measurement<UnitLength>

    @Test("a length")
    func length() throws {
        try WireForm<Measurement<UnitLength>>(
            written: [
                (Length(value: 5, unit: .kilometers), #"{"value":5,"unit":"km"}"#),
                (Length(value: -0.5, unit: .feet), #"{"value":-0.5,"unit":"ft"}"#),
            ],
            read: [
                (#"{"unit":"miles","value":3,"more":1}"#, Length(value: 3, unit: .miles)),
                (#""5 km""#, Length(value: 5, unit: .kilometers)),
            ],
            said: [
                ("5km", Length(value: 5, unit: .kilometers)), ("three miles", Length(value: 3, unit: .miles)),
                ("2.5 Metres", Length(value: 2.5, unit: .meters)),
                ("twenty-five nautical miles", Length(value: 25, unit: .nauticalMiles)),
                ("twenty five yards", Length(value: 25, unit: .yards)),
                ("a mile", Length(value: 1, unit: .miles)), ("5 feet 11 inches", Length(value: 71, unit: .inches)),
                ("five foot and 11 in", Length(value: 71, unit: .inches)),
                ("1 km, 500 m", Length(value: 1500, unit: .meters)),
            ],
            refused: [
                "5", #""5""#, #""km""#, #""5 kg""#, #""5 km 3""#, #""5 km -3 m""#, #""5 5 km""#, #""nan km""#,
                #""1e999 km""#,
                #"{"value":5}"#, #"{"unit":"km"}"#,
                #"{"value":"5","unit":"km"}"#, #"{"value":1e999,"unit":"km"}"#, #"{"value":1e308,"unit":"km"}"#,
                #"{"value":5,"unit":"parsec"}"#, #"{"value":5,"unit":""}"#,
                "\"\(String(repeating: "1 km ", count: 100))\"", "[]",
            ], shown: [(Length(value: 5, unit: .kilometers), "5 km")]
        ).holds()
    }

    @Test("other dimensions")
    func otherDimensions() throws {
        try WireForm<Measurement<UnitMass>>(
            written: [(Measurement(value: 2, unit: .pounds), #"{"value":2,"unit":"lb"}"#)],
            said: [
                ("12 stone 3 lbs", Measurement(value: 171, unit: .pounds)),
                ("two kilos", Measurement(value: 2, unit: .kilograms)),
            ]
        ).holds()
        try WireForm<Measurement<UnitTemperature>>(
            written: [(Measurement(value: 20, unit: .celsius), #"{"value":20,"unit":"°C"}"#)],
            said: [
                ("-5°C", Measurement(value: -5, unit: .celsius)), ("−5 C", Measurement(value: -5, unit: .celsius)),
                ("70 degrees fahrenheit", Measurement(value: 70, unit: .fahrenheit)),
            ],
            refused: [#""20 degrees""#, #""20 C 3 K""#], shown: [(Measurement(value: 20, unit: .celsius), "20 °C")]
        ).holds()
        try WireForm<Measurement<UnitDuration>>(
            written: [(Measurement(value: 90, unit: .minutes), #"{"value":90,"unit":"min"}"#)],
            said: [("1 hour and 30 minutes", Measurement(value: 90, unit: .minutes))]
        ).holds()
        try WireForm<Measurement<UnitSpeed>>(
            written: [(Measurement(value: 50, unit: .kilometersPerHour), #"{"value":50,"unit":"km/h"}"#)],
            said: [
                ("30 miles per hour", Measurement(value: 30, unit: .milesPerHour)),
                ("50 kph", Measurement(value: 50, unit: .kilometersPerHour)),
            ]
        ).holds()
        try WireForm<Measurement<UnitVolume>>(
            written: [(Measurement(value: 2, unit: .fluidOunces), #"{"value":2,"unit":"fl oz"}"#)],
            said: [
                ("2 fl oz", Measurement(value: 2, unit: .fluidOunces)),
                ("an imperial pint", Measurement(value: 1, unit: .imperialPints)),
            ]
        ).holds()
        try WireForm<Measurement<UnitEnergy>>(
            written: [(Measurement(value: 200, unit: .kilocalories), #"{"value":200,"unit":"kcal"}"#)],
            said: [("1 kilowatt hour", Measurement(value: 1, unit: .kilowattHours))]
        ).holds()
        try WireForm<Measurement<UnitArea>>(
            written: [(Measurement(value: 80, unit: .squareMeters), #"{"value":80,"unit":"m²"}"#)],
            said: [
                ("80 square metres", Measurement(value: 80, unit: .squareMeters)),
                ("80 m2", Measurement(value: 80, unit: .squareMeters)),
            ]
        ).holds()
    }

    @Test("common conversions are exact")
    func conversions() {
        #expect(Length(value: 3, unit: .miles).converted(to: .feet).value == 15_840)
        #expect(Length(value: 1, unit: .kilometers).converted(to: .meters).value == 1000)
        #expect(Length(value: 6, unit: .feet).converted(to: .inches).value == 72)
        #expect(Measurement(value: 20, unit: UnitTemperature.celsius).converted(to: .fahrenheit).value == 68)
        #expect(Measurement(value: -40, unit: UnitTemperature.fahrenheit).converted(to: .celsius).value == -40)
        #expect(Measurement(value: 0, unit: UnitTemperature.celsius).converted(to: .kelvin).value == 273.15)
        #expect(Measurement(value: 1, unit: UnitMass.pounds).converted(to: .ounces).value == 16)
        #expect(Measurement(value: 1, unit: UnitVolume.gallons).converted(to: .cups).value == 16)
        #expect(Measurement(value: 1, unit: UnitVolume.tablespoons).converted(to: .teaspoons).value == 3)
        #expect(Measurement(value: 36, unit: UnitSpeed.kilometersPerHour).converted(to: .metersPerSecond).value == 10)
        #expect(Measurement(value: 1, unit: UnitArea.squareMiles).converted(to: .acres).value == 640)
        #expect(Length(value: 1e308, unit: .kilometers).converted(to: .millimeters).value == .infinity)
    }

    @Test("measurements are compared by size, not by unit")
    func comparison() {
        #expect(Length(value: 1, unit: .kilometers) == Length(value: 1000, unit: .meters))
        #expect(Length(value: 1, unit: .feet) == Length(value: 12, unit: .inches))
        #expect(Set([Length(value: 1, unit: .kilometers), Length(value: 1000, unit: .meters)]).count == 1)
        #expect(Length(value: 1, unit: .miles) > Length(value: 1, unit: .kilometers))
    }

    @Test("every name of a unit is unambiguous")
    func unitNames() {
        func check<Unit: MeasurementUnit>(_ units: Unit.Type) {
            for unit in units.allCases {
                for name in [unit.symbol] + unit.definition.names {
                    #expect(Measurement<Unit>(text: "2 \(name)")?.unit == unit, "\(name)")
                }
            }
        }
        check(UnitLength.self)
        check(UnitMass.self)
        check(UnitTemperature.self)
        check(UnitDuration.self)
        check(UnitSpeed.self)
        check(UnitVolume.self)
        check(UnitEnergy.self)
        check(UnitArea.self)
    }

    @Test("authors can define their own units")
    func ownUnits() {
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
