import Foundation
import IntentModel
import IntentRuntime
import Testing

@testable import HTTPFulfilment

@Suite("The sample service in Python", .enabled(if: Python.with(["http.server"]) != nil, "there is no python3"))
struct SampleServiceTests {
    /// Starts the service, and calls `body` with a fulfilment that uses it.
    private func serving(secret: String = "s3cret", _ body: (HTTPIntentFulfilment) async throws -> Void) async throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3", Python.root.appending(path: "deploy/samples/table_service.py").path, "0"]
        process.environment = ProcessInfo.processInfo.environment.merging(["TABLES_SECRET": "s3cret"]) { $1 }
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        defer {
            // SIGKILL, because the thread that started it may have blocked the other signals.
            kill(process.processIdentifier, SIGKILL)
        }
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        let url = try #require(line.split(whereSeparator: \.isWhitespace).last)
        try await HTTPFulfilmentClient.withClient { client in
            var configuration = HTTPFulfilmentConfiguration(url: String(url))
            configuration.phases = [.confirm, .handle]
            configuration.secret = secret
            configuration.timeout = .seconds(60)
            try await body(HTTPIntentFulfilment(configuration, client: client))
        }
    }

    private func table(_ phase: Phase, _ time: String?, people: Int = 8, request: String = "r1") -> FulfilmentCall {
        var parameters: [String: JSON] = ["people": .number(people)]
        parameters["time"] = time.map { .string($0) }
        let context = InvocationContext(session: "me", request: request, idempotencyKey: "me/\(request)")
        return FulfilmentCall(phase: phase, intent: "BookTable", parameters: parameters, context: context)
    }

    @Test("resolves, confirms, proposes another time, and books once")
    func books() async throws {
        try await serving { tables in
            let soon = try await tables.resolve("time", of: table(.resolve, "soon"))
            guard case .unsupported(reason: "closed", _) = soon else { Issue.record("\(soon)"); return }
            let resolved = try await tables.resolve("time", of: table(.resolve, " 19:30"))
            #expect(resolved == .success(.string("19:30")))

            let proposal = try await tables.confirm(table(.confirm, "19:40"))
            #expect(proposal.code == .ready && proposal.proposed == ["time": .string("19:30")])
            let ready = try await tables.confirm(table(.confirm, "19:30"))
            #expect(ready.proposed.isEmpty && ready.dialog == "A table for 8 at 19:30, 40 EUR deposit. Shall I book it?")

            let booked = try await tables.handle(table(.handle, "19:30"))
            let again = try await tables.handle(table(.handle, "19:30"))
            #expect(booked.code == .success && booked == again)
            let late = try await tables.handle(table(.handle, "19:30", request: "r2"))
            #expect(late.code == "failureFull")
            let next = try await tables.confirm(table(.confirm, "19:30"))
            #expect(next.proposed == ["time": .string("19:00")])
        }
    }

    @Test("refuses requests that are signed with another secret")
    func signed() async throws {
        try await serving(secret: "another") { tables in
            let failure = try await failure { try await tables.handle(table(.handle, "19:30")) }
            #expect(failure?.reason == .unauthorized)
        }
    }
}
