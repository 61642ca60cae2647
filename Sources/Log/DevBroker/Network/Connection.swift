#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A client's connection. Its requests are served one after the other, and answered in that order, as Kafka does.
final class Connection {
    /// Larger requests end the connection, as `socket.request.max.bytes` of Kafka does.
    private static let maximumRequest = 100 * 1024 * 1024

    let socket: Int32
    private(set) var isClosed = false
    /// Whether a request waits for something other than bytes. Until it is answered, no further one is served.
    var isWaiting = false
    /// Whether it has something to send that the socket did not take. Until it has, no further request is served.
    private(set) var isCongested = false
    private var received: UnsafeMutableRawPointer
    private var capacity = 64 * 1024
    private var start = 0
    private var end = 0
    private var response = ResponseBuffer()
    /// Responses that are held back for the round-trip time: where each begins among the unsent bytes, and when its request was answered.
    private var held: [(start: Int, since: ContinuousClock.Instant)] = []

    init(_ socket: Int32) {
        self.socket = socket
        received = .allocate(byteCount: capacity, alignment: 16)
    }

    deinit {
        received.deallocate()
        if !isClosed { _ = systemClose(socket) }
    }

    func close() {
        if isClosed { return }
        isClosed = true
        _ = systemClose(socket)
    }

    // MARK: Receiving

    /// Reads what has arrived, and closes the connection at its end.
    func receive() {
        // More than a request, while an earlier one waits.
        guard end - start <= Self.maximumRequest else { return close() }
        if end == capacity { makeRoom(capacity * 2) }
        let count = recv(socket, received + end, capacity - end, 0)
        if count > 0 { return end += count }
        if count < 0, errno == EAGAIN || errno == EINTR { return }
        close()
    }

    private var isServed: Bool { !isWaiting && !isCongested && !isClosed }

    /// Whether a whole request has arrived that can be served.
    var hasRequest: Bool {
        guard isServed, end - start >= 4 else { return false }
        return end - start - 4 >= Int(Int32(bigEndian: received.loadUnaligned(fromByteOffset: start, as: Int32.self)))
    }

    /// The next whole request, without its size. It is valid until the next call.
    func nextRequest() -> UnsafeRawBufferPointer? {
        guard isServed else { return nil }
        guard end - start >= 4 else {
            compact()
            return nil
        }
        let size = Int(Int32(bigEndian: received.loadUnaligned(fromByteOffset: start, as: Int32.self)))
        guard size >= 8, size <= Self.maximumRequest else {
            close()
            return nil
        }
        guard end - start >= size + 4 else {
            if capacity < size + 4 { makeRoom(size + 4) } else { compact() }
            return nil
        }
        defer { start += size + 4 }
        return UnsafeRawBufferPointer(start: received + start + 4, count: size)
    }

    private func compact() {
        if start == 0 { return }
        received.copyMemory(from: received + start, byteCount: end - start)
        (start, end) = (0, end - start)
    }

    private func makeRoom(_ count: Int) {
        compact()
        guard count > capacity else { return }
        capacity = max(count, capacity * 2)
        let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
        larger.copyMemory(from: received, byteCount: end)
        received.deallocate()
        received = larger
    }

    // MARK: Sending

    /// Adds a response to what is to be sent.
    ///
    /// - Parameter delayedFrom: When the request came, if the response has to wait for the round-trip time.
    func respond(_ correlation: Int32, delayedFrom instant: ContinuousClock.Instant?, _ body: (inout ResponseBuffer) -> Void) {
        if isClosed { return }
        if let instant { held.append((response.count, instant)) }
        response.writeSized { response in
            response.write(correlation)
            body(&response)
        }
    }

    /// Sends what may be sent.
    ///
    /// - Returns: When the next response may be sent that has to wait.
    func flush(at now: ContinuousClock.Instant, roundTrip: Duration) -> ContinuousClock.Instant? {
        while let first = held.first, first.since + roundTrip <= now { held.removeFirst() }
        let limit = held.first?.start ?? response.count
        if limit > 0, !isClosed { send(limit) }
        return isClosed ? nil : held.first.map { $0.since + roundTrip }
    }

    private func send(_ count: Int) {
        let sent = response.withUnsent { systemSend(socket, $0.baseAddress, count) }
        if sent < 0 {
            isCongested = errno == EAGAIN || errno == EINTR
            if !isCongested { close() }
            return
        }
        isCongested = sent < count
        response.drop(sent)
        for index in held.indices { held[index].start -= sent }
    }
}
