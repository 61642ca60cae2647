public import IntentKit

/// The rides domain for a worker: `IntentRegistry([RideExtension()])`.
public struct RideExtension: IntentExtension {
    private let city = City.dublin
    private let fleet = Fleet.dublin
    private let book: RideBook
    private let clock: RideClock

    public init(book: RideBook = RideBook(store: .shared()), clock: RideClock = RideClock()) {
        self.book = book
        self.clock = clock
    }

    public var handlers: [any IntentHandling] {
        RequestRideHandler(city: city, fleet: fleet)
        ListRideOptionsHandler(city: city, fleet: fleet, clock: clock)
        GetRideStatusHandler(fleet: fleet, book: book, clock: clock)
        CancelRideHandler(fleet: fleet, book: book, clock: clock)
        SendRideFeedbackHandler(fleet: fleet, book: book, clock: clock)
    }

    public var appHandlers: [any IntentHandling] { ScheduledRideHandler(book: book) }

    /// Provides the fleet to the query that finds rides.
    public func provideDependencies(to manager: AppDependencyManager) { manager.add(fleet) }

    /// The Dutch translations in `localizations.json`.
    public var localizations: [LocalizedTable] { [.rides] }
}
