import Console
import PipelineService

@main
struct Main {
    static func main() async { await ConsoleProcess.runAsProgram() }
}
