import IntentKit

/// Waters one plant of the greenhouse.
struct WaterPlant: Intent {
    static let title: LocalizedText = "Water a plant"
}
