import IntentKit

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The type of a declared parameter: a built-in type, or a type that is itself declared.
public indirect enum DeclaredType: Sendable, Hashable {
    case bool, int, double, decimal, string, duration, date, calendarDate, timeOfDay, url
    case person, place, file, currencyAmount, paymentMethod, dateRange, recurrence
    case measurement(Dimension)
    /// One of the declared cases. In JSON, the identifier of the case.
    case enumeration(EnumerationDeclaration)
    /// One of the declared entities. In JSON, `{"id":"AMS","title":"Amsterdam"}` with the entity's properties.
    case entity(EntityCatalogue)
    /// Several values, in order. A list of lists is not possible.
    case list(DeclaredType)
    /// Different values, without an order.
    case set(DeclaredType)

    /// The quantity that a ``Measurement`` measures.
    public enum Dimension: String, Sendable, Hashable, CaseIterable {
        case length, mass, temperature, duration, speed, volume, energy, area
    }

    /// The types that need no further declaration, by their names in definition files.
    public static let named: KeyValuePairs<String, DeclaredType> = [
        "bool": .bool, "int": .int, "double": .double, "decimal": .decimal, "string": .string, "duration": .duration,
        "date": .date,
        "calendarDate": .calendarDate, "timeOfDay": .timeOfDay, "url": .url, "person": .person, "place": .place,
        "file": .file,
        "currencyAmount": .currencyAmount,
        "paymentMethod": .paymentMethod, "dateRange": .dateRange, "recurrence": .recurrence,
    ]

    public var isList: Bool {
        switch self {
        case .list, .set: true
        default: false
        }
    }

    /// The type of a list's values; the type itself if it is not a list.
    public var item: DeclaredType {
        switch self {
        case .list(let item), .set(let item): item
        default: self
        }
    }

    /// The Swift type of the values.
    var valueType: any ParameterValue.Type {
        func list<Item: ParameterValue>(of type: Item.Type) -> any ParameterValue.Type { [Item].self }
        func set<Item: ParameterValue>(of type: Item.Type) -> any ParameterValue.Type { Set<Item>.self }
        return switch self {
        case .bool: Bool.self
        case .int: Int.self
        case .double: Double.self
        case .decimal: Decimal.self
        case .string: String.self
        case .duration: Duration.self
        case .date: Date.self
        case .calendarDate: CalendarDate.self
        case .timeOfDay: TimeOfDay.self
        case .url: URL.self
        case .person: Person.self
        case .place: Place.self
        case .file: IntentFile.self
        case .currencyAmount: CurrencyAmount.self
        case .paymentMethod: PaymentMethod.self
        case .dateRange: DateRange.self
        case .recurrence: RecurrenceRule.self
        case .measurement(.length): Measurement<UnitLength>.self
        case .measurement(.mass): Measurement<UnitMass>.self
        case .measurement(.temperature): Measurement<UnitTemperature>.self
        case .measurement(.duration): Measurement<UnitDuration>.self
        case .measurement(.speed): Measurement<UnitSpeed>.self
        case .measurement(.volume): Measurement<UnitVolume>.self
        case .measurement(.energy): Measurement<UnitEnergy>.self
        case .measurement(.area): Measurement<UnitArea>.self
        case .enumeration: DeclaredCase.self
        case .entity: DeclaredEntity.self
        case .list(let item): list(of: item.valueType)
        case .set(let item): set(of: item.valueType)
        }
    }
}
