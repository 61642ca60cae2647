import ArgumentParser
import Console
import CoordinatorService
import HTTPWorkerProgram
import IntentCommands
import SampleWorkerProgram
import WorkerService

/// The tool, which also lists the other programs as commands.
struct AllPrograms: AsyncParsableCommand {
    static let configuration: CommandConfiguration = {
        let programs: [any ParsableCommand.Type] = [
            CoordinatorProcess.self, WorkerCommand<HTTPWorker>.self, ConsoleProcess.self,
            WorkerCommand<SampleWorker>.self,
        ]
        let names = Set(programs.map { $0.configuration.commandName })
        var configuration = IntentsTool.configuration
        // A program takes the place of the tool's command that looks for it.
        configuration.subcommands = configuration.subcommands.filter {
            !names.contains($0.configuration.commandName)
        }
        configuration.groupedSubcommands = [CommandGroup(name: "Program", subcommands: programs)]
        return configuration
    }()
}
