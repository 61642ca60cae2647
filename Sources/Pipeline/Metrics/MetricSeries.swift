public import Conversation
public import CoreMetrics
import IntentModel

/// A timer that can note an example of what it has measured.
public protocol TimerWithExemplars: TimerHandler {
    /// - Parameter trace: the trace in which it took so long.
    func recordNanoseconds(_ duration: Int64, trace: TraceContext)
}

/// The values of a metric's labels, in the order in which it declares them. A metric has at most three.
struct MetricLabels: Hashable {
    // Two intents whose names only look equal have two series.
    private let first: Identifier
    private let second: Identifier
    private let third: Identifier

    init(_ first: String = "", _ second: String = "", _ third: String = "") {
        (self.first, self.second, self.third) = (Identifier(first), Identifier(second), Identifier(third))
    }

    static let other = MetricLabels(PipelineMetric.other, PipelineMetric.other, PipelineMetric.other)

    func dimensions(of metric: PipelineMetric) -> [(String, String)] {
        Array(zip(metric.labels, [first.text, second.text, third.text]))
    }
}

/// The series of one metric, by whatever tells them apart quickly. One thread uses it.
struct MetricSeries<Key: Hashable, Handler> {
    private let metric: PipelineMetric
    private let make: (String, [(String, String)]) -> Handler
    private var handlers: [Key: Handler] = [:]
    /// The one used last: to compare with it is quicker than to look for it.
    private var last: (key: Key, handler: Handler)?
    private var others: [MetricLabels: Handler] = [:]

    init(_ metric: PipelineMetric, _ make: @escaping (String, [(String, String)]) -> Handler) {
        (self.metric, self.make) = (metric, make)
    }

    /// - Parameters:
    ///   - labels: of a series that is new; `nil` if it gets none of its own.
    ///   - shared: of the series that counts it then, with others.
    subscript(
        _ key: Key, labels: () -> MetricLabels?, shared shared: @autoclosure () -> MetricLabels = .other
    ) -> Handler {
        mutating get {
            if let last, last.key == key { return last.handler }
            if let known = handlers[key] {
                last = (key, known)
                return known
            }
            // Workers make up response codes. Each series takes memory here and in Prometheus.
            if handlers.count < PipelineMetric.maximumSeries, let labels = labels() {
                let handler = make(metric.name, labels.dimensions(of: metric))
                handlers[key] = handler
                return handler
            }
            var labels = shared()
            if let known = others[labels] { return known }
            if handlers.count + others.count >= PipelineMetric.maximumSeries { labels = .other }
            if let known = others[labels] { return known }
            let handler = make(metric.name, labels.dimensions(of: metric))
            others[labels] = handler
            return handler
        }
    }
}

extension MetricSeries where Key == MetricLabels {
    subscript(_ labels: MetricLabels) -> Handler { mutating get { self[labels] { labels } } }
}

/// A timer, and whether it notes examples: to ask for that each time would cost more than the rest.
struct DurationRecorder {
    private let handler: any TimerHandler
    private let noting: (any TimerWithExemplars)?

    init(_ handler: any TimerHandler) { (self.handler, noting) = (handler, handler as? any TimerWithExemplars) }

    func record(milliseconds: Int64, trace: TraceContext?) {
        let nanoseconds = milliseconds.multipliedSaturating(by: 1_000_000)
        if let trace, let noting, trace.isRecorded {
            noting.recordNanoseconds(nanoseconds, trace: trace)
        } else {
            handler.recordNanoseconds(nanoseconds)
        }
    }
}

extension MetricSeries where Handler == any CounterHandler {
    init(counts metric: PipelineMetric, _ factory: any MetricsFactory) {
        self.init(metric) { factory.makeCounter(label: $0, dimensions: $1) }
    }
}

extension MetricSeries where Handler == DurationRecorder {
    init(durations metric: PipelineMetric, _ factory: any MetricsFactory) {
        self.init(metric) { DurationRecorder(factory.makeTimer(label: $0, dimensions: $1)) }
    }
}

extension MetricSeries where Handler == any RecorderHandler {
    init(amounts metric: PipelineMetric, _ factory: any MetricsFactory) {
        self.init(metric) { factory.makeRecorder(label: $0, dimensions: $1, aggregate: true) }
    }
}

/// A phase of an intent, and how it ended.
struct StageKey: Hashable {
    var intent: Identifier
    var phase: Phase
    var isInApp: Bool
    var step: EndedStep

    func hash(into hasher: inout Hasher) {
        intent.hash(into: &hasher)
        // The others are few: equality tells them apart.
        hasher.combine(UInt8(step.index << 3 | phase.index << 1 | (isInApp ? 1 : 0)))
    }

    /// - Parameter name: the name to count it under.
    func labels(_ name: String) -> MetricLabels { MetricLabels(phase.label(inApp: isInApp), name, step.rawValue) }
}

extension Phase {
    /// Its place among all cases.
    var index: Int {
        switch self {
        case .resolve: 0
        case .confirm: 1
        case .handle: 2
        }
    }

    /// What it is called in metrics and spans: as its topic.
    func label(inApp: Bool) -> String {
        switch self {
        case .resolve: inApp ? "resolve-in-app" : "resolve"
        case .confirm: inApp ? "confirm-in-app" : "confirm"
        case .handle: inApp ? "handle-in-app" : "handle"
        }
    }
}
