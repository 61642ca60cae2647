public import IntentKit
import SampleData

/// The rides domain for a worker: `IntentRegistry([RideExtension()])`.
public struct RideExtension: IntentExtension {
    public let intents: [any Intent.Type] = [
        RequestRide.self, ListRideOptions.self, GetRideStatus.self, CancelRide.self, SendRideFeedback.self,
    ]

    public init() {}

    public func handler(for intent: any Intent) -> (any IntentHandler)? {
        switch intent {
        case is RequestRide: RequestRideHandler()
        case is ListRideOptions: ListRideOptionsHandler()
        case is GetRideStatus: GetRideStatusHandler()
        case is CancelRide: CancelRideHandler()
        case is SendRideFeedback: SendRideFeedbackHandler()
        default: nil
        }
    }

    public func application(handlerFor intent: any Intent) -> (any IntentHandler)? {
        intent is RequestRide ? ScheduledRideHandler() : handler(for: intent)
    }

    public func provideDependencies(to manager: AppDependencyManager) {
        manager.add(City.dublin)
        manager.add(Fleet.dublin)
        manager.add(RideBook(store: .shared()))
        manager.add(RideClock())
    }

    /// Dutch, in `localizations.json`.
    public var localizations: [LocalizedTable] { [.rides] }
}
