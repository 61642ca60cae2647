import CoreMetrics
import HTTPTypes
import Hummingbird
import PersonGateway
import Pipeline

/// The metrics of a console. Only one loop publishes them.
struct ConsoleMetrics {
    private let readers, waiting, sessions: any MeterHandler
    private let readersCut, gaps, descriptionsLeftOut: any CounterHandler
    private var last: GatewayLoad?

    init(_ factory: any MetricsFactory) {
        func meter(_ metric: PipelineMetric, _ labels: [(String, String)] = []) -> any MeterHandler {
            factory.makeMeter(label: metric.name, dimensions: labels)
        }
        readers = meter(.readers)
        waiting = meter(.queued, [("role", "console")])
        sessions = meter(.sessionsKept)
        readersCut = factory.makeCounter(label: PipelineMetric.readersCut.name, dimensions: [])
        gaps = factory.makeCounter(label: PipelineMetric.resultGaps.name, dimensions: [])
        descriptionsLeftOut = factory.makeCounter(label: PipelineMetric.descriptionsLeftOut.name, dimensions: [])
    }

    mutating func publish(_ load: GatewayLoad) {
        readers.set(Int64(load.readers))
        waiting.set(Int64(load.waiting))
        sessions.set(Int64(load.sessions))
        // Incrementing by 0 makes the series exist before its first event.
        readersCut.increment(by: Int64(load.readersCut - (last?.readersCut ?? 0)))
        gaps.increment(by: Int64(load.gaps - (last?.gaps ?? 0)))
        descriptionsLeftOut.increment(by: Int64(load.descriptionsLeftOut - (last?.descriptionsLeftOut ?? 0)))
        last = load
    }
}

/// Measures the time until each response begins. For a stream, the time after its beginning is not included.
struct RequestMetrics: RouterMiddleware {
    typealias Context = ConsoleContext
    let factory: any MetricsFactory

    func handle(
        _ request: Request, context: ConsoleContext,
        next: @concurrent (Request, ConsoleContext) async throws -> Response
    ) async throws -> Response {
        let began = ContinuousClock.now
        let response = try await next(request, context)
        let labels = [
            ("method", request.method.rawValue), ("route", context.endpointPath ?? PipelineMetric.other),
            ("status", "\(response.status.code)"),
        ]
        let took = began.duration(to: .now).components
        factory.makeTimer(label: PipelineMetric.httpDuration.name, dimensions: labels)
            .recordNanoseconds(took.seconds * 1_000_000_000 + took.attoseconds / 1_000_000_000)
        return response
    }
}
