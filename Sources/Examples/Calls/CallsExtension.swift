public import IntentKit
import SampleData

/// The calls domain for a worker: `IntentRegistry([CallsExtension()])`.
public struct CallsExtension: IntentExtension {
    public let intents: [any Intent.Type] = [StartCall.self]

    public init() {}

    public func handler(for intent: any Intent) -> (any IntentHandler)? {
        switch intent {
        case is StartCall: MyCallHandler()
        default: nil
        }
    }

    public func provideDependencies(to manager: AppDependencyManager) {
        manager.add(PhoneBook.sample)
        manager.add(CallingService())
        manager.add(CallHistory(store: .shared()))
    }
}

/// The service that connects calls. In the sample it is either available or not.
public struct CallingService: Sendable {
    public let isAvailable: Bool

    public init(isAvailable: Bool = true) { self.isAvailable = isAvailable }
}
