import HTTPWorkerProgram

@main
struct Main {
    static func main() async { await HTTPWorker.run(Array(CommandLine.arguments.dropFirst())) }
}
