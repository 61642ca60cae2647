import IntentKit
import PipelineTestKit
import TestTrails

/// An intent whose parameters are entities.
struct Walk: Intent {
    static let title: LocalizedText = "Walk"
    static let confirmation: ConfirmationPolicy = .always

    @Parameter(title: "Trail", requestValueDialog: "Which trail?") var trail: TrailEntity
    @Parameter(title: "Detours") var detours: [TrailEntity]?
    @Parameter(title: "Home", default: .attribute("home")) var home: TrailEntity?

    static let parameters = Parameters<Self>(\.$trail, \.$detours, \.$home)
    static var parameterSummary: some ParameterSummary { Summary("Walk \(\.$trail)") }
}

struct WalkHandler: IntentHandling {
    func handle(_ walk: Walk, context: Context) async throws -> HandleResponse {
        .success(dialog: "\(walk.trail.name), \(walk.trail.length) km", values: ["detours": walk.detours ?? []])
    }
}

/// An extension that serves ``Walk`` with these trails.
func trailhead(_ store: TrailDataManager = TrailDataManager()) -> SingleHandlerExtension<WalkHandler> {
    SingleHandlerExtension(handler: WalkHandler()) { manager in manager.add(store) }
}
