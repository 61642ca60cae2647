import Foundation
import UnixSignals

/// Waits for SIGTERM or SIGINT.
package func untilInterrupted() async {
    for await _ in await UnixSignalsSequence(trapping: .sigterm, .sigint) { return }
}

/// The terminal that this process was started in, if any.
package struct Terminal: Sendable {
    private let descriptors: [Int32]
    /// `true` if this process was started to go on without its terminal, as `nohup` does.
    package let isOptional: Bool

    /// - Parameter descriptors: The files of this process that may be the terminal.
    package init(_ descriptors: [Int32] = [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]) {
        self.descriptors = descriptors.filter { isatty($0) == 1 }
        let earlier = signal(SIGHUP, SIG_IGN)
        isOptional = unsafeBitCast(earlier, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
        if !isOptional { signal(SIGHUP, earlier) }
    }

    /// `true` if a terminal was there and is no longer.
    package var isClosed: Bool { descriptors.contains { isatty($0) == 0 } }
}

/// Ends this process when its standard input ends, so that a child process ends with its parent, whatever signal killed
/// the parent.
package func stopProcessWithInput() {
    let thread = Thread {
        waitForEnd(of: STDIN_FILENO)
        kill(getpid(), SIGTERM)
    }
    thread.start()
}

/// Reads to the end of a descriptor. `FileHandle.availableData` would trap if a signal interrupted it.
func waitForEnd(of descriptor: Int32) {
    var bytes = [UInt8](repeating: 0, count: 256)
    while true {
        let count = read(descriptor, &bytes, bytes.count)
        if count == 0 || (count < 0 && errno != EINTR) { return }
    }
}
