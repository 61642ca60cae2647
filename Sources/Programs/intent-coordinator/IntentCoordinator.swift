import CoordinatorService
import PipelineService

@main
enum IntentCoordinator {
    static func main() async { await CoordinatorProcess.runAsProgram() }
}
