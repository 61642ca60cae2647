import Foundation
import PipelineService

/// Shows the progress of a replay: one changing line on a terminal, or else a line for each tenth of the dialogues.
struct ReplayProgress {
    let total: Int
    private var shown = -1
    private let isTerminal = isatty(STDERR_FILENO) == 1

    init(total: Int) { self.total = total }

    mutating func show(_ scores: [DialogueScore]) {
        let step = isTerminal ? max(1, total / 200) : max(1, total / 10)
        guard scores.count / step != shown else { return }
        shown = scores.count / step
        let line = "\(scores.count) of \(total) dialogues, \(scores.count { $0.isPerfect }) as recorded"
        if isTerminal { FileHandle.standardError.write(Data("\r\(line) ".utf8)) } else { complain(line) }
    }

    func end() { if isTerminal { complain("") } }
}
