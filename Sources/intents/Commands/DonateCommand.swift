import ArgumentParser
import Conversation
import IntentEvents
import IntentModel
import PipelineService

struct DonateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "donate", abstract: "Tell what a person has done in an app, so that it is proposed the next time.",
        usage: "intents donate SendPayment --principal app_user:ann -p payee=Bob",
        discussion: """
            Of the parameters, those are remembered that the intent declares as remembered for the person. 'intents memory list' shows them.
            """)

    @OptionGroup var kafka: KafkaOptions

    @OptionGroup var person: PersonArgument

    @Argument(help: "The intent's name.", completion: .custom(IntentNames.completion))
    var intent: String

    @Option(
        name: [.customShort("p"), .customLong("parameter")], help: ArgumentHelp("A parameter. May be repeated.", valueName: "name=value"))
    var parameters: [String] = []

    @Option(name: .shortAndLong, help: "The session of the event. Defaults to a new one.")
    var session: String?

    @Option(
        help: ArgumentHelp("When the person did it, such as 2026-03-01T12:00:00Z. Defaults to now.", valueName: "time"),
        transform: DonateCommand.time)
    var time: Instant?

    private static func time(_ text: String) throws -> Instant {
        guard let time = Instant(rfc3339: text) else { throw ValidationError("'\(text)' is no time such as 2026-03-01T12:00:00Z.") }
        return time
    }

    func validate() throws {
        for argument in parameters where ParameterState(argument: argument) == nil {
            throw ValidationError("'\(argument)' is not name=value.")
        }
    }

    func run() async throws {
        let donation = Donation(intent: intent, parameters: parameters.compactMap(ParameterState.init(argument:)), time: time)
        try check(donation, try await CatalogueReader(kafka).read(timeout: .seconds(10)))
        let client = try PersonClient(kafka, principal: person.person)
        defer { client.close() }
        let session = session ?? "cli-\(PersonClient.newID().prefix(8))"
        let id = PersonClient.newID()
        try client.send(.donated(donation), session: session, id: id)
        try client.flush()
        print(JSON.object(["session": .string(session), "event": .string(id)]))
    }

    /// A coordinator would reject it, and no one waits for that here.
    private func check(_ donation: Donation, _ catalogue: Catalogue) throws {
        let entries = catalogue.entries
        guard let memory = entries.first(where: { $0.intent == donation.intent })?.memory else {
            let near = NearNames.of(donation.intent, in: entries.map(\.intent))
            throw ValidationError(
                "No worker serves '\(donation.intent)'. "
                    + (near.isEmpty ? "'intents catalog list' lists what is served." : "Did you mean \(near.joined(separator: ", "))?"))
        }
        if let unknown = donation.parameters.first(where: { !memory.parameters.contains($0.name) })?.name {
            let near = NearNames.of(unknown, in: memory.parameters)
            throw ValidationError(
                "'\(donation.intent)' has no parameter '\(unknown)'. "
                    + (near.isEmpty
                        ? "'intents catalog show \(donation.intent)' lists them." : "Did you mean \(near.joined(separator: ", "))?"))
        }
        guard donation.parameters.contains(where: { memory.personKeys[$0.name] != nil }) else {
            let names = memory.personKeys.keys.sorted()
            let what = names.isEmpty ? "nothing" : "only \(names.joined(separator: ", "))"
            throw ValidationError("'\(donation.intent)' remembers \(what) about a person.")
        }
    }
}
