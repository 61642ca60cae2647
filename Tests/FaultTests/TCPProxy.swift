import Foundation
import Synchronization

/// A proxy between the processes and the broker, on its own port, that can cut or stall their connections.
///
/// A broker reports its own address to its clients, and they would connect to it directly. Therefore, the proxy
/// replaces the port of that address in the broker's responses by its own port. The host is unchanged, so the broker
/// must be on this machine.
final class TCPProxy: Sendable {
    enum Mode: Sendable {
        /// Bytes pass.
        case open
        /// All connections are closed, and new ones are closed at once.
        case cut
        /// Connections stay open, and no bytes pass.
        case stalled
    }

    struct Counters: Sendable {
        var accepted = 0
        var refused = 0
        var open = 0
    }

    private struct State {
        var mode = Mode.open
        var counters = Counters()
        var isEnding = false
    }

    /// The address, `host:port`, for the processes' `bootstrap.servers`.
    let address: String
    private let port: UInt16
    private let upstream: UInt16
    private let listener: Int32
    private let rewriting: (from: [UInt8], to: [UInt8])
    private let state = Mutex(State())
    private let ended = DispatchSemaphore(value: 0)

    /// - Parameter servers: The broker's address, `127.0.0.1:port` or `localhost:port`.
    /// - Returns: `nil` for a broker that is not on this machine.
    init?(to servers: String) {
        let parts = servers.split(separator: ",").first.map { $0.split(separator: ":") } ?? []
        guard parts.count == 2, ["127.0.0.1", "localhost"].contains(parts[0]), let upstream = UInt16(parts[1]) else {
            return nil
        }
        self.upstream = upstream
        listener = Self.makeSocket()
        var name = Self.loopback(0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = listener
        let isBound = Self.with(&name) {
            bind(listener, $0, length) == 0 && listen(listener, 128) == 0 && getsockname(listener, $0, &length) == 0
        }
        guard isBound else { return nil }
        Self.dontWait(for: listener)
        port = UInt16(bigEndian: name.sin_port)
        address = "127.0.0.1:\(port)"
        let host = Array(parts[0].utf8)
        rewriting = (host + Self.bigEndian(upstream), host + Self.bigEndian(port))
        let thread = Thread { [self] in
            run()
            ended.signal()
        }
        thread.name = "proxy"
        thread.start()
    }

    var counters: Counters { state.withLock { $0.counters } }

    func set(_ mode: Mode) { state.withLock { $0.mode = mode } }

    func end() {
        state.withLock { $0.isEnding = true }
        ended.wait()
    }

    // MARK: The loop

    /// The two sockets of a connection, and the bytes that have not been passed on yet.
    private struct Pair {
        var client: Int32
        var broker: Int32
        var toBroker: [UInt8] = []
        var toClient: [UInt8] = []
        /// The last bytes from the broker, if they may be the beginning of its address.
        var held: [UInt8] = []
        var isDead = false
    }

    private func run() {
        var pairs: [Pair] = []
        while true {
            let (mode, isEnding) = state.withLock { ($0.mode, $0.isEnding) }
            if isEnding || mode == .cut { pairs.removeAll { Self.close($0) } }
            if isEnding { break }
            accept(mode, &pairs)
            if mode == .open {
                for index in pairs.indices { move(&pairs[index]) }
                pairs.removeAll { $0.isDead && Self.close($0) }
            }
            let count = pairs.count
            state.withLock { $0.counters.open = count }
            wait(pairs, mode)
        }
        Foundation.close(listener)
    }

    private func accept(_ mode: Mode, _ pairs: inout [Pair]) {
        while true {
            let client = Foundation.accept(listener, nil, nil)
            guard client >= 0 else { return }
            if mode == .cut {
                Foundation.close(client)
                state.withLock { $0.counters.refused += 1 }
                continue
            }
            let broker = Self.makeSocket()
            var name = Self.loopback(upstream)
            let connected = Self.with(&name) { connect(broker, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0 }
            guard connected else {
                Foundation.close(client)
                Foundation.close(broker)
                continue
            }
            for end in [client, broker] {
                Self.dontWait(for: end)
                var on: Int32 = 1
                setsockopt(end, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
            }
            pairs.append(Pair(client: client, broker: broker))
            state.withLock { $0.counters.accepted += 1 }
        }
    }

    private func move(_ pair: inout Pair) {
        var fromBroker: [UInt8] = []
        let isOpen = Self.receive(pair.client, &pair.toBroker) && Self.receive(pair.broker, &fromBroker)
        if !fromBroker.isEmpty {
            pair.held += fromBroker
            pair.toClient += rewrite(&pair.held)
        }
        // Bytes that were sent before an end still arrive, as they do on a network.
        if !Self.send(pair.broker, &pair.toBroker) || !Self.send(pair.client, &pair.toClient) || !isOpen {
            pair.isDead = true
        }
    }

    /// Returns the bytes that can be passed on, with the proxy's port in place of the broker's.
    private func rewrite(_ bytes: inout [UInt8]) -> [UInt8] {
        let (from, to) = rewriting
        var passed: [UInt8] = []
        passed.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            let rest = bytes.count - index
            if bytes[index] == from[0], bytes[index..<(index + min(rest, from.count))].elementsEqual(from.prefix(rest))
            {
                if rest < from.count {
                    // A response may end with a few such bytes by chance, but never between a host and its port.
                    if rest >= from.count - 4 { break }
                    passed += bytes[index...]
                    index = bytes.count
                } else {
                    passed += to
                    index += from.count
                }
            } else {
                passed.append(bytes[index])
                index += 1
            }
        }
        bytes.removeFirst(index)
        return passed
    }

    /// Waits until a socket may be ready, at most 20 ms.
    private func wait(_ pairs: [Pair], _ mode: Mode) {
        var polled = [pollfd(fd: listener, events: Int16(POLLIN), revents: 0)]
        if mode == .open {
            for pair in pairs {
                polled.append(
                    pollfd(
                        fd: pair.client, events: Int16(POLLIN) | (pair.toClient.isEmpty ? 0 : Int16(POLLOUT)),
                        revents: 0))
                polled.append(
                    pollfd(
                        fd: pair.broker, events: Int16(POLLIN) | (pair.toBroker.isEmpty ? 0 : Int16(POLLOUT)),
                        revents: 0))
            }
        }
        poll(&polled, nfds_t(polled.count), 20)
    }

    // MARK: Sockets

    #if os(Linux)
        private static let stream = Int32(SOCK_STREAM.rawValue)
        private static let noSignal = Int32(MSG_NOSIGNAL)
    #else
        private static let stream = SOCK_STREAM
        private static let noSignal: Int32 = 0
    #endif

    private static func makeSocket() -> Int32 { socket(AF_INET, stream, 0) }

    /// Makes a socket non-blocking and not inherited by child processes.
    private static func dontWait(for socket: Int32) {
        _ = fcntl(socket, F_SETFL, fcntl(socket, F_GETFL) | O_NONBLOCK)
        _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
    }

    private static func receive(_ socket: Int32, _ bytes: inout [UInt8]) -> Bool {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while bytes.count < 4 << 20 {
            let count = recv(socket, &buffer, buffer.count, 0)
            if count == 0 { return false }
            if count < 0 { return errno == EAGAIN || errno == EINTR }
            bytes += buffer[..<count]
        }
        return true
    }

    private static func send(_ socket: Int32, _ bytes: inout [UInt8]) -> Bool {
        guard !bytes.isEmpty else { return true }
        let count = Foundation.send(socket, bytes, bytes.count, noSignal)
        if count < 0 { return errno == EAGAIN || errno == EINTR }
        bytes.removeFirst(count)
        return true
    }

    private static func close(_ pair: Pair) -> Bool {
        Foundation.close(pair.client)
        Foundation.close(pair.broker)
        return true
    }

    private static func loopback(_ port: UInt16) -> sockaddr_in {
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_port = port.bigEndian
        name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return name
    }

    private static func with<Result>(_ name: inout sockaddr_in, _ body: (UnsafeMutablePointer<sockaddr>) -> Result)
        -> Result
    {
        withUnsafeMutablePointer(to: &name) { $0.withMemoryRebound(to: sockaddr.self, capacity: 1, body) }
    }

    private static func bigEndian(_ port: UInt16) -> [UInt8] { [0, 0, UInt8(port >> 8), UInt8(port & 0xFF)] }
}
