import Foundation

/// Reads the messages on standard input, one on each line.
enum MessageInput {
    /// Reads to the end of the input, on its own thread.
    ///
    /// - Parameters:
    ///   - maximumBytes: The maximum size of a line. A longer line is cut to one byte more than the maximum.
    ///   - onMessage: Called with each line.
    static func read(maximumBytes: Int, onMessage: @escaping @Sendable ([UInt8]) -> Void) async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let thread = Thread {
                readLines(maximumBytes, onMessage)
                continuation.resume()
            }
            thread.name = "input"
            thread.start()
        }
    }

    private static func readLines(_ maximumBytes: Int, _ onMessage: ([UInt8]) -> Void) {
        var line: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = Foundation.read(STDIN_FILENO, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            if count <= 0 { break }
            for part in buffer[..<count].split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
                .enumerated()
            {
                if part.offset > 0 {
                    end(&line, onMessage)
                }
                line.append(contentsOf: part.element.prefix(max(0, maximumBytes + 1 - line.count)))
            }
        }
        end(&line, onMessage)
    }

    private static func end(_ line: inout [UInt8], _ onMessage: ([UInt8]) -> Void) {
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        if !line.isEmpty { onMessage(line) }
        line.removeAll(keepingCapacity: true)
    }
}
