public import IntentKit

/// The options of the fleet, the cheapest first.
public struct RideOptions: DynamicOptionsProvider {
    @Dependency private var fleet: Fleet

    public init() {}
    public func results() async throws -> [RideOption] { fleet.options }
}
