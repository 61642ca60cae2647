import Foundation
import PipelineService

/// A progress bar on standard error. It is shown only on a terminal.
struct ProgressBar {
    let total: Int
    private var done = 0
    private var shown = -1
    private let started = ContinuousClock.now
    private let isTerminal = isatty(STDERR_FILENO) == 1

    init(total: Int) { self.total = total }

    mutating func step(to count: Int? = nil) {
        done = count ?? done + 1
        let percent = total == 0 ? 100 : done * 100 / total
        guard isTerminal, percent != shown else { return }
        shown = percent
        let filled = percent * 30 / 100
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: 30 - filled)
        FileHandle.standardError.write(
            Data("\r\(bar) \(percent) %  \(done)/\(total)  \(rate(started.duration(to: .now)))/s ".utf8))
    }

    func finish(in duration: Duration) {
        complain(
            "\(isTerminal ? "\n" : "")\(done) sent in \(duration.formatted(.units(allowed: [.seconds], fractionalPart: .show(length: 2)))), \(rate(duration))/s"
        )
    }

    private func rate(_ duration: Duration) -> Int { Int(Double(done) / max(duration / .seconds(1), 0.001)) }
}
