import Conversation
import Foundation
import IntentEvents
import IntentModel
import PipelineTestKit
import Testing

/// The ride requests of a day in a city, with the answers of scripted persons. README.md of the sample domain describes
/// the format.
enum RideRequests {
    static let all: [ScriptedRequest] = {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let file = root.appending(path: "Examples/Rides/Resources/requests.jsonl")
        let lines = ((try? String(contentsOf: file, encoding: .utf8)) ?? "").split(separator: "\n")
        return lines.compactMap { line in
            (try? JSONView(parsing: Array(line.utf8))).flatMap { ScriptedRequest($0, newID: "1") }
        }
    }()

    /// Plays all requests through one pipeline.
    ///
    /// - Returns: The results of each session, in order.
    static func play(in locale: String? = nil) async throws -> [Identifier: [ReceivedResult]] {
        let pipeline = try await Rides().conversation().pipeline
        for var line in all {
            line.request.locale = locale
            var talk = TestConversation(pipeline, session: line.session)
            try await talk.request(line.request)
            try await talk.play(&line.person)
        }
        return Dictionary(grouping: try pipeline.results()) { $0.session ?? "" }
    }
}

@Suite("The request file") struct RequestFileTests {
    private static let english = Task { try await RideRequests.play() }

    @Test func `every line is a request with its own session`() {
        #expect(RideRequests.all.count == 448 && Set(RideRequests.all.map(\.session)).count == RideRequests.all.count)
    }

    @Test func `the requests cover every kind of turn and ending`() async throws {
        let sessions = try await Self.english.value
        let results = sessions.values.joined()
        let kinds = [
            "prompt value dropOff", "prompt choice pickup", "prompt choice dropOff", "prompt confirmValue dropOff",
            "prompt choice ride", "prompt choice payment", "prompt confirmIntent -", "progress 0.5", "offer background",
            "offer foreground", "claimed app",
        ]
        #expect(Set(kinds).subtracting(results.map(\.line)) == [])
        let reasons = [
            "dropOff outsideServiceArea", "pickup outsideServiceArea", "dropOff unknownPlace", "dropOff sameAsPickup",
            "partySize aboveMaximum", "partySize belowMinimum", "partySize invalidValue", "ride partyTooLarge",
            "scheduledTime invalidValue",
        ]
        let refusals = results.compactMap { result in
            result.data["unsupported"]?["reason"]?.string.map { "\(result.data["parameter"]?.string ?? "") \($0)" }
        }
        #expect(Set(reasons).subtracting(refusals) == [])
        let ends = sessions.values.compactMap { $0.last { $0.status != nil } }
        #expect(ends.count == RideRequests.all.count, "every request ends")
        #expect(
            Set(ends.map(\.line)) == [
                "completed success success", "completed cancelled cancelled", "completed failure failure",
                "completed failure failureRequiringAppLaunchMustVerifyCredentials",
                "completed failure failureRequiringAppLaunchNoServiceInArea",
                "completed failure failureRequiringAppLaunchServiceTemporarilyUnavailable",
                "completed failure failureRequiringAppLaunchPreviousRideNeedsCompletion",
                "completed failure failureRequiringAppLaunchRideScheduledTooFar",
                "completed unsupported noHandlerProvidedForIntent",
            ])
        let errors = ends.compactMap { end in
            end.data["error"].map { "\($0["reason"]?.string ?? ""): \($0["message"]?.string ?? "")" }
        }
        let place = "a place: its name, or an object with 'name' and, if known, 'latitude' and 'longitude'"
        #expect(
            errors.filter { !$0.hasPrefix("complex") }.sorted() == [
                "invalid: RequestRide has no parameter 'destination'; it has pickup, dropOff, partySize, ride, "
                    + "scheduledTime, payment",
                "invalid: parameters.dropOff has to be \(place), not JSON of kind number",
                "invalid: parameters.partySize has to be a whole number, not JSON of kind object",
                "unsupported: no worker serves 'RequestBoat'; 'intents catalog list' lists what is served",
            ])
        let booked = ends.filter { $0.status == .success }
        #expect(booked.count > RideRequests.all.count / 2)
        let pickups = booked.map { $0.data["parameters"]?["pickup"] != nil }
        #expect(Set(pickups) == [true, false], "some rides start at the taxi rank")
    }

    @Test func `a person who asks in Dutch is answered in Dutch`() async throws {
        let (english, dutch) = try await (Self.english.value, RideRequests.play(in: "nl"))
        var count = 0
        for line in RideRequests.all {
            // The answers are the same in both languages, so only requests without a choice among translated titles
            // reach the same end.
            guard let a = english[line.session]?.last, let b = dutch[line.session]?.last,
                a.line == b.line, let dialog = a.dialog
            else { continue }
            #expect(dialog != b.dialog, "\(line)")
            count += 1
        }
        #expect(count > RideRequests.all.count / 2)
    }
}
