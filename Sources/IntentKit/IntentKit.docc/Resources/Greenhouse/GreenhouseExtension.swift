import IntentKit

struct GreenhouseExtension: IntentExtension {
    let intents: [any Intent.Type] = [WaterPlant.self]

    func handler(for intent: any Intent) -> (any IntentHandler)? {
        switch intent {
        case is WaterPlant: WaterPlantHandler()
        default: nil
        }
    }

    func provideDependencies(to manager: AppDependencyManager) {
        manager.add(Shelf())
    }
}
