import NIOPosix

/// A question to a process of this machine: whether it is ready.
package struct HealthProbe: Sendable {
    package enum Endpoint: String, Sendable, CaseIterable {
        case live = "/livez"
        case ready = "/readyz"
        case started = "/startupz"
    }

    private var address: TelemetryServer.Address
    private let path: String

    /// - Parameter address: The address at which the process serves its telemetry. All addresses of this machine stand
    ///   for its own.
    package init(_ address: TelemetryServer.Address, _ endpoint: Endpoint) {
        self.address = address
        path = endpoint.rawValue
        switch address.host {
        case "0.0.0.0": self.address.host = "127.0.0.1"
        case "::": self.address.host = "::1"
        default: break
        }
    }

    /// Asks the process, for at most three seconds.
    ///
    /// - Returns: Whether the answer is yes, and the state of each of its loops as JSON.
    /// - Throws: An error of the connection; a description if there is no answer.
    package func ask() async throws -> (isGood: Bool, state: String) {
        let endpoint = OTLPConfiguration.Endpoint(host: address.host, port: address.port, path: path)
        let call = HTTPCall(
            endpoint: endpoint, headers: [], timeout: .seconds(3), group: MultiThreadedEventLoopGroup.singleton)
        let reply = try await call.send()
        return (reply.status == 200, String(decoding: reply.body, as: UTF8.self))
    }
}
