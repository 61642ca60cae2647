import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A value that is read from files, and read again when one of them has changed. Files that can't be used leave the value as it was.
final class FileValue<Value: Sendable>: Sendable {
    private struct State {
        var stamps: [FileStamp?]
        var value: Value
    }

    private let paths: [String]
    private let read: @Sendable () throws -> Value
    private let onProblem: @Sendable (any Error) -> Void
    private let state: Mutex<State>

    /// - Parameter onProblem: Is told once of each change after which the files can't be used.
    /// - Throws: What `read` throws the first time.
    init(_ paths: [String], onProblem: @escaping @Sendable (any Error) -> Void, read: @escaping @Sendable () throws -> Value) throws {
        self.paths = paths
        self.read = read
        self.onProblem = onProblem
        // The stamps come first: a change while the files are read is then seen the next time.
        let stamps = paths.map { FileStamp(path: $0) }
        state = Mutex(State(stamps: stamps, value: try read()))
    }

    /// The value of the files as they are now. It costs a `stat` of each, and reads them only if they have changed.
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

/// What tells one state of a file from another, also if it was replaced by a file of the same size in the same second.
struct FileStamp: Hashable {
    private let device: UInt64
    private let file: UInt64
    private let size: Int64
    private let seconds: Int
    private let nanoseconds: Int

    /// - Returns: `nil` if there is no such file. Symbolic links are followed, as those of mounted secrets.
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
