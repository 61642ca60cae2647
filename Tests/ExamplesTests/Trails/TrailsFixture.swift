public import IntentKit
import IntentRuntime

@testable import SampleDomains

/// The trails domain with its own data for each test.
func registry(_ store: SampleStore = SampleStore(), _ trails: TrailDataManager = TrailDataManager()) throws
    -> IntentRegistry
{
    let dependencies = AppDependencyManager()
    dependencies.add(TrailDiary(store: store))
    dependencies.add(trails)
    return try IntentRegistry([TrailExtension()], dependencies: dependencies)
}

// Literals shorten tables of spoken values.
extension JSON: ExpressibleByStringLiteral {
    public init(stringLiteral value: String) { self = .string(value) }
}
