import ArgumentParser
import Conversation
import IntentEvents
import IntentModel
import PipelineService

struct DonateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "donate", abstract: "Record what a person did in an app, so that it is proposed the next time.",
        usage: "intents donate RequestRide --principal app_user:ann -p payment=cash",
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

    /// The rejection of a coordinator comes on a topic that this command does not read.
    private func check(_ donation: Donation, _ catalogue: Catalogue) throws {
        let routes = CatalogueRoutes(catalogue.entries)
        if case .unserved(let why) = routes.answer(for: donation.intent) { throw ValidationError(why.message) }
        guard let memory = routes.memory(of: donation.intent) else {
            throw ValidationError("no worker has published '\(donation.intent)': 'intents catalog list' lists what is served")
        }
        if let why = memory.refusal(of: donation) { throw ValidationError(why.message) }
    }
}
