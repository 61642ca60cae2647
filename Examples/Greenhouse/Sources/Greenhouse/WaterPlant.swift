import IntentKit

/// Waters one plant of the greenhouse.
struct WaterPlant: Intent {
    static let title: LocalizedText = "Water a plant"
    static let confirmation: ConfirmationPolicy = .always

    @Parameter(title: "Plant", requestValueDialog: "Which plant is thirsty?")
    var plant: String

    @Parameter(title: "Amount", requestValueDialog: "How much water?")
    var amount: Measurement<UnitVolume> = Measurement(value: 200, unit: .milliliters)

    static let parameters = Parameters<Self>(\.$plant, \.$amount)
    static var parameterSummary: some ParameterSummary { Summary("Give the \(\.$plant) \(\.$amount) of water") }
}
