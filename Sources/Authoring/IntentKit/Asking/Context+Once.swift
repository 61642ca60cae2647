#if canImport(FoundationEssentials)
    private import FoundationEssentials
#else
    private import Foundation
#endif

extension Context {
    /// Runs a closure and records its result under a name, so that a later run of this phase returns the recorded
    /// result instead of running the closure again.
    ///
    /// ```swift
    /// let fare = try await context.once("fare") { try await fleet.quote(for: ride) }
    /// try await context.requestConfirmation(dialog: "\(fare). Shall I book it?")
    /// ```
    /// The result is recorded when this run asks the person something, resolves its parameters, or fails and is
    /// retried. The record takes effect when that outcome is acknowledged. If the process crashes earlier, the next run
    /// calls the closure again: at least once, not exactly once. Pass ``idempotencyKey``, with the name appended if
    /// there are several results, to every call that must not happen twice. Recorded results end with the phase:
    /// results of confirm are not available in handle. In a resolution, recorded results span all rounds until all
    /// parameters are resolved.
    ///
    /// The recorded results and answers of one phase together may have 64 KiB: record a key rather than a document.
    ///
    /// - Parameters:
    ///   - name: The name of the result; unique among the calls of a run.
    ///   - body: Computes the result. If `body` throws, nothing is recorded.
    /// - Throws: The errors of `body`; an ``IntentFailure`` if the name is used twice, if a recorded result has another
    ///   type (because another version of the code recorded the result), or if the result can't be encoded (such as a
    ///   number that JSON can't represent).
    public func once<Result: Codable & Sendable>(_ name: String, _ body: () async throws -> Result) async throws
        -> Result
    {
        try await once(name, body) { json in
            try? JSONDecoder().decode(Result.self, from: Data(json.bytes))
        } encode: { result in
            (try? JSONEncoder().encode(result)).map { JSON(unchecked: Array($0)) }
        }
    }

    /// Runs a closure and records its result, which is a value of a parameter type.
    public func once<Result: ParameterValue>(_ name: String, _ body: () async throws -> Result) async throws -> Result {
        try await once(name, body, decode: Result.decode, encode: { JSON($0) })
    }

    /// Runs a closure and records its result in the wire form of parameters, for a type that conforms to both
    /// ``ParameterValue`` and `Codable`.
    public func once<Result: ParameterValue & Codable>(_ name: String, _ body: () async throws -> Result) async throws
        -> Result
    {
        try await once(name, body, decode: Result.decode, encode: { JSON($0) })
    }

    /// Runs a closure that has no result, and records that the closure has run.
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
            scope.end(
                .failed(IntentFailure(.failure(.failure), reason: reason, message: "once(\"\(name)\"): " + message)))
        }
        let (isNew, recordedResult) = scope.withState { state in
            (state.effects.insert(name).inserted, state.recorded[name])
        }
        guard isNew else { throw fault(.unexpected, "the name is used twice in one run; each effect needs its own") }
        if let recordedResult {
            guard let result = decode(recordedResult) else {
                throw fault(.deprecated, "the result of an earlier run is not a \(Result.self)")
            }
            return result
        }
        let result = try await body()
        guard let json = encode(result) else {
            throw fault(.internal, "a result of type \(Result.self) can't be written as JSON")
        }
        scope.withState { $0.recorded[name] = json }
        return result
    }
}

extension ParameterValue {
    /// Reads a value from its wire form.
    static func decode(_ json: JSON) -> Self? {
        let view = json.view
        return view.kind == .string ? view.string.flatMap { Self(text: $0) } : Self(json: view)
    }
}
