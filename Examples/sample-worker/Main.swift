import SampleWorkerProgram
import WorkerService

@main
struct Main {
    static func main() async { await SampleWorker.main() }
}
