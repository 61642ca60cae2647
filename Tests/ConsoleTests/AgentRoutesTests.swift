import Foundation
import HTTPTypes
import Hummingbird
import IntentModel
import Testing

@testable import Console

@Suite("The routes for agents")
struct AgentRoutesTests {
    @Test("a task is reached by its path whatever is in the name of its context")
    func path() async throws {
        try await RunningConsole.with { console in
            let version: HTTPFields = [try #require(HTTPField.Name("A2A-Version")): "1.0"]
            let context = "home/kitchen?100%"
            let message =
                #"{"messageId":"m","role":"ROLE_USER","contextId":"\#(context)","parts":[{"data":{"intent":"Order","parameters":{}}}]}"#
            let body = #"{"message":\#(message),"configuration":{"returnImmediately":true}}"#
            let sent = try await console.call(.post, "/a2a/message:send", body, headers: version)
            let id = try #require(sent.json["task"]?["id"]?.string, "\(sent.text)")
            #expect(id.hasPrefix("\(context)."))
            let path = "/a2a/tasks/\(id.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")"
            let got = try await console.call(.get, path, headers: version)
            #expect(got.json["id"]?.string == id, "\(got.text)")
            #expect(try await console.call(.get, "/a2a/tasks/nothing", headers: version).status == 404)
        }
    }
}
