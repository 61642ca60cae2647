public import IntentKit

/// The trails domain for a worker: `IntentRegistry([TrailExtension()])`. Its intents perform themselves.
public struct TrailExtension: IntentExtension {
    public init() {}

    public var handlers: [any IntentHandling] {
        GetTrailInfo.self
        SuggestTrails.self
        StartTrailActivity.self
        BookTrailGuide.self
    }

    public func provideDependencies(to manager: AppDependencyManager) {
        manager.add(TrailDataManager())
        manager.add(TrailDiary(store: .shared()))
    }
}
