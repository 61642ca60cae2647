import Foundation

/// A wall clock for processes that can jump. Their monotonic clock, which counts since the machine's start, is
/// unchanged, as on a machine whose time is set.
final class FakeClock: Sendable {
    /// `true` if there is a C compiler, which ``library`` needs.
    static let isPossible: Bool = {
        #if os(Linux)
            FileManager.default.isExecutableFile(atPath: compiler)
        #else
            false
        #endif
    }()

    private static let compiler = "/usr/bin/cc"

    private let directory = FileManager.default.temporaryDirectory.appendingPathComponent(
        "intents-faults-clock-\(UUID().uuidString)")
    private var library: String { directory.appendingPathComponent("fake-clock.so").path }
    private var seconds: String { directory.appendingPathComponent("seconds").path }

    init() async throws {
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        try Data(count: 24).write(to: URL(fileURLWithPath: seconds))
        let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("fake-clock.c")
            .path
        try await Shell.run("\(Self.compiler) -shared -fPIC -O1 -o '\(library)' '\(source)' -ldl")
    }

    /// Shows the processes a time that is this many seconds ahead of the machine's time.
    func jump(to ahead: Int64) throws {
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: seconds))
        defer { try? file.close() }
        try file.write(contentsOf: withUnsafeBytes(of: ahead) { Data($0) })
    }

    /// The approximate numbers of times that the processes have read their clock while it was ahead, and while it was
    /// behind.
    var reads: (ahead: Int64, behind: Int64) {
        guard let bytes = try? Data(contentsOf: URL(fileURLWithPath: seconds)), bytes.count == 24 else { return (0, 0) }
        return bytes.withUnsafeBytes {
            ($0.load(fromByteOffset: 8, as: Int64.self), $0.load(fromByteOffset: 16, as: Int64.self))
        }
    }

    /// The variables that the processes need in their environment.
    var environment: [String: String] { ["LD_PRELOAD": library, "FAULTS_CLOCK": seconds] }

    func remove() { try? FileManager.default.removeItem(at: directory) }
}
