import Conversation
import IntentEvents
import IntentModel
import RecordLog
import Testing

@Suite("The journal's format: records of earlier versions are read, and unreadable ones are never mistaken for others")
struct JournalFormatTests {
    static let asking =
        #"{"sequence":217,"updated":1700050821451,"active":{"request":{"id":"r268","intent":"Book","deadline":1700050999999,"locale":"en-GB","attributes":{"city":"Cork"},"traceparent":"00-1-2-01","tracestate":"v=1","depth":1},"parameters":{"friends":{"value":["mia","jon"],"state":"given","elements":["resolved","given"]},"dropOff":{"state":"notRequired"},"pin":{"value":"1234","state":"confirmed","secret":true}},"stage":"awaitingAnswer","prompt":{"id":"r268.10","intent":"Book","kind":"choice","parameter":"friends","element":1,"secret":true,"dialog":"Which one?","value":null,"items":true,"options":[{"id":"n","title":"North","subtitle":"2 km","value":"n"},{"id":"s","title":"South","value":7}],"unsupported":{"reason":"tooFar"},"summary":"Book","expires":"2023-11-15T12:22:16.950Z","parameters":{"time":{"value":"18:30","state":"confirmed"}},"title":"Friends","question":{"id":"confirm-1","phase":"confirm"}},"step":10,"attempt":2,"stageEnds":1700050936950,"turns":4,"asks":{"dropOff":2,"party":1},"activity":{"activityType":"book"},"items":[{"id":"i","title":"Item","value":1}],"result":{"code":"success","dialog":"Done","updates":true},"redone":1,"notes":{"answers":[{"question":"q","accepted":true,"value":3}],"recorded":{"hold":"H"},"asks":{"confirm-1":1}},"questions":1,"validUntil":1700050936951,"knowsSecrets":true,"memoryKeys":{"party":"party"},"policy":{"effect":"atMostOnce"},"confirmation":{"dialog":"Sure?","summary":"Book"},"misses":{"dropOff":{"noAnswer":1,"noMatch":2,"unsupported":3,"offered":true}},"alternatives":[{"id":"n","title":"North","value":"n"}]},"queued":[{"id":"r269","intent":"Book","parameters":{"party":{"value":2,"state":"given"}},"whenBusy":"interrupt"},{"id":"r271","intent":"Book","parameters":{}}],"handoffs":[{"id":"r256.4.handoff","request":"r256","mode":"foreground","activity":{"activityType":"Book"},"intent":"Book","parameters":{},"code":"failureRequiringAppLaunch","response":{"fare":12},"returns":1,"expires":1700051156314,"claimant":"phone"}],"unanswered":[{"request":"r1","intent":"Book","step":3,"traceparent":"00-1-2-01"}],"updates":[{"request":{"id":"r2","intent":"Book"},"parameters":{},"inApp":true,"open":true,"step":4,"restarts":1,"phase":"ongoing","told":1700050821000,"silentAt":1700050851000,"ends":1700060000000}],"remembered":["none","r269"],"memory":{"party":"n","city":"Cork"},"ending":{"reason":"over"},"unacknowledged":[{"sequence":217,"type":"prompt.issued.v1","request":"r268","time":1700050821451,"data":{"session":"kitchen"}}]}"#

    static let handling =
        #"{"sequence":3,"updated":1700050821451,"active":{"request":{"id":"r","intent":"Book"},"parameters":{},"stage":"handling","step":4,"attempt":1,"stageEnds":1700050936950,"retryAt":1700050936000,"inApp":true,"cancelling":true,"fraction":0.5,"permit":"c.1","announceAt":1700050830000,"cancelReason":"replaced"},"suspended":[{"request":{"id":"q","intent":"Book"},"parameters":{},"stage":"resolving","step":2,"attempt":1,"stageEnds":1700050936950}]}"#

    private func record(_ value: String) -> ConsumedRecord {
        requestRecord(value, headers: [RecordHeader("intents-journal", JournalStamp.example.description)])
    }

