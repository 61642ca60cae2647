import Foundation
import Synchronization

/// The lines that a person types at the terminal. A thread of its own reads them, so that results are shown while the
/// person thinks.
final class TerminalInput: Sendable {
    enum Line: Sendable, Equatable {
        case text(String)
        /// The input has ended.
        case end
    }

    private struct State {
        var lines: [String] = []
        var isReading = false
        var hasEnded = false
    }

    private let state = Mutex(State())

    /// The number of lines that are read before someone takes them.
    private static let maximumLines = 1_000
    /// The maximum length of a line, in bytes. The rest of a longer one is another line.
    private static let maximumLength = 65_536

    /// Begins to read standard input. Further calls do nothing. A process has one such input.
    func start() {
        let isFirst = state.withLock { state in
            defer { state.isReading = true }
            return !state.isReading
        }
        guard isFirst else { return }
        let thread = Thread { [self] in readLines() }
        thread.name = "input"
        thread.start()
    }

    /// Drops what the person has typed at a terminal for a question that is gone, also an unfinished line. Piped lines
    /// stay.
    func dropTyped() {
        guard isatty(STDIN_FILENO) == 1 else { return }
        tcflush(STDIN_FILENO, TCIFLUSH)
        state.withLock { $0.lines = [] }
    }

    /// Reads to the end of the input. Not with `readLine`, which keeps standard input locked: to flush all output would
    /// wait for the person.
    private func readLines() {
        var line: [UInt8] = []
        var bytes = [UInt8](repeating: 0, count: 4_096)
        while case let count = read(STDIN_FILENO, &bytes, bytes.count), count > 0 || count < 0 && errno == EINTR {
            for byte in bytes.prefix(max(0, count)) {
                if byte != UInt8(ascii: "\n") { line.append(byte) }
                if byte == UInt8(ascii: "\n") || line.count == Self.maximumLength {
                    add(line)
                    line = []
                }
            }
        }
        if !line.isEmpty { add(line) }
        state.withLock { $0.hasEnded = true }
    }

    private func add(_ line: [UInt8]) {
        while state.withLock({ $0.lines.count }) >= Self.maximumLines { Thread.sleep(forTimeInterval: 0.01) }
        let text = String(decoding: line, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        state.withLock { $0.lines.append(text) }
    }

    /// Removes and returns the next line; `nil` if the person has not typed one yet.
    func removeNext() -> Line? {
        state.withLock { state in
            if !state.lines.isEmpty { return .text(state.lines.removeFirst()) }
            return state.hasEnded ? .end : nil
        }
    }
}
