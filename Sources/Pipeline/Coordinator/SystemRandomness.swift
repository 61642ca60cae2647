import Synchronization

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The system's cryptographically secure generator, asked for many numbers at once: a decision needs two of them, and each question is a system call.
///
/// Each number is given out once and is not kept.
final class SystemRandomness: Sendable {
    /// The most that `getentropy` gives at once is 256 bytes.
    private static let count = 32

    private let unused = Mutex<[UInt64]>([])

    func next() -> UInt64 {
        unused.withLock { unused in
            if unused.isEmpty { unused = Self.numbers() }
            return unused.removeLast()
        }
    }

    private static func numbers() -> [UInt64] {
        var numbers = [UInt64](repeating: 0, count: count)
        let code = numbers.withUnsafeMutableBytes { getentropy($0.baseAddress, $0.count) }
        // It fails where the kernel has no generator. Tickets that can be guessed must not be given out.
        precondition(code == 0, "the system has no random numbers: getentropy failed with errno \(errno)")
        return numbers
    }
}
