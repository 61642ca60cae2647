import HTTPWorkerProgram
import WorkerService

@main
struct Main {
    static func main() async { await HTTPWorker.main() }
}
