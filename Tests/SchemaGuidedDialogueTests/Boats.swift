@testable import sgd_replay

/// An invented service for these tests, which finds boats and hires them out.
enum Boats {
    static let service = ServiceSchema(
        name: "Boats", description: "Boats to hire",
        slots: [
            slot("boat", "The name of the boat"), slot("harbour", "Where it lies"), slot("day", "When it sails"),
            slot("hull", "What it is made of", values: ["wood", "steel"]),
            slot("crew", "How many sail it", values: ["1", "2", "3"]),
            slot("wish", "Whatever else is wished"),
        ],
        intents: [
            ServiceSchema.Intent(
                name: "FindBoat", description: "Look for a boat", isTransactional: false, required: ["harbour"],
                optional: ["hull": "wood"]),
            ServiceSchema.Intent(
                name: "HireBoat", description: "Hire a boat", isTransactional: true,
                required: ["boat", "harbour", "day"],
                optional: ["crew": "2", "wish": "dontcare"]),
        ])

    static let services = Services([service])

    static let gull = ["boat": "Gull", "harbour": "Veere", "hull": "wood"]
    static let tern = ["boat": "Tern", "harbour": "Veere", "hull": "steel"]
    /// The values of a person who wants the Gull.
    static let hiring = ["boat": "Gull", "harbour": "Veere", "day": "Monday"]

    private static func slot(_ name: String, _ description: String, values: [String] = []) -> ServiceSchema.Slot {
        ServiceSchema.Slot(name: name, description: description, isCategorical: !values.isEmpty, possibleValues: values)
    }
}

extension Dialogue {
    /// A dialogue with the boats service.
    init(_ turns: Turn...) { self.init(id: "sailing", services: ["Boats"], turns: turns) }
}

extension Dialogue.Turn {
    /// A turn of the person.
    ///
    /// - Parameter meaning: The values that the person has given so far.
    static func user(_ actions: Dialogue.Action..., intent: String = "NONE", meaning: [String: String] = [:]) -> Self {
        Self(
            speaker: .user,
            frames: [Dialogue.Frame(service: "Boats", actions: actions, activeIntent: intent, slotValues: meaning)])
    }

    /// A turn of the assistant.
    ///
    /// - Parameters:
    ///   - call: The assistant's call to the service in this turn.
    ///   - results: The service's results.
    static func system(_ actions: Dialogue.Action..., call: ServiceCall? = nil, results: [[String: String]]? = nil)
        -> Self
    {
        Self(
            speaker: .system, frames: [Dialogue.Frame(service: "Boats", actions: actions, call: call, results: results)]
        )
    }
}

extension Dialogue.Action {
    static func act(_ act: String, _ slot: String? = nil, _ values: String...) -> Self {
        Self(act: act, slot: slot, values: slot == nil ? nil : values)
    }
}

extension ServiceCall {
    static func find(_ parameters: [String: String]) -> Self { Self(method: "FindBoat", parameters: parameters) }
    static func hire(_ parameters: [String: String]) -> Self { Self(method: "HireBoat", parameters: parameters) }
}
