import Console
import CoordinatorService
import HTTPWorkerProgram
import PipelineService
import SampleWorkerProgram
import WorkerService

@main
struct Main {
    static func main() async {
        let (program, arguments) = PipelineProgram.selectPart()
        switch program {
        case .tool: await AllPrograms.runAsProgram(arguments)
        case .coordinator: await CoordinatorProcess.runAsProgram(arguments)
        case .httpWorker: await HTTPWorker.run(arguments)
        case .console: await ConsoleProcess.runAsProgram(arguments)
        case .sampleWorker: await WorkerCommand<SampleWorker>.runAsProgram(arguments)
        }
    }
}
