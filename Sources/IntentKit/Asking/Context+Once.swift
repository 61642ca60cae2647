#if canImport(FoundationEssentials)
    private import FoundationEssentials
#else
    private import Foundation
#endif

extension Context {
    /// Does something and notes its result under a name, so that a later run of this phase gets the result instead of doing it again.
    ///
    /// ```swift
    /// let fare = try await context.once("fare") { try await fleet.quote(for: ride) }
    /// try await context.requestConfirmation(dialog: "\(fare). Shall I book it?")
    /// ```
    /// The note is kept when this run asks the person something, and when it fails and is tried again, from the moment on at which that outcome is
    /// acknowledged. If the process dies before, the next run does it again: at least once, not exactly once. Hand on ``idempotencyKey``,
    /// with the name behind it if there are several, to whatever must not happen twice. Notes end with the phase: those of confirm don't reach
    /// handle. In a resolution they only span its retries.
    ///
    /// Notes and answers of one phase together may take 64 KiB: note a key rather than a document.
    ///
    /// - Parameters:
    ///   - name: Its name, which no other call in the same run may use.
    ///   - body: Does it. If it throws, nothing is noted.
    /// - Throws: What the body throws; an ``IntentFailure`` if the name is used twice, or a note is not of this type (it was made by another
    ///   version of the code), or can't be made (a number that JSON does not have).
    public func once<Result: Codable & Sendable>(_ name: String, _ body: () async throws -> Result) async throws -> Result {
        try await once(name, body) { json in
            try? JSONDecoder().decode(Result.self, from: Data(json.bytes))
        } encode: { result in
            (try? JSONEncoder().encode(result)).map { JSON(unchecked: Array($0)) }
        }
    }

    /// The same for what a parameter can be.
    public func once<Result: ParameterValue>(_ name: String, _ body: () async throws -> Result) async throws -> Result {
        try await once(name, body, decode: Result.decode, encode: { JSON($0) })
    }

    /// The same for what is both; in the wire form of parameters.
    public func once<Result: ParameterValue & Codable>(_ name: String, _ body: () async throws -> Result) async throws -> Result {
        try await once(name, body, decode: Result.decode, encode: { JSON($0) })
    }

    /// The same for what has no result.
    public func once(_ name: String, _ body: () async throws -> Void) async throws {
        _ = try await once(name) {
            try await body()
            return true
        }
    }

    private func once<Result>(
        _ name: String, _ body: () async throws -> Result, decode: (JSON) -> Result?, encode: (Result) -> JSON?
    ) async throws -> Result {
        func fault(_ reason: RejectionReason, _ message: String) -> any Error {
            scope.end(.failed(IntentFailure(.failure(.failure), reason: reason, message: "once(\"\(name)\"): " + message)))
        }
        let (isNew, noted) = scope.withState { state in (state.effects.insert(name).inserted, state.recorded[name]) }
        guard isNew else { throw fault(.unexpected, "the name is used twice in one run; each effect needs its own") }
        if let noted {
            guard let result = decode(noted) else { throw fault(.deprecated, "what an earlier run has noted is no \(Result.self)") }
            return result
        }
        let result = try await body()
        guard let json = encode(result) else { throw fault(.internal, "a result of type \(Result.self) can't be written as JSON") }
        scope.withState { $0.recorded[name] = json }
        return result
    }
}

extension ParameterValue {
    /// From its wire form.
    static func decode(_ json: JSON) -> Self? {
        let view = json.view
        return view.kind == .string ? view.string.flatMap { Self(text: $0) } : Self(json: view)
    }
}
