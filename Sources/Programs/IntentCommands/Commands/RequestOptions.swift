import ArgumentParser
import Conversation
import Foundation
import IntentModel
import PipelineService

/// The options for the content of a request.
struct RequestOptions: ParsableArguments {
    @Option(
        name: [.customShort("p"), .customLong("parameter")],
        help: ArgumentHelp("A parameter. May be repeated.", valueName: "name=value"))
    var parameters: [String] = []

    @Option(
        name: [.customShort("a"), .customLong("attribute")],
        help: ArgumentHelp("An attribute, such as the person's identity. May be repeated.", valueName: "name=value"))
    var attributes: [String] = []

    @Option(help: ArgumentHelp("The person's language, such as nl or en-GB.", valueName: "tag"))
    var locale: String?

    @Option(
        help: ArgumentHelp(
            "The person's time zone, which 'tomorrow at six' is read in. Defaults to this machine's.", valueName: "name"
        ))
    var timeZone: String?

    /// `true` if any option is given.
    var isUsed: Bool { !parameters.isEmpty || !attributes.isEmpty || locale != nil || timeZone != nil }

    func validate() throws {
        for argument in parameters + attributes where ParameterState(argument: argument) == nil {
            throw ValidationError("'\(argument)' is not name=value.")
        }
        if let timeZone, TimeZone(identifier: timeZone) == nil {
            throw ValidationError("'\(timeZone)' is no time zone; Europe/Amsterdam is one.")
        }
    }

    func request(_ id: Identifier, _ intent: Identifier, whenBusy: IntentRequest.WhenBusy = .queue) -> IntentRequest {
        let attributes = attributes.compactMap(ParameterState.init(argument:)).map { ($0.name, $0.value ?? .null) }
        var request = IntentRequest(
            id: id, intent: intent, parameters: parameters.compactMap(ParameterState.init(argument:)),
            whenBusy: whenBusy, locale: locale,
            attributes: Dictionary(attributes, uniquingKeysWith: { $1 }))
        request.clock = PersonClock(timeZone: timeZone ?? TimeZone.current.identifier, said: .now)
        return request
    }
}
