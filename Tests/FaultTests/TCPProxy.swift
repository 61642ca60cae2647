import Foundation
import Synchronization

@testable import DevBroker

/// A proxy between the processes and the broker, on its own port, that can cut or stall their connections.
///
/// A broker reports its own address to its clients, and they would connect to it directly. Therefore, the proxy
/// replaces the port of that address in the broker's responses by its own port. The host is unchanged, so the broker
/// must be on this machine.
final class TCPProxy: @unchecked Sendable {
    enum Mode: Sendable {
        /// Bytes pass.
        case open
        /// All connections are closed, and new ones are closed at once.
        case cut
        /// Connections stay open, and no bytes pass.
        case stalled
    }

    private struct State {
        var mode = Mode.open
        var refused = 0
        var open = 0
    }

    /// The address, `host:port`, for the processes' `bootstrap.servers`.
    let address: String
    private let upstream: UInt16
    private let listener: Listener
    private let rewriting: (from: [UInt8], to: [UInt8])
    private let state = Mutex(State())
    private var pairs: [Pair] = []
    private var loop: LoopThread?

    /// - Parameter servers: The broker's address, `127.0.0.1:port` or `localhost:port`.
    /// - Returns: `nil` for a broker that is not on this machine.
    init?(to servers: String) {
        let parts = servers.split(separator: ",").first.map { $0.split(separator: ":") } ?? []
        guard parts.count == 2, ["127.0.0.1", "localhost"].contains(parts[0]), let upstream = UInt16(parts[1]) else {
            return nil
        }
        self.upstream = upstream
        do { listener = try Listener(host: "127.0.0.1", port: 0) } catch { return nil }
        address = "127.0.0.1:\(listener.port)"
        func bytes(_ port: UInt16) -> [UInt8] { Array(parts[0].utf8) + [0, 0, UInt8(port >> 8), UInt8(port & 0xFF)] }
        rewriting = (bytes(upstream), bytes(listener.port))
        loop = LoopThread("proxy") { [self] in step() }
    }

    /// The number of connections that were closed at once.
    var refused: Int { state.withLock { $0.refused } }
    /// The number of open connections.
    var open: Int { state.withLock { $0.open } }

    func set(_ mode: Mode) { state.withLock { $0.mode = mode } }

    func end() {
        loop?.end()
        pairs = []
    }

    // MARK: The loop

    /// The two connections between a process and the broker, and the bytes that have not been passed on yet. The sockets
    /// are closed when this value is released.
    private struct Pair {
        let client: Connection
        let broker: Connection
        var toBroker: [UInt8] = []
        var toClient: [UInt8] = []
        /// The last bytes from the broker, if they may be the beginning of its address.
        var held: [UInt8] = []
        var isDead = false
    }

    private func step() {
        let mode = state.withLock { $0.mode }
        if mode == .cut { pairs = [] }
        accept(mode)
        if mode == .open {
            for index in pairs.indices { move(&pairs[index]) }
            pairs.removeAll(where: \.isDead)
        }
        let count = pairs.count
        state.withLock { $0.open = count }
        wait(mode)
    }

    private func accept(_ mode: Mode) {
        while let client = listener.accept() {
            if mode == .cut {
                state.withLock { $0.refused += 1 }
            } else if let broker = connect() {
                pairs.append(Pair(client: client, broker: broker))
            }
        }
    }

    /// Connects to the broker, without waiting for its bytes from then on.
    private func connect() -> Connection? {
        #if os(Linux)
            let broker = Connection(socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0))
        #else
            let broker = Connection(socket(AF_INET, SOCK_STREAM, 0))
        #endif
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_port = upstream.bigEndian
        name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let isConnected = withUnsafePointer(to: name) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Foundation.connect(broker.socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isConnected else { return nil }
        _ = fcntl(broker.socket, F_SETFL, fcntl(broker.socket, F_GETFL) | O_NONBLOCK)
        // A child process must not inherit the socket.
        _ = fcntl(broker.socket, F_SETFD, FD_CLOEXEC)
        var on: Int32 = 1
        setsockopt(broker.socket, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
        return broker
    }

    private func move(_ pair: inout Pair) {
        var fromBroker: [UInt8] = []
        let isOpen = Self.receive(pair.client.socket, &pair.toBroker) && Self.receive(pair.broker.socket, &fromBroker)
        if !fromBroker.isEmpty {
            pair.held += fromBroker
            pair.toClient += rewrite(&pair.held)
        }
        // Bytes that were sent before an end still arrive, as they do on a network.
        if !Self.send(pair.broker.socket, &pair.toBroker) || !Self.send(pair.client.socket, &pair.toClient) || !isOpen {
            pair.isDead = true
        }
    }

    /// Returns the bytes that can be passed on, with the proxy's port in place of the broker's.
    private func rewrite(_ bytes: inout [UInt8]) -> [UInt8] {
        let (from, to) = rewriting
        // A response may end with a few bytes of the address by chance, but never between a host and its port.
        let held = (1...4).map { from.dropLast($0) }.first { bytes.suffix($0.count).elementsEqual($0) }?.count ?? 0
        let passed = Array(bytes.dropLast(held)).replacing(from, with: to)
        bytes = Array(bytes.suffix(held))
        return passed
    }

    /// Waits until a socket may be ready, at most 20 ms.
    private func wait(_ mode: Mode) {
        var polled = [pollfd(fd: listener.socket, events: Int16(POLLIN), revents: 0)]
        for pair in pairs where mode == .open {
            for (end, unsent) in [(pair.client, pair.toClient), (pair.broker, pair.toBroker)] {
                let events = Int16(POLLIN) | (unsent.isEmpty ? 0 : Int16(POLLOUT))
                polled.append(pollfd(fd: end.socket, events: events, revents: 0))
            }
        }
        poll(&polled, nfds_t(polled.count), 20)
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
        let count = systemSend(socket, bytes, bytes.count)
        if count < 0 { return errno == EAGAIN || errno == EINTR }
        bytes.removeFirst(count)
        return true
    }
}
