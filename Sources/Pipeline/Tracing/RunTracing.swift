import Conversation
import IntentEvents
import IntentModel
import RecordLog

/// The spans of requests, as a coordinator sees them: one for the whole request, and in it one for each phase and each wait for the person.
///
/// Their ids follow from the request's trace, its id and the step, so no coordinator has to remember them, and work that is sent again names the same span.
struct RunTracing {
    private let recorder: any SpanRecorder
    private let topics: Topics

    init(_ recorder: any SpanRecorder, _ topics: Topics) { (self.recorder, self.topics) = (recorder, topics) }

    /// Begins a trace with a request that came without one.
    func begin(_ event: inout SessionEvent) {
        // In place, and only if need be: an event is large.
        guard case .requested = event else { return }
        let (high, low, isSampled) = recorder.newTrace()
        // What is not recorded needs no trace: workers begin none.
        guard isSampled, case .requested(var request) = event, request.trace.flatMap({ SpanContext($0) }) == nil else {
            return
        }
        // The sender has no span: the one of the request is the first.
        request.trace = SpanContext(traceHigh: high, traceLow: low, span: 1, isSampled: isSampled).run(request.id).trace
        event = .requested(request)
    }

    /// The trace context of work: its worker's span is a part of the step's.
    func work(_ address: WorkAddress) -> TraceContext? {
        guard let trace = address.trace else { return nil }
        guard let sender = context(of: trace) else { return trace }
        // Workers do as the coordinator says.
        if !sender.isSampled { return sender.trace }
        return sender.run(address.request).step(address.step).trace
    }

    /// Whether a trace may be recorded. It looks at the flags alone, where they decide it.
    func records(_ trace: TraceContext?) -> Bool { trace.map { !recorder.followsSender || $0.isRecorded } ?? false }

    /// A step of a request is over.
    func ended(_ active: ActiveRequest, _ step: EndedStep, in session: Identifier, at now: Instant) {
        guard let run = run(active), active.times.began.milliseconds > 0 else { return }
        var attributes: [String: FinishedSpan.Value] = [
            "intents.intent": .text(active.request.intent.text), "intents.step": .number(active.step),
            "intents.outcome": .text(step.rawValue),
            "messaging.message.conversation_id": .text(session.text),
        ]
        let name: String
        if let prompt = active.prompt {
            name = "prompt \(prompt.kind.rawValue)"
            attributes["intents.prompt.kind"] = .text(prompt.kind.rawValue)
            if let parameter = prompt.parameter { attributes["intents.parameter"] = .text(parameter) }
        } else if let phase = active.phase {
            name = phase.label(inApp: active.isInApp)
            attributes["intents.attempt"] = .number(active.run.attempt)
        } else {
            name = "handoff"
        }
        recorder.record(
            FinishedSpan(
                run.step(active.step), parent: run.span, name, .internal, start: active.times.step.nanoseconds,
                end: now.nanoseconds,
                attributes: attributes, error: step == .failure || step == .timedOut ? "" : nil))
    }

    /// A request is completed.
    func completed(
        _ completion: Completion, _ active: ActiveRequest, in session: Identifier, partition: Int32, at now: Instant
    ) {
        guard let run = run(active), let sender = active.request.trace.flatMap({ context(of: $0) }),
            active.times.began.milliseconds > 0
        else { return }
        let attributes: [String: FinishedSpan.Value] = [
            "intents.intent": .text(completion.intent.text), "intents.status": .text(completion.status.rawValue),
            "intents.code": .text(completion.code.rawValue), "intents.turns": .number(completion.turns),
            "messaging.system": .text("kafka"),
            "messaging.operation.name": .text("process"), "messaging.operation.type": .text("process"),
            "messaging.destination.name": .text(topics.requests),
            "messaging.destination.partition.id": .text(String(partition)),
            "messaging.consumer.group.name": .text(Coordinator.group(topics).id),
            "messaging.message.id": .text(active.request.id.text),
            "messaging.message.conversation_id": .text(session.text),
        ]
        var span = FinishedSpan(
            run, parent: sender.span == run.span ? nil : sender.span, completion.intent.text, .consumer,
            start: active.times.began.nanoseconds,
            end: now.nanoseconds, attributes: attributes,
            error: completion.status == .failure || completion.status == .timedOut ? "" : nil)
        if sender.span != run.span { span.links = [sender] }
        recorder.record(span)
    }

    /// The span of the whole request; `nil` if it is not recorded.
    private func run(_ active: ActiveRequest) -> SpanContext? {
        guard let trace = active.request.trace, !recorder.followsSender || trace.isRecorded,
            let sender = context(of: trace),
            sender.isSampled
        else { return nil }
        return sender.run(active.request.id)
    }

    private func context(of trace: TraceContext) -> SpanContext? {
        guard var context = SpanContext(trace) else { return nil }
        context.isSampled = recorder.isRecorded(context)
        return context
    }
}

extension Instant {
    /// Since 1970.
    fileprivate var nanoseconds: UInt64 { UInt64(max(0, milliseconds)) * 1_000_000 }
}
