import ArgumentParser
import Conversation
import Foundation
import IntentEvents
import IntentKit
import IntentRuntime
import RecordLog

/// Measures each step from the bytes of a work record to a Swift intent.
struct BindingBench {
    /// Microseconds per event: the medians over the batches.
    struct Figure {
        var part: String
        var median: Double
        var p99: Double

        var text: String {
            part.padding(toLength: 20, withPad: " ", startingAt: 0)
                + String(format: "p50 %7.2f   p99 %7.2f", median, p99)
        }
        var json: JSON { .object(["part": .string(part), "p50_us": .number(median), "p99_us": .number(p99)]) }
    }

    private let registry: IntentRegistry
    private let record: ConsumedRecord
    private let value: Bytes
    private let invocation: IntentInvocation

    /// The length of the record's value in bytes.
    var bytes: Int { value.count }

    /// - Throws: A `ValidationError` if the record does not bind to the expected values.
    init() throws {
        registry = try IntentRegistry([BenchRideExtension()], dependencies: AppDependencyManager())
        record = Self.makeRecord()
        value = record.value ?? []
        invocation = try Self.invocation(record)
        guard let ride = try registry.bind(invocation.parameters, of: invocation.intent) as? BenchRide,
            ride.pickup?.name == "Heuston Station",
            ride.$dropOff.value?.name == "Dublin Airport", ride.$partySize.value == 3, ride.$ride.value == .comfort,
            ride.$time.value != nil, ride.tip == CurrencyAmount(minorUnits: 250, currencyCode: "EUR")
        else { throw ValidationError("the record does not bind to \(BenchRide.name)") }
    }

    func measure(events: Int, batches: Int) async throws -> [Figure] {
        var times: [(part: String, medians: [Double], p99s: [Double])] = []
        for batch in 0...batches {
            let parts = [
                ("JSON", try time(events) { try JSONView(parsing: value).kind == .object }),
                ("event", try time(events) { try WorkEvent(record).work.item?.parameters.count == 6 }),
                ("binding", try time(events) { try bind(invocation.parameters, invocation.intent) }),
                ("event and binding", try time(events) { try WorkEvent(record).work.item.map(bind) ?? false }),
                ("resolve round", try await resolveRounds(events)),
            ]
            // The first batch warms up and is not counted.
            if batch == 0 {
                times = parts.map { ($0.0, [], []) }
                continue
            }
            for (index, part) in parts.enumerated() {
                times[index].medians.append(part.1[part.1.count / 2])
                times[index].p99s.append(part.1[part.1.count * 99 / 100])
            }
        }
        return times.map { Figure(part: $0.part, median: Self.median($0.medians), p99: Self.median($0.p99s)) }
    }

    private func bind(_ item: WorkItem) throws -> Bool { try bind(item.parameters, item.intent.text) }

    private func bind(_ parameters: [ParameterState], _ intent: String) throws -> Bool {
        try registry.bind(parameters, of: intent) is BenchRide
    }

    /// - Returns: The time of each call in microseconds, sorted.
    private func time(_ count: Int, _ body: () throws -> Bool) throws -> [Double] {
        var times: [Double] = []
        times.reserveCapacity(count)
        for _ in 0..<count {
            let start = ContinuousClock.now
            let isRight = try body()
            times.append(start.duration(to: .now) / .microseconds(1))
            if !isRight { throw ValidationError("a measured step has returned a wrong result") }
        }
        return times.sorted()
    }

    private func resolveRounds(_ count: Int) async throws -> [Double] {
        var times: [Double] = []
        times.reserveCapacity(count)
        for _ in 0..<count {
            let start = ContinuousClock.now
            let outcome = await registry.perform(invocation)
            times.append(start.duration(to: .now) / .microseconds(1))
            guard case .resolved(let parameters, _, _, _) = outcome, parameters.count == 6 else {
                throw ValidationError("the resolve round ended as \(outcome)")
            }
        }
        return times.sorted()
    }

    private static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

    /// Makes the invocation from the record as a worker does.
    private static func invocation(_ record: ConsumedRecord) throws -> IntentInvocation {
        let event = try WorkEvent(record)
        guard let item = event.work.item else { throw ValidationError("the record is no work item") }
        return IntentInvocation(
            phase: item.phase, intent: item.intent.text, parameters: item.parameters,
            context: InvocationContext(
                session: event.session, request: item.request, attempt: item.attempt,
                deadline: item.deadline?.milliseconds,
                idempotencyKey: item.idempotencyKey, locale: item.locale, attributes: item.attributes))
    }

    /// The intent's parameters. Some values are a person's words, others are structured.
    static var parameters: [ParameterState] {
        let values: [(String, JSON)] = [
            (
                "pickup",
                .object([
                    "name": .string("Heuston Station"), "locality": .string("Dublin"), "latitude": .number(53.3464),
                    "longitude": .number(-6.2923), "identifier": .string("place-17"),
                ])
            ),
            ("dropOff", .string("Dublin Airport")), ("partySize", .number(3)), ("ride", .string("Comfort")),
            ("time", .string("2026-01-06T18:30:00Z")),
            ("tip", .object(["amount": .string("2.50"), "currencyCode": .string("EUR")])),
        ]
        return values.map { ParameterState(name: $0.0, value: $0.1) }
    }

    /// Makes the record as a coordinator writes it.
    private static func makeRecord() -> ConsumedRecord {
        let start = Instant(milliseconds: 1_767_690_000_000)
        var item = WorkItem(
            WorkAddress(request: "0198c1f2-6f1e-7c3a", step: 1, intent: Identifier(BenchRide.name), phase: .resolve))
        item.parameters = parameters
        item.attempt = 1
        item.deadline = start.advanced(by: .seconds(60))
        item.idempotencyKey = "session-1/0198c1f2-6f1e-7c3a"
        item.locale = "en-IE"
        var encoder = EventEncoder(source: "/bench")
        let record = encoder.record(.item(item), session: "session-1", topics: Topics(), partition: 0, at: start)
        return ConsumedRecord(
            topic: record.topic, partition: 0, offset: 0, timestamp: start.milliseconds, key: record.key,
            value: record.value,
            headers: record.headers)
    }
}
