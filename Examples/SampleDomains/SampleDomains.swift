public import IntentKit

/// The extensions that the sample workers serve and `intents catalog` shows: one for each domain in `Examples`. Add new
/// domains here.
public let sampleExtensions: [any IntentExtension] = SampleDelay.applied(to: [
    RideExtension(), WorkoutsExtension(), MessageExtension(), CallsExtension(), PaymentExtension(), TrailExtension(),
])
