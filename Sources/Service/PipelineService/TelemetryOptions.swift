package import ArgumentParser
package import CoreMetrics
import Foundation
package import Logging
package import Pipeline
import RDKafkaLog
import ServiceLifecycle
package import Tracing

/// The options for the telemetry of a process.
package struct TelemetryOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Serve metrics for Prometheus (/metrics) and health (/livez, /readyz, /startupz) here. There are no credentials: everyone who can reach the \
            address can read them. Off by default. [environment: INTENTS_TELEMETRY]
            """, valueName: "host:port"))
    package var telemetry: String?

    package init() {}

    package func validate() throws { _ = try address }

    private var address: TelemetryServer.Address? {
        get throws {
            let text = telemetry ?? ProcessInfo.processInfo.environment["INTENTS_TELEMETRY"] ?? ""
            if text.isEmpty { return nil }
            guard let address = TelemetryServer.Address(text) else {
                throw ValidationError(
                    "'\(text)' is no address for --telemetry: name host:port, such as 127.0.0.1:9464, or :9464 for all of this machine's."
                )
            }
            return address
        }
    }

    /// Opens the telemetry of this process. With an address, swift-metrics is bootstrapped, and with a collector,
    /// swift-distributed-tracing, so that measurements and spans of handlers are exported too. Call this once in a
    /// process.
    ///
    /// - Parameters:
    ///   - service: The name of the program, which `OTEL_SERVICE_NAME` overrides.
    ///   - instance: The name of this process.
    /// - Throws: A `ValidationError` that names the setting and the problem.
    package func open(service: String, instance: String, logger: Logger) throws -> ProcessTelemetry {
        let health = Health()
        let tracing = try tracing(service: service, instance: instance, logger: logger)
        guard let address = try address else { return ProcessTelemetry(health: health, tracing: tracing) }
        let registry = PrometheusRegistry(described: PipelineMetric.all, logger: logger)
        let build = [
            ("version", PipelineVersion.current), ("swift", PipelineVersion.swift),
            ("librdkafka", "\(RDKafkaVersion.current)"),
        ]
        registry.addProcess(build: build, health)
        let watch = ClockWatch(health: health)
        registry.collect(
            "intents_clock_ahead_seconds", .gauge,
            "By how much this machine's clock is ahead of the broker's, and of the time that has passed since the process started."
        ) {
            let broker =
                watch.aheadOfBroker.map { [PrometheusRegistry.Sample($0 / .seconds(1), [("of", "broker")])] } ?? []
            return broker + [.init((watch.clock.jump ?? .zero) / .seconds(1), [("of", "start")])]
        }
        if let spans = tracing?.spans {
            registry.collect(
                "intents_spans_dropped_total", .counter,
                "Spans that the collector did not take, or that there was no room for."
            ) {
                [.init(Double(spans.dropped))]
            }
        }
        MetricsSystem.bootstrap(registry)
        let server = TelemetryServer(address, registry, health, logger: logger, onListening: announce(telemetry:))
        return ProcessTelemetry(health: health, watch: watch, metrics: registry, tracing: tracing, server: server)
    }

    private func tracing(service: String, instance: String, logger: Logger) throws -> ProcessTracing? {
        let configuration: OTLPConfiguration?
        do {
            configuration = try OTLPConfiguration(
                environment: ProcessInfo.processInfo.environment, service: service, instance: instance,
                version: PipelineVersion.current)
        } catch { throw ValidationError("\(error)") }
        guard let configuration else { return nil }
        let spans = SpanQueue(configuration)
        let tracer = OTLPTracer(spans)
        InstrumentationSystem.bootstrap(tracer)
        let exporter = OTLPExporter(configuration, spans, version: PipelineVersion.current, logger: logger)
        return ProcessTracing(spans: spans, tracer: tracer, exporter: exporter)
    }
}

/// The telemetry of a process.
package struct ProcessTelemetry: Sendable {
    package let health: Health
    /// The monitor of the process's clock.
    package let watch: ClockWatch
    /// The factory of the loops' metrics; `nil` if no metrics are served.
    package let metrics: (any MetricsFactory)?
    let tracing: ProcessTracing?
    let server: TelemetryServer?
    /// The tracer of the handlers' spans; `nil` without tracing.
    package let tracer: (any Tracer)?

    package init(
        health: Health, watch: ClockWatch? = nil, metrics: (any MetricsFactory)? = nil, tracer: (any Tracer)? = nil,
        tracing: ProcessTracing? = nil,
        server: TelemetryServer? = nil
    ) {
        (self.health, self.metrics, self.tracing, self.server) = (health, metrics, tracing, server)
        self.watch = watch ?? ClockWatch(health: health)
        self.tracer = tracer ?? tracing?.tracer
    }

    /// The recorder of the requests' spans; `nil` without tracing.
    package var spans: (any SpanRecorder)? { tracing?.spans }

    /// The services of the telemetry. They end last, so that they report the other services to the end.
    var services: [any Service] { (server.map { [$0] } ?? []) + (tracing.map { [$0.exporter] } ?? []) }
}

/// The tracing of a process.
package struct ProcessTracing: Sendable {
    let spans: SpanQueue
    let tracer: OTLPTracer
    let exporter: OTLPExporter
}
