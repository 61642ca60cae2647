import IntentKit

struct WaterPlantHandler: IntentHandling {
    let shelf: Shelf

    func handle(_ water: WaterPlant, context: Context) async throws -> HandleResponse {
        await shelf.pour(water.amount, on: water.plant, key: context.idempotencyKey)
        return .success(dialog: "The \(water.plant) says thank you.")
    }
}
