import Logging
import PipelineService
import Synchronization
import Testing

@Suite("What is logged")
struct PrintableLogHandlerTests {
    private final class Lines: Sendable {
        let all = Mutex<[String]>([])
    }

    private struct Recorder: LogHandler {
        let lines = Lines()
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.info
        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { nil }
            set {}
        }
        func log(event: LogEvent) { lines.all.withLock { $0.append("\(event.message) \(event.metadata ?? [:])") } }
    }

    @Test("text from outside stays on its line and moves no cursor")
    func escapes() throws {
        let recorder = Recorder()
        let logger = Logger(label: "test", factory: { _ in PrintableLogHandler(recorder) })
        logger.warning(
            "dead letter of \("s\u{1B}[2J")", metadata: ["session": "a\ncritical: all is lost", "ids": ["\u{202E}"]])
        let line = try #require(recorder.lines.all.withLock { $0.first })
        #expect(
            line.contains(#"dead letter of s\u{1B}[2J"#)
                && !line.unicodeScalars.contains { $0 == "\n" || $0 == "\u{1B}" || $0 == "\u{202E}" })
    }
}
