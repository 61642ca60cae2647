import IntentModel

// The person's side looks at the options of a prompt.
extension Transition {
    mutating func optionsRequested(_ request: OptionsRequest) {
        guard let active = session.active, let prompt = active.prompt, prompt.id == request.prompt else {
            return reject(.promptNotOpen(request.prompt))
        }
        guard prompt.kind == .choice else {
            return reject(
                Rejection(
                    .unexpected, "the prompt '\(prompt.id)' has no options: it is of kind \(prompt.kind.rawValue)",
                    field: "prompt"),
                about: active.request.id)
        }
        tell(.optionsListed(ListedOptions(of: prompt, request)), about: active.request.id)
    }
}

extension Prompt {
    /// The ids of its options, for a message: the first ones, if there are many.
    var optionList: String {
        let ids = options.prefix(10).map(\.id).joined(separator: ", ")
        return options.count > 10 ? "\(ids) and \(options.count - 10) more" : ids
    }
}

extension Rejection {
    static func promptNotOpen(_ prompt: Identifier) -> Rejection {
        Rejection(
            .unexpected, "the prompt '\(prompt)' is not open: it was answered, withdrawn or never asked",
            field: "prompt")
    }
}
