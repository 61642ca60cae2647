import ArgumentParser
import Conversation
import Foundation
import IntentEvents
import IntentModel
import PipelineService

/// Sends requests, answers their prompts at once, and measures throughput, latency and cost.
struct Load {
    /// The contents of each request.
    struct Content: Sendable {
        var conversation: BenchConversation
        var intent: String
        var parameters: [ParameterState]
        /// Attributes of each request. They travel with the request to each worker, and into the journal.
        var attributes: [String: JSON]
    }

    let client: PersonClient
    let content: Content
    let sessions: Int
    let processes: [String: Int32]
    private let run = PersonClient.newID().prefix(8)

    init(client: PersonClient, content: Content, sessions: Int, processes: [String: Int32]) {
        self.client = client
        self.content = content
        self.sessions = sessions
        self.processes = processes
    }

    /// Sends a request whenever fewer than `window` are open. Measures only throughput.
    func closedLoop(intents: Int, window: Int) throws -> LoadFigures {
        try measure(intents) { sent, done, _ in sent - done < window }
    }

    /// Carries out one intent in each session, so that the coordinators have all sessions in memory.
    func fill(window: Int) throws -> FillFigures {
        let before = coordinatorMemory
        let figures = try closedLoop(intents: sessions, window: window)
        return FillFigures(
            sessions: sessions, duration: figures.duration, bytes: (coordinatorMemory - before) * 1_048_576)
    }

    /// The resident memory of all coordinators, in MiB.
    private var coordinatorMemory: Double {
        memory().filter { LoadFigures.role(ofProcess: $0.key) == "coordinator" }.values.reduce(0, +)
    }

    /// The session of a request. Consecutive requests are for sessions that are far apart in the coordinators' memory.
    private func session(of number: Int) -> String { "bench-\(run)-\(number * 7_919 % sessions)" }

    /// Sends requests at a fixed rate, however slow the pipeline is.
    ///
    /// A request's latency begins when the request was due, even if the load sent it later. A stall then counts for
    /// each request that it delayed, not only for the requests that were open.
    func paced(rate: Int, seconds: Int) throws -> LoadFigures {
        var figures = try measure(rate * seconds, skipping: 0.1) { sent, _, elapsed in
            Double(sent) <= elapsed * Double(rate)
        } due: {
            Duration.seconds(Double($0) / Double(rate))
        }
        figures.rate = rate
        return figures
    }

    private func measure(
        _ count: Int, skipping: Double = 0, _ maySend: (_ sent: Int, _ done: Int, _ seconds: Double) -> Bool,
        due: ((Int) -> Duration)? = nil
    ) throws -> LoadFigures {
        var figures = LoadFigures()
        let label = PersonClient.newID().prefix(8)
        var sent = 0
        let before = usage()
        var middle: [String: Double] = [:]
        let start = ContinuousClock.now
        var last = start
        var done = 0
        while done < count {
            while sent < count, maySend(sent, done, start.duration(to: .now) / .seconds(1)) {
                let number = sent
                if let due { figures.lag = max(figures.lag, start.advanced(by: due(number)).duration(to: .now)) }
                sent += 1
                var request = IntentRequest(
                    id: "\(label)-\(number)", intent: Identifier(content.intent), parameters: content.parameters)
                request.attributes = content.attributes
                try client.send(.requested(request), session: Identifier(session(of: number)), id: request.id)
            }
            let isPacing = due != nil && sent < count
            for result in try client.results(timeout: .milliseconds(isPacing ? 1 : 100)) {
                guard let request = result.request, request.text.hasPrefix(label),
                    let number = Int(request.text.dropFirst(label.count + 1))
                else {
                    continue
                }
                if result.prompt != nil {
                    figures.prompts += 1
                    var person = content.conversation.person
                    for answer in person.reply(to: result) {
                        try client.send(answer, session: result.session ?? "", partition: result.partition)
                    }
                } else if let status = result.status {
                    last = .now
                    done += 1
                    if status != .success { figures.failed += 1 }
                    if let due, number >= Int(Double(count) * skipping) {
                        figures.add(latency: start.advanced(by: due(number)).duration(to: last))
                    }
                    if done == count / 2 { middle = memory() }
                }
            }
            guard last.duration(to: .now) < .seconds(60) else {
                throw ValidationError("\(count - done) of \(count) intents did not end within 60 s.")
            }
        }
        figures.intents = count
        figures.duration = start.duration(to: last)
        let after = usage()
        figures.cpu = after.map { ($0.key, $0.value - (before[$0.key] ?? 0)) }.sorted { $0.name < $1.name }
        let end = memory()
        figures.memory = end.map { ($0.key, middle[$0.key] ?? 0, $0.value) }.sorted { $0.name < $1.name }
        return figures
    }

    /// CPU time in microseconds by process.
    private func usage() -> [String: Double] {
        processes.merging(["bench": getpid()], uniquingKeysWith: { $1 }).compactMapValues { pid in
            #if os(Linux)
                var clock = clockid_t()
                var time = timespec()
                guard clock_getcpuclockid(pid, &clock) == 0, clock_gettime(clock, &time) == 0 else { return nil }
                return Double(time.tv_sec) * 1_000_000 + Double(time.tv_nsec) / 1_000
            #else
                return nil
            #endif
        }
    }

    private func memory() -> [String: Double] {
        processes.compactMapValues { pid in
            guard let status = try? String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8),
                let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmRSS:") }),
                let kilobytes = line.split(separator: " ").compactMap({ Double($0) }).first
            else { return nil }
            return kilobytes / 1_024
        }
    }
}
