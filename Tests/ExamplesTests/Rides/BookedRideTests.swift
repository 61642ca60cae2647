import IntentKit
import IntentModel
import IntentRuntime
import PipelineTestKit
import SampleDomains
import Testing

@Suite("A booked ride can be asked about and cancelled")
struct BookedRideTests {
    private let identifier = RideIdentifier(idempotencyKey: "ride-0")

    private func perform(
        _ intent: String, _ phase: Phase, _ identifier: String?, attributes: [String: JSON] = [:]
    ) async throws -> PhaseOutcome {
        let parameters = identifier.map { [ParameterState(name: "rideIdentifier", value: .string($0))] } ?? []
        return try await rides().perform(phase, intent, parameters, attributes: attributes)
    }

    @Test("a ride's number can be said aloud, and a mistake in it is detected")
    func number() {
        let spoken = identifier.displayText.lowercased().replacing("-", with: " ")
        #expect(RideIdentifier(text: spoken) == identifier)
        let last = identifier.displayText.last == "0" ? "1" : "0"
        #expect(RideIdentifier(text: identifier.displayText.dropLast() + last) == nil)
        #expect(RideIdentifier(text: "") == nil)
    }

    @Test("the session remembers the last ride")
    func lastRide() async throws {
        let remembered = ["lastRide": JSON(identifier)]
        guard
            case .resolved(let all, _, _, _) = try await perform("GetRideStatus", .resolve, nil, attributes: remembered)
        else {
            Issue.record("not resolved")
            return
        }
        #expect(all.map(\.resolution) == [.success(JSON(identifier))])
        guard case .resolved(let none, _, _, _) = try await perform("GetRideStatus", .resolve, nil) else { return }
        #expect(none.map(\.resolution) == [.needsValue(dialog: "What is the number of your ride?")])
    }

    @Test("its status is reported without a question")
    func status() async throws {
        let number = identifier.displayText
        guard case .responded(let confirmed, nil) = try await perform("GetRideStatus", .confirm, number),
            case .responded(let handled, _) = try await perform("GetRideStatus", .handle, number)
        else {
            Issue.record("no status")
            return
        }
        #expect(confirmed.code == .ready)
        #expect(handled.values["phase"]?.view.string != nil)
    }

    @Test("cancelling is confirmed, and refused once the ride has begun")
    func cancelling() async throws {
        var codes: Set<ResponseCode> = []
        for key in 0..<32 {
            let number = RideIdentifier(idempotencyKey: "ride-\(key)").displayText
            guard case .responded(let response, let request) = try await perform("CancelRide", .confirm, number) else {
                continue
            }
            codes.insert(response.code)
            #expect((request != nil) == (response.code == .ready))
        }
        #expect(codes == [.ready, .failure])
    }
}
