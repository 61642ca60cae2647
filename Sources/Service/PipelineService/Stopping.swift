import Foundation
import UnixSignals

/// Waits for SIGTERM or SIGINT.
package func untilInterrupted() async {
    for await _ in await UnixSignalsSequence(trapping: .sigterm, .sigint) { return }
}

/// Calls `body` for each SIGHUP until the task is cancelled.
package func forEachHangup(_ body: @Sendable () -> Void) async {
    for await _ in await UnixSignalsSequence(trapping: .sighup) { body() }
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
