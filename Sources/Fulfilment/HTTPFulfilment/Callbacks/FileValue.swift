import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A value that is read from files, and read again when one of the files has changed. If the changed files can't be
/// used, the previous value stays in use.
final class FileValue<Value: Sendable>: Sendable {
    private struct State {
        var stamps: [FileStamp?]
        var value: Value
    }

    private let paths: [String]
    private let read: @Sendable () throws -> Value
    private let onProblem: @Sendable (any Error) -> Void
    private let state: Mutex<State>

    /// - Parameter onProblem: Called once for each change after which the files can't be used.
    /// - Throws: Any error of the first `read`.
    init(
        _ paths: [String], onProblem: @escaping @Sendable (any Error) -> Void,
        read: @escaping @Sendable () throws -> Value
    ) throws {
        self.paths = paths
        self.read = read
        self.onProblem = onProblem
        // The stamps are taken first, so that a change while the files are read is noticed the next time.
        let stamps = paths.map { FileStamp(path: $0) }
        state = Mutex(State(stamps: stamps, value: try read()))
    }

    /// The value of the present files. Each access calls `stat` for each file, and reads the files only if one has
    /// changed.
    var current: Value {
        state.withLock { state in
            let stamps = paths.map { FileStamp(path: $0) }
            if stamps == state.stamps { return state.value }
            state.stamps = stamps
            do { state.value = try read() } catch { onProblem(error) }
            return state.value
        }
    }
}

/// Identifies a version of a file, also if the file was replaced by one of the same size in the same second.
struct FileStamp: Hashable {
    private let device: UInt64
    private let file: UInt64
    private let size: Int64
    private let seconds: Int
    private let nanoseconds: Int

    /// - Returns: `nil` if there is no such file. Symbolic links are followed, as for mounted secrets.
    init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        device = UInt64(truncatingIfNeeded: status.st_dev)
        file = UInt64(truncatingIfNeeded: status.st_ino)
        size = Int64(status.st_size)
        #if canImport(Darwin)
            let time = status.st_mtimespec
        #else
            let time = status.st_mtim
        #endif
        seconds = time.tv_sec
        nanoseconds = time.tv_nsec
    }
}
