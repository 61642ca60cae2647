public import IntentKit
public import IntentMacros

/// An intent with the access level that its declaration states.
@Intent public struct PlantTree {
    public static let title: LocalizedText = "Plant a tree"

    @Parameter(title: "Kind") public var kind: String
    @Parameter(title: "Trees", .inclusiveRange(1...9)) public var count: Int = 1
    @IntentKit.Parameter(title: "Note") public var note: String?

    public static var parameterSummary: some ParameterSummary { Summary("Plant \(\.$count) of \(\.$kind)") }
}

/// An intent that performs itself, and has a property that is no parameter.
@Intent public struct CountTrees: AppIntent {
    public static let title: LocalizedText = "Count the trees"
    private let unit = "trees"

    @Parameter(title: "At most") public var most: Int = 3

    public func perform() async throws -> some IntentResult & ProvidesDialog { .result(dialog: "\(most) \(unit)") }
}

/// An intent with its own order of parameters and its own initializer.
@Intent public struct MoveTree {
    public static let title: LocalizedText = "Move a tree"

    @Parameter(title: "To") public var to: String
    @Parameter(title: "From") public var from: String

    public static let parameters = Parameters<Self>(\.$from, \.$to)

    public init() { to = "the garden" }
}

/// An intent without parameters.
@Intent public struct Rest { public static let title: LocalizedText = "Rest" }

public struct GardenExtension: IntentExtension {
    public init() {}

    public var handlers: [any IntentHandling] {
        PlantTreeHandler()
        CountTrees.self
        MoveTreeHandler()
        RestHandler()
    }
}

struct PlantTreeHandler: IntentHandling {
    func handle(_ plant: PlantTree, context: Context) async throws -> HandleResponse {
        .success(dialog: "\(plant.count) × \(plant.kind)")
    }
}

struct MoveTreeHandler: IntentHandling {
    func handle(_ move: MoveTree, context: Context) async throws -> HandleResponse { .success }
}

struct RestHandler: IntentHandling {
    func handle(_ rest: Rest, context: Context) async throws -> HandleResponse { .success }
}