    private func session(_ value: String) throws -> JournaledSession {
        try #require(try JournalRecord(record(value)).session)
    }

    @Test("a session is read and written the same, byte for byte", arguments: [asking, handling, forgotten])
    func bytes(_ value: String) throws {
        #expect(String(decoding: JournalRecord.value(try session(value)), as: UTF8.self) == value)
    }

    static let forgotten =
        #"{"sequence":0,"updated":1700050821451,"remembered":["r1","r2"],"once":{"r2":1700137221451,"r0":1700137221000},"forgotten":1700054421451}"#

    @Test("of a forgotten session its requests are read and written, each with its time")
    func remains() throws {
        let session = try session(Self.forgotten)
        let once = [("r2", 1_700_137_221_451), ("r0", 1_700_137_221_000)].map {
            OnceRequest(id: $0, until: Instant(milliseconds: $1))
        }
        let remains = ForgottenSession(
            requests: ["r1", "r2"], until: Instant(milliseconds: 1_700_054_421_451), once: once)
        #expect(session.remains == remains)
        #expect(JournaledSession(remains, of: "kitchen", at: Instant(milliseconds: 1_700_050_821_451)) == session)
    }

    @Test("a session of an earlier version is open, and knows its requests without a time")
    func withoutTimes() throws {
        let value = #"{"sequence":3,"updated":1700050821451,"remembered":["r1"]}"#
        let session = try session(value)
        #expect(session.remains == nil && session.session.rememberedRequests == ["r1"])
        #expect(session.session.onceRequests.isEmpty)
    }

    @Test("unknown members are ignored")
    func newer() throws {
        let value = Self.handling.replacing(#""stage":"#, with: #""mood":"good","stage":"#)
        #expect(try JournalRecord(record(value)).content == JournalRecord(record(Self.handling)).content)
    }

    @Test("a cancel of the first versions has no reason")
    func oldCancel() throws {
        let value = Self.handling.replacing(#","cancelReason":"replaced""#, with: "")
        #expect(try session(value).session.active?.cancelReason == .person)
    }

    @Test(
        "the error for an unreadable record names its session and its offset",
        arguments: [
            (#""step":10"#, #""step":"ten""#, "'active.step' is no whole number from 0 to 2^53"),
            (#""step":10"#, #""step":-1"#, "'active.step' is no whole number from 0 to 2^53"),
            (#""step":10,"#, "", "'active.step' is missing"),
            (
                #""stage":"awaitingAnswer""#, #""stage":"dreaming""#,
                "'active.stage' is 'dreaming', which is not known here"
            ),
            (
                #""stage":"awaitingAnswer""#, #""stage":"handedOff""#,
                "'active.stage' is 'handedOff' without what belongs to it"
            ),
            (#""kind":"choice""#, #""kind":1"#, "'active.prompt.kind' is no text"),
            (
                #""state":"notRequired""#, #""state":"lost""#,
                "'active.parameters.dropOff.state' is 'lost', which is not known here"
            ),
            (#"{"id":"s","title":"South""#, #"{"title":"South""#, "'active.prompt.options.1.id' is missing"),
            (#""unanswered":["#, #""unanswered":[{},"#, "'unanswered.0.request' is missing"),
            (#""remembered":["none""#, #""remembered":[null"#, "'remembered.0' is no text"),
            (#""updated":1700050821451"#, #""updated":"now""#, "'updated' is no time in milliseconds"),
            (#""remembered":["#, #""once":{"r":"soon"},"remembered":["#, "'once.r' is no time in milliseconds"),
            (#""remembered":["#, #""forgotten":true,"remembered":["#, "'forgotten' is no time in milliseconds"),
        ])
    func faults(_ text: String, _ damage: String, _ fault: String) {
        let value = Self.asking.replacing(text, with: damage, maxReplacements: 1)
        #expect(value != Self.asking)
        let error = #expect(throws: EventError.self) { try JournalRecord(record(value)) }
        #expect(error?.rejection.message == "the session 'kitchen' can't be read at offset 42: \(fault)")
    }
}
