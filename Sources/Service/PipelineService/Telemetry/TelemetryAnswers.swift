/// Computes the response to a request, without HTTP's framing.
struct TelemetryAnswers: Sendable {
    struct Answer: Sendable, Equatable {
        var status: Int
        var contentType: String
        var body: String
    }

    let registry: PrometheusRegistry
    let health: Health

    /// Returns the response to a request.
    ///
    /// - Parameters:
    ///   - path: The request's target, with its query.
    ///   - accept: The request's `Accept` header.
    func answer(to path: String, accept: String) -> Answer {
        switch path.prefix(while: { $0 != "?" }) {
        case "/metrics":
            let format = PrometheusText.Format(accept: accept)
            return Answer(status: 200, contentType: format.contentType, body: registry.text(format))
        case "/livez": return state(health.isLive)
        case "/readyz": return state(health.isReady, cause: health.cause)
        case "/startupz": return state(health.hasStarted)
        case "/":
            return Answer(
                status: 200, contentType: "text/plain; charset=utf-8", body: "/metrics\n/livez\n/readyz\n/startupz\n")
        default:
            return Answer(
                status: 404, contentType: "text/plain; charset=utf-8",
                body: "There is /metrics, /livez, /readyz and /startupz.\n")
        }
    }

    /// Lists the state of each loop in the response, so that a failed probe explains itself.
    private func state(_ isGood: Bool, cause: String? = nil) -> Answer {
        let loops = health.loops.sorted { $0.name < $1.name }.map { loop in
            let ready = loop.isMember ? ",\"ready\":\(loop.isReady)" : ""
            return "{\"name\":\"\(loop.name)\"\(ready),\"secondsSincePoll\":\(Int(loop.silence / .seconds(1)))}"
        }
        let reason = cause.map { ",\"cause\":\"\($0)\"" } ?? ""
        let body =
            "{\"status\":\"\(isGood ? "ok" : "failing")\"\(reason),\"loops\":[\(loops.joined(separator: ","))]}\n"
        return Answer(status: isGood ? 200 : 503, contentType: "application/json", body: body)
    }
}
