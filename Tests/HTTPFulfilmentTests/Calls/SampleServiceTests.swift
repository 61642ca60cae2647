import AsyncHTTPClient
import Foundation
import IntentModel
import IntentRuntime
import NIOCore
import NIOHTTP1
import Testing

@testable import HTTPFulfilment

@Suite("The sample service in Python", .enabled(if: Python.with(["http.server"]) != nil, "there is no python3"))
struct SampleServiceTests {
    /// Starts the service, and calls `body` with a fulfilment that uses it.
    private func serving(secret: String = "s3cret", _ body: (HTTPIntentFulfilment) async throws -> Void) async throws {
        try await running { url in
            try await HTTPFulfilmentClient.withClient { client in
                var configuration = HTTPFulfilmentConfiguration(url: url)
                configuration.phases = [.confirm, .handle]
                configuration.secret = secret
                configuration.timeout = .seconds(60)
                try await body(HTTPIntentFulfilment(configuration, client: client))
            }
        }
    }

    /// Starts the service, and calls `body` with its URL.
    private func running(_ body: (_ url: String) async throws -> Void) async throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3", Python.root.appending(path: "deploy/samples/table_service.py").path, "0"]
        process.environment = ProcessInfo.processInfo.environment.merging(["TABLES_SECRET": "s3cret"]) { $1 }
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        defer {
            // SIGKILL, because the thread that started the service may have blocked the other signals.
            kill(process.processIdentifier, SIGKILL)
        }
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        let url = try #require(line.split(whereSeparator: \.isWhitespace).last)
        try await body(String(url))
    }

    private func table(_ phase: Phase, _ time: String?, people: Int = 8, request: String = "r1") -> FulfilmentCall {
        var parameters: [String: JSON] = ["people": .number(people)]
        parameters["time"] = time.map { .string($0) }
        let context = InvocationContext(session: "me", request: Identifier(request), idempotencyKey: "me/\(request)")
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
            #expect(
                ready.proposed.isEmpty && ready.dialog == "A table for 8 at 19:30, 40 EUR deposit. Shall I book it?")

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

    @Test("refuses a copy of a signed request under another idempotency key, path, method, time or body")
    func copied() async throws {
        try await running { url in
            let seconds = Int64(Date().timeIntervalSince1970)
            let body = #"{"phase":"handle","intent":"BookTable","parameters":{"people":12,"time":"20:00"}}"#
            let path = "/intents/BookTable/handle"
            let signature = RequestSignature(target: path, idempotencyKey: "me/r1", body: Array(body.utf8))
            let value = signature.value(secret: "s3cret", seconds: seconds)
            func status(
                _ method: HTTPMethod = .POST, _ path: String = path, key: String? = "me/r1", body: String = body,
                value: String = value
            ) async throws -> UInt {
                var request = HTTPClientRequest(url: url.replacing("/intents", with: "") + path)
                request.method = method
                request.headers.add(name: RequestSignature.header, value: value)
                if let key { request.headers.add(name: "Idempotency-Key", value: key) }
                request.body = .bytes(ByteBuffer(string: body))
                let response = try await HTTPClient.shared.execute(request, timeout: .seconds(60))
                return response.status.code
            }
            let later = value.replacing("t=\(seconds)", with: "t=\(seconds + 1)")
            let old = signature.value(secret: "s3cret", seconds: seconds - 3_600)
            for refused in [
                try await status(key: "me/r2"), try await status(key: nil),
                try await status(.POST, "/intents/BookTable/confirm"),
                try await status(.POST, path + "?again=1"),
                try await status(body: body.replacing("20:00", with: "20:30")),
                try await status(value: later), try await status(value: old), try await status(value: ""),
                try await status(value: "t=ü,v2=ü"),
            ] { #expect(refused == 401) }
            // The service serves POST only. The signed text includes the method for services that serve other methods
            // too.
            let put = try await status(.PUT)
            #expect(put == 501)
            // The refused requests have booked nothing, so there is still room for twelve. The repeated request books
            // no second time.
            for _ in 1...2 {
                let accepted = try await status()
                #expect(accepted == 200)
            }
        }
    }
}
