import IntentKit
import PipelineTestKit
import Testing

@Suite("Errors determine the response to a request")
struct IntentErrorTests {
    private struct OutOfTea: CustomAppIntentErrorConvertible {
        var intentResponse: FailureResponse { .failure("failureOutOfTea", dialog: "There is no tea left.") }
    }

    private func handle(throwing error: any Error) async throws -> PhaseOutcome {
        try await Teahouse(order: OrderTeaHandler(handles: { _, _ in throw error })).perform(.handle, order)
    }

    @Test("an error that requires an action by the person launches the app")
    func userAction() async throws {
        for error in AppIntentError.UserActionRequired.allCases {
            let response = try await handle(throwing: error).response
            #expect(response?.code.requiresAppLaunch == true && response?.userActivity?.activityType == "OrderTea")
        }
        #expect(
            try await handle(throwing: AppIntentError.UserActionRequired.signin).response?.code
                == .failureRequiringInAppAuthentication)
        let permission = try await handle(throwing: AppIntentError.PermissionRequired.localNetwork).response
        #expect(
            permission?.code == .failureAppConfigurationRequired
                && permission?.dialog == "The app needs permission first: local network.")
    }

    @Test("an unrecoverable error fails with its code")
    func unrecoverable() async throws {
        #expect(
            try await handle(throwing: AppIntentError.Unrecoverable.entityNotFound)
                == .responded(.failure("failureEntityNotFound")))
        #expect(try await handle(throwing: AppIntentError.Unrecoverable.unknown) == .responded(.failure()))
    }

    @Test("an author's own error gives its code and dialog")
    func ownErrors() async throws {
        #expect(
            try await handle(throwing: OutOfTea())
                == .responded(.failure("failureOutOfTea", dialog: "There is no tea left.")))
    }

    @Test("an error in a resolution fails with the activity")
    func resolution() async throws {
        func resolve(throwing error: any Error) async throws -> IntentFailure? {
            try await Teahouse(order: OrderTeaHandler(guest: { _, _ in throw error })).perform(.resolve, order).failure
        }
        let signin = try await resolve(throwing: AppIntentError.UserActionRequired.signin)
        #expect(
            signin?.disposition == .failure(.failureRequiringInAppAuthentication)
                && signin?.activity?.activityType == "OrderTea")
        #expect(try await resolve(throwing: OutOfTea())?.message == "There is no tea left.")
    }

    @Test("a response that is valid for no time is a mistake")
    func validFor() async throws {
        let quick = OrderTeaHandler(confirms: { _, _ in .ready(dialog: "€12", validFor: .zero) })
        #expect(try await Teahouse(order: quick).perform(.confirm, order).failure?.reason == .unexpected)
        let good = OrderTeaHandler(confirms: { _, _ in .ready(dialog: "€12", validFor: .seconds(60)) })
        #expect(try await Teahouse(order: good).perform(.confirm, order).response?.validFor == .seconds(60))
    }
}
