import IntentModel
package import Logging
import NIOCore
import NIOPosix
import Pipeline
import ServiceLifecycle

/// Sends finished spans to a collector in batches until graceful shutdown, and then sends the remaining spans.
///
/// A collector that is away or slow costs only spans: spans that exceed the queue's limit are dropped and counted.
package struct OTLPExporter: Service {
    /// The number of attempts to send a batch.
    private static let attempts = 4
    /// The time limit of the last export when the process ends.
    private static let farewell: Duration = .seconds(3)

    private let configuration: OTLPConfiguration
    private let queue: SpanQueue
    private let version: String
    private let logger: Logger

    package init(_ configuration: OTLPConfiguration, _ queue: SpanQueue, version: String, logger: Logger) {
        (self.configuration, self.queue, self.version, self.logger) = (configuration, queue, version, logger)
    }

    package func run() async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let post = HTTPCall(
            endpoint: configuration.endpoint, headers: configuration.headers, timeout: configuration.timeout,
            group: group)
        await cancelWhenGracefulShutdown { await exportRepeatedly(post) }
        await withTaskGroup(of: Void.self) { tasks in
            tasks.addTask { await exportAll(post) }
            tasks.addTask { try? await ContinuousClock().sleep(for: Self.farewell) }
            await tasks.next()
            tasks.cancelAll()
        }
        try await group.shutdownGracefully()
    }

    private func exportRepeatedly(_ post: HTTPCall) async {
        let (wakes, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        await withTaskGroup(of: Void.self) { tasks in
            tasks.addTask {
                while !Task.isCancelled {
                    try? await ContinuousClock().sleep(for: configuration.delay)
                    wake.yield()
                }
                wake.finish()
            }
            queue.onBatch { wake.yield() }
            for await _ in wakes {
                await exportAll(post)
                queue.onBatch { wake.yield() }
            }
            tasks.cancelAll()
        }
    }

    private func exportAll(_ post: HTTPCall) async {
        while !Task.isCancelled {
            let spans = queue.removeBatch()
            if spans.isEmpty { return }
            await export(spans, post)
        }
    }

    private func export(_ spans: [FinishedSpan], _ post: HTTPCall) async {
        let body = OTLPJSON.body(spans, resource: configuration.resource, version: version)
        var problem = ""
        for attempt in 1...Self.attempts {
            var pause: Duration = .seconds(1 << (attempt - 1))
            do {
                let reply = try await post.send(body)
                if 200..<300 ~= reply.status { return logPartialSuccess(reply, of: spans.count) }
                problem = "status \(reply.status)"
                guard [429, 502, 503, 504].contains(reply.status) else { break }
                if let seconds = reply.retryAfter { pause = .seconds(min(30, max(0, seconds))) }
            } catch { problem = "\(error)" }
            guard attempt < Self.attempts, !Task.isCancelled else { break }
            do { try await ContinuousClock().sleep(for: pause) } catch { break }
        }
        queue.countDropped(spans.count)
        logger.warning(
            "spans were not taken by the collector and are dropped",
            metadata: [
                "spans": "\(spans.count)", "collector": "\(configuration.endpoint.host):\(configuration.endpoint.port)",
                "problem": "\(problem)",
            ])
    }

    /// Logs the spans that a collector has rejected from an accepted batch. The collector's number is limited to the
    /// number of sent spans.
    private func logPartialSuccess(_ reply: HTTPCall.Reply, of sent: Int) {
        guard let partial = (try? JSONView(parsing: reply.body))?["partialSuccess"],
            let rejected = partial["rejectedSpans"],
            let reported = rejected.int ?? rejected.string.flatMap({ Int($0) }), reported > 0
        else { return }
        let count = min(reported, sent)
        queue.countDropped(count)
        logger.warning(
            "the collector has rejected spans",
            metadata: ["spans": "\(count)", "problem": "\((partial["errorMessage"]?.string ?? "").prefix(256))"])
    }
}
