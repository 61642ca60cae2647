import Conversation
import IntentEvents
import IntentModel
import PersonGateway
import Testing

@testable import MCPServer

@Suite("How a request is, from its events")
struct RequestStandingTests {
    private func event(
        _ type: EventType, _ data: String, origin: TimelineEvent.Origin = .results, id: String = "e",
        request: String? = "r"
    )
        throws -> TimelineEvent
    {
        TimelineEvent(
            origin: origin, position: LogPosition(partition: 0, offset: 0), type: type, id: Identifier(id),
            time: Instant(milliseconds: 0),
            session: "s",
            request: request.map { Identifier($0) }, data: try JSON(parsing: Array(data.utf8)))
    }

    private var asked: TimelineEvent {
        get throws { try event(.promptIssued, #"{"prompt":"p","kind":"confirmIntent"}"#) }
    }
    private var answer: String { AgentCall.answerPrefix("p") + "1" }

    @Test("an answer closes the question, until it is rejected")
    func answered() throws {
        let said = try event(.promptAnswered, #"{"prompt":"p"}"#, origin: .requests, id: answer, request: nil)
        let refused = try event(
            .rejected, #"{"reason":"unauthorized","message":"no","event":"\#(answer)"}"#, request: nil)
        #expect(RequestStanding(of: "r", in: [try asked]).question?.key == "p/0")
        #expect(RequestStanding(of: "r", in: [try asked, said]).question == nil)
        let question = try #require(RequestStanding(of: "r", in: [try asked, said, refused]).question)
        #expect(question.isRefused)
        #expect(question.complaint == "no")
        #expect(question.key == "p/1")
    }

    @Test("a change that is not an agent's to make leaves it the question, which it may answer without")
    func change() throws {
        let said = try event(.promptAnswered, #"{"prompt":"p"}"#, origin: .requests, id: answer, request: nil)
        let refused = try event(
            .rejected, #"{"reason":"unauthorized","field":"parameters","message":"no","event":"\#(answer)"}"#,
            request: nil)
        let question = try #require(RequestStanding(of: "r", in: [try asked, said, refused]).question)
        #expect(!question.isRefused && question.complaint == "no")
    }

    @Test("that another parameter of an answer is rejected does not open the question again")
    func parameter() throws {
        let said = try event(.promptAnswered, #"{"prompt":"p"}"#, origin: .requests, id: answer, request: nil)
        let rejected = try event(
            .rejected, #"{"reason":"invalid","field":"parameters.x","event":"\#(answer)"}"#, request: nil)
        #expect(RequestStanding(of: "r", in: [try asked, said, rejected]).question == nil)
    }

    @Test("a page of options is another question")
    func page() throws {
        let page = try event(.optionsListed, #"{"prompt":"p","options":[]}"#)
        let before = RequestStanding(of: "r", in: [try asked])
        let after = RequestStanding(of: "r", in: [try asked, page])
        #expect(after.question?.page != nil)
        #expect(before.waitsFor != after.waitsFor)
    }

    @Test("events of other requests change nothing, and the rejection of the request ends it")
    func others() throws {
        let other = try event(.completed, #"{"status":"success"}"#, request: "other")
        #expect(RequestStanding(of: "r", in: [try asked, other]).question != nil)
        let rejection = try event(.rejected, #"{"reason":"invalid","event":"r"}"#, request: nil)
        #expect(RequestStanding(of: "r", in: [rejection]).isOver)
        #expect(!RequestStanding(of: "other", in: [rejection]).isOver)
    }
}
