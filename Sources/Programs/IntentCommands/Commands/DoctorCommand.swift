import ArgumentParser
import IntentEvents
import IntentModel
import PipelineService
import RDKafkaLog

struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Check a pipeline from end to end, and say what is wrong and what to do.",
        usage: "\(PipelineProgram.tool) doctor [<options>]",
        discussion: """
            Looks at the connection, topics, rights, consumer groups, coordinators, workers, clocks, journal and dead letters as one of the roles would, \
            with the credentials that are given. Changes nothing: it joins no group and writes no record. Prints one result per line: ok, warning, failed or \
            skipped, what was found, and what to do next. Checks that the broker or the role does not allow are reported as skipped. Reads the whole \
            journal, as '\(PipelineProgram.tool) journal check' does. Processes that seem to make no progress are watched for up to 6 s. Exit codes: 0 no check failed, \
            1 a check failed, 2 wrong arguments or settings.
            """)

    @OptionGroup var kafka: KafkaOptions

    @Option(help: "Whose rights and topics to check.")
    var role: AccessRole = .operator

    @Option(
        help: ArgumentHelp("The service whose workers to check. Defaults to the default service.", valueName: "name"))
    var service: String?

    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard let service else { return }
        guard ServiceName.isName(service) else {
            throw ValidationError("--service has 1 to 64 lower-case letters, digits and hyphens.")
        }
    }

    func run() async throws {
        let configuration = try kafka.configuration()
        var doctor = Doctor(
            log: try kafka.log(), topics: kafka.topics, role: role,
            service: service == ServiceName.ofDefault ? nil : service,
            encryption: try kafka.encryption())
        doctor.properties = configuration.properties
        let isFine = await doctor.examine { print(output.isJSON ? $0.json.description : $0.text) }
        if !isFine { throw ExitCode.faulty }
    }
}
