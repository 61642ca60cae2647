package import IntentKit

/// An intent whose weight the person has to confirm, and whose PIN is secret.
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
        Resolve(\.$weight) { weight, _ in weight.map { .confirmationRequired($0) } ?? .needsValue() }
    }

    package func handle(_ parcel: SendParcel, context: Context) async throws -> HandleResponse { .success }
}
