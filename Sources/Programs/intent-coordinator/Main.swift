import CoordinatorService
import PipelineService

@main
struct Main {
    static func main() async { await CoordinatorProcess.runAsProgram() }
}
