import ArgumentParser
import Conversation
import IntentModel

/// What a request says, from the command line.
struct RequestOptions: ParsableArguments {
    @Option(
        name: [.customShort("p"), .customLong("parameter")], help: ArgumentHelp("A parameter. May be repeated.", valueName: "name=value"))
    var parameters: [String] = []

    @Option(
        name: [.customShort("a"), .customLong("attribute")],
        help: ArgumentHelp("What the person's side knows beside it, such as who asks. May be repeated.", valueName: "name=value"))
    var attributes: [String] = []

    @Option(help: ArgumentHelp("The person's language, such as nl or en-GB.", valueName: "tag"))
    var locale: String?

    func validate() throws {
        for argument in parameters + attributes where ParameterState(argument: argument) == nil {
            throw ValidationError("'\(argument)' is not name=value.")
        }
    }

    func request(_ id: String, _ intent: String, whenBusy: IntentRequest.WhenBusy = .queue) -> IntentRequest {
        let attributes = attributes.compactMap(ParameterState.init(argument:)).map { ($0.name, $0.value ?? .null) }
        return IntentRequest(
            id: id, intent: intent, parameters: parameters.compactMap(ParameterState.init(argument:)), whenBusy: whenBusy, locale: locale,
            attributes: Dictionary(attributes, uniquingKeysWith: { $1 }))
    }
}
