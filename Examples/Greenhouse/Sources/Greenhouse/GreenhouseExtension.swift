import IntentKit

struct GreenhouseExtension: IntentExtension {
    var shelf = Shelf()

    var handlers: [any IntentHandling] {
        WaterPlantHandler(shelf: shelf)
    }
}
