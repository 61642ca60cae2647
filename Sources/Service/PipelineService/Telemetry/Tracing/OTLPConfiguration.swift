/// The destination of spans and their sampling, from OpenTelemetry's environment variables.
///
/// The destination is reached without TLS, which would add minutes to a release build of every program: a collector on
/// the machine exports further.
package struct OTLPConfiguration: Sendable {
    package struct Endpoint: Sendable, Equatable {
        var host: String
        var port: Int
        var path: String
    }

    package var endpoint: Endpoint
    package var headers: [(String, String)] = []
    /// The attributes of this process.
    package var resource: [(String, String)] = []
    /// The fraction of traces beginning in this process that are recorded, from 0 to 1.
    package var ratio = 1.0
    /// `true` if the trace of a request is recorded if, and only if, its sender records it.
    package var followsSender = true
    package var timeout: Duration = .seconds(10)
    /// The maximum interval between exports.
    package var delay: Duration = .seconds(5)
    package var maximumQueue = 2_048
    package var maximumBatch = 512

    /// - Parameters:
    ///   - environment: The environment of the process.
    ///   - service: The name of the service, unless the environment has another one.
    ///   - instance: The name of this process.
    /// - Returns: `nil` if the environment names no collector, or disables tracing.
    /// - Throws: ``OTLPSettingError`` with the name of the variable.
    package init?(environment: [String: String], service: String, instance: String, version: String)
        throws(OTLPSettingError)
    {
        func value(_ name: String) -> String? { environment["OTEL_\(name)"].flatMap { $0.isEmpty ? nil : $0 } }
        if value("SDK_DISABLED")?.lowercased() == "true" || value("TRACES_EXPORTER") == "none" { return nil }
        func whole(_ name: String, _ otherwise: Int) throws(OTLPSettingError) -> Int {
            guard let text = value(name) else { return otherwise }
            guard let number = Int(text), number > 0 else {
                throw OTLPSettingError(variable: "OTEL_\(name)", problem: "is no whole number above 0")
            }
            return number
        }
        if let exact = value("EXPORTER_OTLP_TRACES_ENDPOINT") {
            endpoint = try Endpoint(exact, "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
        } else if let base = value("EXPORTER_OTLP_ENDPOINT") {
            endpoint = try Endpoint(base, "OTEL_EXPORTER_OTLP_ENDPOINT")
            endpoint.path += endpoint.path.hasSuffix("/") ? "v1/traces" : "/v1/traces"
        } else {
            return nil
        }
        for name in ["EXPORTER_OTLP_PROTOCOL", "EXPORTER_OTLP_TRACES_PROTOCOL"] {
            if let text = value(name), text != "http/json" {
                throw OTLPSettingError(
                    variable: "OTEL_\(name)",
                    problem:
                        "is '\(text)', and this process speaks http/json alone: every collector takes that on port 4318"
                )
            }
        }
        headers = try Self.pairs(value("EXPORTER_OTLP_HEADERS"), "OTEL_EXPORTER_OTLP_HEADERS")
        headers += try Self.pairs(value("EXPORTER_OTLP_TRACES_HEADERS"), "OTEL_EXPORTER_OTLP_TRACES_HEADERS")
        resource = try Self.pairs(value("RESOURCE_ATTRIBUTES"), "OTEL_RESOURCE_ATTRIBUTES")
        func add(_ name: String, _ text: String) {
            if !resource.contains(where: { $0.0 == name }) { resource.append((name, text)) }
        }
        if let name = value("SERVICE_NAME") { resource.removeAll { $0.0 == "service.name" }; add("service.name", name) }
        add("service.name", service)
        add("service.instance.id", instance)
        add("service.version", version)
        timeout = .milliseconds(try whole("EXPORTER_OTLP_TIMEOUT", 10_000))
        delay = .milliseconds(try whole("BSP_SCHEDULE_DELAY", 5_000))
        maximumQueue = try whole("BSP_MAX_QUEUE_SIZE", 2_048)
        maximumBatch = min(maximumQueue, try whole("BSP_MAX_EXPORT_BATCH_SIZE", 512))
        try sample(value("TRACES_SAMPLER") ?? "parentbased_always_on", value("TRACES_SAMPLER_ARG"))
    }

    private mutating func sample(_ name: String, _ argument: String?) throws(OTLPSettingError) {
        let parentBased = "parentbased_"
        followsSender = name.hasPrefix(parentBased)
        switch followsSender ? String(name.dropFirst(parentBased.count)) : name {
        case "always_on": ratio = 1
        case "always_off": ratio = 0
        case "traceidratio":
            guard let number = Double(argument ?? "1"), 0...1 ~= number else {
                throw OTLPSettingError(variable: "OTEL_TRACES_SAMPLER_ARG", problem: "is no number from 0 to 1")
            }
            ratio = number
        default:
            throw OTLPSettingError(
                variable: "OTEL_TRACES_SAMPLER",
                problem:
                    "is '\(name)': there is always_on, always_off, traceidratio, and each of them with parentbased_ before it"
            )
        }
    }

    /// Parses `a=b,c=d`, with values in percent encoding.
    private static func pairs(_ text: String?, _ variable: String) throws(OTLPSettingError) -> [(String, String)] {
        var pairs: [(String, String)] = []
        for pair in (text ?? "").split(separator: ",") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map { $0.trimmed }
            guard parts.count == 2, !parts[0].isEmpty, let value = parts[1].percentDecoded else {
                // The message omits the pair, which may be a password.
                throw OTLPSettingError(variable: variable, problem: "is no list of name=value, separated by commas")
            }
            pairs.append((String(parts[0]), value))
        }
        return pairs
    }
}

/// The error of an environment variable with an unusable value.
package struct OTLPSettingError: Error, CustomStringConvertible {
    var variable: String
    var problem: String
    package var description: String { "\(variable) \(problem)" }
}

extension OTLPConfiguration.Endpoint {
    init(_ url: String, _ variable: String) throws(OTLPSettingError) {
        func wrong(_ problem: String) -> OTLPSettingError { OTLPSettingError(variable: variable, problem: problem) }
        if url.hasPrefix("https://") {
            throw wrong(
                "begins with https, and this process speaks no TLS to a collector: name one on this machine or in this network, such as http://localhost:4318, and let that export further"
            )
        }
        guard url.hasPrefix("http://") else { throw wrong("is no URL such as http://localhost:4318") }
        let rest = url.dropFirst("http://".count)
        let authority = rest.prefix { $0 != "/" }
        let path = String(rest.dropFirst(authority.count))
        var host = String(authority)
        var port = 4_318
        if let colon = authority.lastIndex(of: ":"), !authority[colon...].contains("]") {
            guard let number = UInt16(authority[authority.index(after: colon)...]), number > 0 else {
                throw wrong("has no port of 1 to 65535")
            }
            (host, port) = (String(authority[..<colon]), Int(number))
        }
        if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
        guard !host.isEmpty, !host.contains("@"), !path.contains("?"), !path.contains("#"),
            url.utf8.allSatisfy({ 0x21...0x7E ~= $0 })
        else {
            throw wrong("is no URL such as http://localhost:4318, without user, query and fragment")
        }
        self.init(host: host, port: port, path: path)
    }
}

extension Substring {
    fileprivate var trimmed: Substring {
        var text = self.drop { $0 == " " || $0 == "\t" }
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return text
    }

    fileprivate var percentDecoded: String? {
        var bytes: [UInt8] = []
        var rest = utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let digits = String(rest.prefix(2)), digits.utf8.count == 2, let value = UInt8(digits, radix: 16)
            else { return nil }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
