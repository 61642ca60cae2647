public import IntentKit
import SampleData

/// The trails domain for a worker: `IntentRegistry([TrailExtension()])`. Its intents perform themselves, so it has no handlers.
public struct TrailExtension: IntentExtension {
    public let intents: [any Intent.Type] = [
        GetTrailInfo.self, SuggestTrails.self, StartTrailActivity.self, BookTrailGuide.self,
    ]

    public init() {}

    public func provideDependencies(to manager: AppDependencyManager) {
        manager.add(TrailDataManager())
        manager.add(TrailDiary(store: .shared()))
    }
}
