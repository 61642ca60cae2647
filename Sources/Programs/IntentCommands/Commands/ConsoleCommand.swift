import ArgumentParser
import Foundation
import LocalPipeline
import PipelineService

/// The command of the console, which is a separate program: only people who want the console build its HTTP server.
struct ConsoleCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "console",
        abstract: "Serve the console: a web page and an HTTP interface to watch and control a pipeline.",
        discussion: """
            Runs the program intents-console, which has to be built: swift build --product intents-console (-c release for a release build). For its options: \
            \(PipelineProgram.tool) console --help
            """)

    @Argument(parsing: .captureForPassthrough, help: .hidden)
    var arguments: [String] = []

    func run() throws { throw replaceProcess(by: ChildProgram(.console), arguments) }
}

/// Runs another program of the package in place of this one. Returns only if that fails.
func replaceProcess(by program: ChildProgram, _ arguments: [String]) -> ExitCode {
    guard program.isBuilt else {
        complain("\(ProgramMissing(program: program))")
        return .usage
    }
    let path = program.executable.path
    var words: [UnsafeMutablePointer<CChar>?] = ([path] + program.arguments + arguments).map { strdup($0) } + [nil]
    execv(path, &words)
    complain("\(path) can't be run: \(String(cString: strerror(errno)))")
    return .failed
}
