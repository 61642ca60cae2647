import IntentKit

struct WaterPlantHandler: IntentHandling {
    @Dependency var shelf: Shelf

    func handle(_ water: WaterPlant, context: Context) async throws -> IntentResponse {
        await shelf.pour(water.amount, on: water.plant, key: context.idempotencyKey)
        return .success(dialog: context.text("The \(water.plant) says thank you."))
    }
}
