/// A further property of a parameter, for what App Intents does not have and for what only some types can have.
///
/// ```swift
/// @Parameter(title: "PIN", .sensitivity(.secret)) var pin: String
/// @Parameter(title: "Guests", .inclusiveRange(1...8), .memory(.session)) var guests: Int = 2
/// ```
/// Of two traits of the same kind the last one applies.
public struct ParameterTrait<Value: ParameterValue>: Sendable {
    /// What the traits of one parameter come to.
    struct Traits {
        var range: ParameterRange<Value.ListItem>?
        var sensitivity: ParameterSensitivity = .private
        var memory: ParameterMemory = .none
        var noneWords: [String] = []

        init(_ traits: [ParameterTrait<Value>]) {
            for trait in traits { trait.apply(&self) }
        }
    }

    private let apply: @Sendable (inout Traits) -> Void

    /// Who may see the value.
    public static func sensitivity(_ sensitivity: ParameterSensitivity) -> Self { Self { $0.sensitivity = sensitivity } }

    /// The scope in which the value is remembered.
    public static func memory(_ memory: ParameterMemory) -> Self { Self { $0.memory = memory } }

    /// What a person says who wants none in particular, such as "no preference"; case is ignored. An optional parameter is then `notRequired`, whatever
    /// its default is; for a required parameter they are words like any other.
    public static func noneWords(_ words: [String]) -> Self { Self { $0.noneWords = words } }
}

extension ParameterTrait where Value.ListItem: Comparable {
    /// App Intents' `inclusiveRange`: values outside of it are `unsupported`, with the reason `belowMinimum` or `aboveMaximum`. For a list, the range of
    /// each value.
    public static func inclusiveRange(_ range: ClosedRange<Value.ListItem>) -> Self {
        let range = ParameterRange(range)
        return Self { $0.range = range }
    }
}
