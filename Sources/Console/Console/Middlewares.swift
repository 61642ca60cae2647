import Foundation
import HTTPTypes
import Hummingbird
import IntentModel
import Logging

/// Answers each error with a problem, without details of internal failures.
struct Problems: RouterMiddleware {
    typealias Context = ConsoleContext
    let logger: Logger
    let routes: KnownPaths

    func handle(
        _ request: Request, context: ConsoleContext,
        next: @concurrent (Request, ConsoleContext) async throws -> Response
    ) async throws -> Response {
        do {
            if let methods = routes.methods(for: request) { throw HTTPProblem.notAllowed(methods) }
            return try await next(request, context)
        } catch let problem as HTTPProblem {
            return try problem.response(from: request, context: context)
        } catch let error as any HTTPResponseError {
            let status = error.status
            let detail =
                status == .notFound
                ? "there is nothing at this path; /api/v1/openapi.json lists what there is"
                : (error as? HTTPError)?.body ?? status.reasonPhrase
            return try HTTPProblem(status, detail, status == .contentTooLarge ? .complex : .unsupported).response(
                from: request, context: context)
        } catch is CancellationError { throw CancellationError() } catch {
            logger.error("a request has failed", metadata: ["error": "\(type(of: error))", "request": "\(context.id)"])
            return try HTTPProblem(
                .internalServerError, "a fault of the console; its log has it under '\(context.id)'", .internal
            )
            .response(from: request, context: context)
        }
    }
}

/// Adds headers to every response that forbid browsers to load anything from elsewhere, to show the page in a frame, or
/// to cache it.
struct SecurityHeaders: RouterMiddleware {
    typealias Context = ConsoleContext

    func handle(
        _ request: Request, context: ConsoleContext,
        next: @concurrent (Request, ConsoleContext) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        for (name, value) in Self.fields { if response.headers[name] == nil { response.headers[name] = value } }
        return response
    }

    private static let fields: [(HTTPField.Name, String)] = [
        (
            .contentSecurityPolicy,
            "default-src 'self'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'self'"
        ),
        (.xContentTypeOptions, "nosniff"), (.cacheControl, "no-store"), (.referrerPolicy, "no-referrer"),
        (.crossOriginOpenerPolicy, "same-origin"), (.crossOriginResourcePolicy, "same-origin"),
    ]
}

extension HTTPField.Name {
    fileprivate static var referrerPolicy: Self { Self("Referrer-Policy") ?? .from }
    fileprivate static var crossOriginOpenerPolicy: Self { Self("Cross-Origin-Opener-Policy") ?? .from }
}

/// Rejects requests that another page has made a browser send: they name another host or come from another origin.
struct SameOrigin: RouterMiddleware {
    typealias Context = ConsoleContext
    /// The names of this machine that requests may use; `nil` for any name, if callers need tokens.
    let hosts: Set<String>?
    /// The host and port at which browsers reach a console behind a proxy. The proxy may send another `Host`.
    var publicAuthority: String?

    func handle(
        _ request: Request, context: ConsoleContext,
        next: @concurrent (Request, ConsoleContext) async throws -> Response
    ) async throws -> Response {
        guard Self.methods.contains(request.method) else { throw HTTPProblem.notAllowed(Self.methods.map(\.rawValue)) }
        let authority = request.head.authority ?? ""
        // The first Host header is the authority, and any other stays among the headers. A proxy might have routed by
        // another one.
        guard !request.headers.contains(where: { $0.name.canonicalName == "host" }),
            authority.isEmpty || Self.isAuthority(authority)
        else {
            throw HTTPProblem(
                .badRequest, "a request names one host, with or without a port, in one Host header", .invalid)
        }
        if let hosts, !hosts.contains(Self.host(of: authority)) {
            throw HTTPProblem(
                .init(code: 421, reasonPhrase: "Misdirected Request"),
                "this console is for \(hosts.sorted().joined(separator: ", ")) alone",
                .unauthorized)
        }
        if let origin = request.headers[.origin],
            ![authority, publicAuthority].contains(URL(string: origin)?.authority ?? "")
        {
            throw HTTPProblem(.forbidden, "the request comes from another origin", .unauthorized)
        }
        let isSaying = request.method != .get && request.method != .head
        if isSaying, let type = request.headers[.contentType],
            type.lowercased().prefix(while: { !"; \t".contains($0) }) != "application/json"
        {
            throw HTTPProblem(.unsupportedMediaType, "the body has to be application/json", .unsupported)
        }
        if isSaying, request.headers[.contentType] == nil {
            throw HTTPProblem(
                .unsupportedMediaType, "name the body's type: Content-Type: application/json", .unsupported)
        }
        return try await next(request, context)
    }

    private static let methods: [HTTPRequest.Method] = [.get, .head, .post, .delete]

    /// `true` if the text is a host, optionally with a port, and nothing else: no user, no path, no second name.
    static func isAuthority(_ text: String) -> Bool {
        func isPort(_ text: Substring) -> Bool {
            text.isEmpty
                || text.first == ":" && UInt16(text.dropFirst()) != nil
                    && text.dropFirst().utf8.allSatisfy { 0x30...0x39 ~= $0 }
        }
        if text.hasPrefix("[") {
            guard let end = text.firstIndex(of: "]") else { return false }
            let address = text[text.index(after: text.startIndex)..<end].utf8
            return !address.isEmpty
                && address.allSatisfy { isHexadecimal($0) || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".") }
                && isPort(text[text.index(after: end)...])
        }
        let name = text.prefix { $0 != ":" }
        let isName = name.utf8.allSatisfy { isLetter($0) || 0x30...0x39 ~= $0 || "-._".utf8.contains($0) }
        return !name.isEmpty && isName && isPort(text[name.endIndex...])
    }

    private static func isLetter(_ byte: UInt8) -> Bool { 0x61...0x7A ~= byte | 0x20 }

    private static func isHexadecimal(_ byte: UInt8) -> Bool { 0x30...0x39 ~= byte || 0x61...0x66 ~= byte | 0x20 }

    /// Returns the host without its port.
    static func host(of authority: String) -> String {
        if authority.hasPrefix("["), let end = authority.firstIndex(of: "]") { return String(authority[...end]) }
        return String(authority.prefix { $0 != ":" }).lowercased()
    }
}

extension URL {
    /// The host and port as a browser sends them in `Host`: in lower case, and without the scheme's default port.
    var authority: String? {
        guard let host = host()?.lowercased() else { return nil }
        let name = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
        let ownPort = scheme?.lowercased() == "https" ? 443 : 80
        return port.flatMap { $0 == ownPort ? nil : "\(name):\($0)" } ?? name
    }
}

/// Identifies the caller of each request.
struct Authentication: RouterMiddleware {
    typealias Context = ConsoleContext
    let authenticator: Authenticator

    func handle(
        _ request: Request, context: ConsoleContext,
        next: @concurrent (Request, ConsoleContext) async throws -> Response
    ) async throws -> Response {
        var context = context
        context.known = try await authenticator.caller(request.headers[.authorization])
        return try await next(request, context)
    }
}
