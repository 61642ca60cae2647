import ArgumentParser
import PipelineService

struct PlayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "play", abstract: "x")
    @OptionGroup var kafka: KafkaOptions
    func run() async throws {}
}
struct BenchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "bench", abstract: "x")
    @OptionGroup var kafka: KafkaOptions
    func run() async throws {}
}
