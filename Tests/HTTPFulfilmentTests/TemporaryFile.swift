import Foundation
import Synchronization

/// A file that is removed with its value.
final class TemporaryFile {
    let path = FileManager.default.temporaryDirectory.appending(path: "file-\(UUID().uuidString)").path

    init(_ text: String) throws { try write(text) }

    /// Replaces the file by another one of the same name, as a mounted secret is replaced.
    func write(_ text: String) throws { try Data(text.utf8).write(to: URL(filePath: path), options: .atomic) }

    func remove() { try? FileManager.default.removeItem(atPath: path) }

    deinit { remove() }
}

/// The reported problems of unusable files.
final class ProblemLog: Sendable {
    private let state = Mutex<[String]>([])

    var problems: [String] { state.withLock { $0 } }

    var add: @Sendable (any Error) -> Void {
        { problem in self.state.withLock { $0.append("\(problem)") } }
    }
}
