import IntentKit

struct WaterPlantHandler: IntentHandling {
    let shelf: Shelf

    var resolution: some Resolution<WaterPlant> {
        Resolve(\.$plant) { name, _ in
            guard let name else { return .needsValue() }
            let found = shelf.plants(named: name).map(\.name)
            return switch found.count {
            case 0: .unsupported(reason: "notHere", dialog: "Nothing called \(name) grows here.")
            case 1: .success(found[0])
            default: .disambiguation(found, dialog: "Which of them?")
            }
        }
        Resolve(\.$amount, after: \.$plant) { amount, water in
            guard let amount, let name = water.$plant.value else { return .needsValue() }
            if let plant = shelf.plants(named: name).first, amount > plant.most {
                return .unsupported(reason: "tooMuch", dialog: "The \(name) drowns in more than \(plant.most).")
            }
            return .success(amount)
        }
    }

    func handle(_ water: WaterPlant, context: Context) async throws -> HandleResponse {
        await shelf.pour(water.amount, on: water.plant, key: context.idempotencyKey)
        return .success(dialog: "The \(water.plant) says thank you.")
    }
}
