import IntentCommands
import PipelineService

@main
struct Main {
    static func main() async { await IntentsTool.runAsProgram() }
}
