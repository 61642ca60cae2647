import Foundation
import IntentKit
import IntentModel
import PipelineTestKit
import SampleDomains
import Testing

@Suite("A ride is cancelled, sometimes for a fee")
struct CancelRideTests {
    private let fee = JSON(Fleet.dublin.cancellationFee)

    @Test("free of charge before the driver sets off, while the response is valid")
    func free() async throws {
        let response = try await rides().respond(
            .confirm, "CancelRide", .resolved(["rideIdentifier": ride("confirmed")]))
        #expect(response.code == .ready && response.values["cancellationFee"] == fee)
        #expect(response.values["cancellationFeeThreshold"] == JSON(noon.addingTimeInterval(120)))
        #expect(response.validFor == .seconds(120))
    }

    @Test("for an announced fee when the car is near")
    func around() async throws {
        let (store, number) = (SampleStore(), try await ride("approachingPickup"))
        let confirmed = try await rides(store).respond(.confirm, "CancelRide", .resolved(["rideIdentifier": number]))
        #expect(confirmed.code == .ready && confirmed.values["cancellationFee"] == fee)
        #expect(confirmed.values["cancellationFeeThreshold"] == nil && confirmed.validFor == nil)
        #expect(confirmed.dialog == "Cancelling now costs \(Fleet.dublin.cancellationFee.displayText). Cancel it?")
        #expect(
            try await rides(store).respond(.handle, "CancelRide", .resolved(["rideIdentifier": number])).values[
                "cancellationFee"] == fee)
    }

    @Test("not at all once it has begun", arguments: ["ongoing", "completed"])
    func begun(_ phase: String) async throws {
        #expect(
            try await rides().respond(.confirm, "CancelRide", .resolved(["rideIdentifier": ride(phase)])).code
                == .failure)
    }

    @Test("once: repeating handle changes nothing, and another request fails")
    func once() async throws {
        let (store, number) = (SampleStore(), try await ride("confirmed"))
        let first = try await rides(store).respond(.handle, "CancelRide", .resolved(["rideIdentifier": number]))
        // The repetition comes when cancelling is no longer free.
        let later = try rides(store, at: noon.addingTimeInterval(600))
        #expect(try await later.respond(.handle, "CancelRide", .resolved(["rideIdentifier": number])) == first)
        #expect(
            try await later.respond(
                .handle, "CancelRide", .resolved(["rideIdentifier": number]), idempotencyKey: "other"
            ).code == .failure)
        #expect(
            try await later.respond(
                .confirm, "CancelRide", .resolved(["rideIdentifier": number]), idempotencyKey: "other"
            ).code == .failure
        )
        let status = try await later.respond(.handle, "GetRideStatus", .resolved(["rideIdentifier": number]))
        #expect(
            status.values["phase"] == .string("completed")
                && status.values["completionStatus"] == .string("canceledByUser"))
    }

    @Test("free of charge until half an hour before a scheduled ride")
    func scheduled() async throws {
        let (store, time) = (SampleStore(), noon.addingTimeInterval(2 * 3600))
        let booked = try await rides(store).respond(
            .handle, "RequestRide",
            .resolved([
                "dropOff": JSON(#require(City.dublin.place("trinity"))), "ride": JSON(Fleet.dublin.options[0]),
                "partySize": .number(1),
                "scheduledTime": JSON(time), "payment": .string("card"),
            ]), isInApp: true)
        let number = try #require(booked.values["rideIdentifier"])
        let status = try await rides(store).respond(.handle, "GetRideStatus", .resolved(["rideIdentifier": number]))
        #expect(status.values["phase"] == .string("confirmed") && status.values["scheduledPickupTime"] == JSON(time))
        let early = try await rides(store).respond(.confirm, "CancelRide", .resolved(["rideIdentifier": number]))
        #expect(
            early.values["cancellationFeeThreshold"] == JSON(time.addingTimeInterval(-1800))
                && early.validFor == .seconds(3600))
        let late = try await rides(store, at: time.addingTimeInterval(-60)).respond(
            .confirm, "CancelRide", .resolved(["rideIdentifier": number]))
        #expect(late.code == .ready && late.values["cancellationFeeThreshold"] == nil)
    }
}
