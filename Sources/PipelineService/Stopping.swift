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

/// Ends this process when its standard input ends, so that a child process ends with its parent, whatever signal killed the parent.
package func stopProcessWithInput() {
    let thread = Thread {
        while !FileHandle.standardInput.availableData.isEmpty {}
        kill(getpid(), SIGTERM)
    }
    thread.start()
}
