public import Intents
import Messages
import Payments
import Rides

/// What the sample workers serve and `intents catalog` shows: one extension for each domain in `Sources/Examples`. A new one is added here.
public let sampleDomains: [any IntentExtension] = [RideExtension(), MessageExtension(), PaymentExtension()]
