import ArgumentParser
import Foundation
import IntentModel
import PipelineService

struct HealthCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "health", abstract: "Ask a process of this machine whether it is ready.",
        usage: "\(PipelineProgram.tool) health [<options>]",
        discussion: """
            For the health check of a container: it asks the process at the address of --telemetry as an orchestrator would, and prints its answer, \
            which has the state of each loop. Exit codes: 0 yes, 1 no or no answer within 3 s, 2 wrong arguments, or no address.
            """)

    @Option(
        help: ArgumentHelp(
            "Where the process serves its telemetry. [environment: INTENTS_TELEMETRY]", valueName: "host:port"))
    var telemetry: String?

    @Flag(help: "Ask whether the process is alive (/livez).")
    var live = false

    @Flag(help: "Ask whether the process has been ready once (/startupz).")
    var started = false

    func validate() throws {
        if live, started { throw ValidationError("--live excludes --started.") }
        _ = try address
    }

    private var address: TelemetryServer.Address {
        get throws {
            let text = telemetry ?? ProcessInfo.processInfo.environment["INTENTS_TELEMETRY"] ?? ""
            guard let address = TelemetryServer.Address(text), address.port > 0 else {
                throw ValidationError(
                    "'\(text.printable)' is no address of a process: name the host:port of its --telemetry, or set INTENTS_TELEMETRY."
                )
            }
            return address
        }
    }

    func run() async throws {
        let endpoint: HealthProbe.Endpoint = live ? .live : started ? .started : .ready
        let address = try address
        do {
            let (isGood, state) = try await HealthProbe(address, endpoint).ask()
            print(state, terminator: "")
            if !isGood { throw ExitCode.faulty }
        } catch let error where !(error is ExitCode) {
            complain("no process answers at \(address): \(error)")
            throw ExitCode.faulty
        }
    }
}
