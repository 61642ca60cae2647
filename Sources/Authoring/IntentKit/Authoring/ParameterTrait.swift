/// An additional property of a parameter, which App Intents does not have or which only some types can have.
///
/// ```swift
/// @Parameter(title: "PIN", .sensitivity(.secret)) var pin: String
/// @Parameter(title: "Guests", .inclusiveRange(1...8), .memory(.session)) var guests: Int = 2
/// ```
/// If a parameter has two traits of the same kind, the last trait applies.
public struct ParameterTrait<Value: ParameterValue>: Sendable {
    /// The combination of the traits of one parameter, and the limits on its values.
    package struct Traits {
        package var range: ParameterRange<Value.ListItem>?
        package var size: ParameterSize<Value>?
        package var inputOptions: ParameterInputOptions<Value.ListItem>?
        package var sensitivity: ParameterSensitivity = .private
        package var memory: ParameterMemory = .none
        package var noneWords: [String] = []

        package init(
            _ traits: [ParameterTrait<Value>] = [], size: ParameterSize<Value>? = nil,
            inputOptions: ParameterInputOptions<Value.ListItem>? = nil
        ) {
            self.size = size
            self.inputOptions = inputOptions
            for trait in traits { trait.apply(&self) }
        }
    }

    private let apply: @Sendable (inout Traits) -> Void

    /// Defines who may see the value.
    public static func sensitivity(_ sensitivity: ParameterSensitivity) -> Self {
        Self { $0.sensitivity = sensitivity }
    }

    /// Defines the scope in which the value is remembered.
    public static func memory(_ memory: ParameterMemory) -> Self { Self { $0.memory = memory } }

    /// Defines the words with which a person says that they want no particular value, such as "no preference"; case is
    /// ignored. An optional parameter is then `notRequired`, whatever its default. For a required parameter the words
    /// have no special meaning.
    public static func noneWords(_ words: [String]) -> Self { Self { $0.noneWords = words } }
}

extension ParameterTrait where Value.ListItem: Comparable {
    /// Limits the values to a range: App Intents' `inclusiveRange`. Values outside the range are `unsupported`, with
    /// the reason `belowMinimum` or `aboveMaximum`. For a list, the range applies to each value.
    public static func inclusiveRange(_ range: ClosedRange<Value.ListItem>) -> Self {
        let range = ParameterRange(range)
        return Self { $0.range = range }
    }
}
