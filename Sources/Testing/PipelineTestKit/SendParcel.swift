package import IntentKit

/// An intent whose PIN is secret. The person has to confirm a weight above 1, and the place for a parcel to the office.
package struct SendParcel: Intent {
    package static let title: LocalizedText = "Send a parcel"

    @Parameter(title: "To", requestValueDialog: "To whom?") package var to: String
    @Parameter(title: "Weight", requestValueDialog: "How heavy is it?") package var weight: Int
    @Parameter(title: "PIN", requestValueDialog: "Your PIN?", .sensitivity(.secret)) package var pin: String?

    package static let parameters = Parameters<Self>(\.$to, \.$weight, \.$pin)
    package static let confirmation: ConfirmationPolicy = .never

    package init() {}
}

package struct SendParcelHandler: IntentHandling {
    package init() {}

    package var resolution: some Resolution<SendParcel> {
        Resolve(\.$weight) { weight, _ in
            weight.map { $0 > 1 ? .confirmationRequired($0) : .success($0) } ?? .needsValue()
        }
    }

    package func handle(_ parcel: SendParcel, context: Context) async throws -> HandleResponse {
        if parcel.to == "the office" {
            _ = try await context.requestChoice(between: ["counter", "locker"], dialog: "Where to?")
        }
        return .success
    }
}
