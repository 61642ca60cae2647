package import ArgumentParser
import PipelineService

/// The tool of operators and newcomers.
package struct IntentsTool: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: PipelineProgram.tool.commandName,
        abstract: "Request intents, answer their prompts, watch their results, and run a pipeline for development.",
        discussion: """
            Data goes to standard output, everything else to standard error. Exit codes: 0 success, 2 wrong arguments or settings, 3 a prompt \
            has to be answered first, 4 failure, 5 timeout.
            """,
        version: PipelineVersion.text,
        subcommands: [
            DevCommand.self, SendCommand.self, ReplyCommand.self, CancelCommand.self, WatchCommand.self,
            ChatCommand.self, PlayCommand.self,
            ConsoleCommand.self, SessionCommand.self, JournalCommand.self, DeadLettersCommand.self,
            HandoffCommand.self,
            UpdatesCommand.self, UndoCommand.self, MemoryCommand.self, CatalogCommand.self, DefinitionsCommand.self,
            TryCommand.self,
            TopicsCommand.self, ACLCommand.self, ContractCommand.self, DoctorCommand.self, HealthCommand.self,
            MCPCommand.self,
            BrokerCommand.self,
        ])

    package init() {}
}
