import Calls
public import IntentKit
import Messaging
import Payments
import Rides
import Trails
import Workouts

/// What the sample workers serve and `intents catalog` shows: one extension for each domain in `Sources/Examples`. A new one is added here.
public let sampleExtensions: [any IntentExtension] = [
    RideExtension(), WorkoutsExtension(), MessageExtension(), CallsExtension(), PaymentExtension(), TrailExtension(),
]
