import Foundation
import UnixSignals

/// Waits for SIGTERM or SIGINT.
package func untilInterrupted() async {
    for await _ in await UnixSignalsSequence(trapping: .sigterm, .sigint) { return }
}

/// Calls for each SIGHUP, until the task is cancelled.
package func forEachHangup(_ body: @Sendable () -> Void) async {
    for await _ in await UnixSignalsSequence(trapping: .sighup) { body() }
}

/// Asks this process to end when its standard input does: a child whose parent has died, by whatever signal, does not stay behind.
package func stopProcessWithInput() {
    let thread = Thread {
        while !FileHandle.standardInput.availableData.isEmpty {}
        kill(getpid(), SIGTERM)
    }
    thread.start()
}
