import ArgumentParser
import IntentModel

/// The option for the person on whose behalf an event is written.
struct PrincipalOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Who the person is: CloudEvents' authtype and authid, such as app_user:ann. Requests then go to intents.answers as well.",
            valueName: "type:id"),
        transform: PrincipalOption.reading)
    var principal: Principal?

    static func reading(_ text: String) throws -> Principal {
        let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
        guard let kind = parts.first.flatMap(Principal.Kind.init), let id = parts.last, parts.count == 2 else {
            let kinds = Principal.Kind.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("'\(text)' is not type:id, such as app_user:ann. The types are \(kinds).")
        }
        return Principal(kind, Identifier(id))
    }
}
