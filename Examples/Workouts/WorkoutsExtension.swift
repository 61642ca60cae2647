public import IntentKit

/// The workouts domain for a worker: `IntentRegistry([WorkoutsExtension()])`.
public struct WorkoutsExtension: IntentExtension {
    private let book: WorkoutBook
    private let locationServices: LocationServices

    public init(
        book: WorkoutBook = WorkoutBook(store: .shared()), locationServices: LocationServices = LocationServices()
    ) {
        self.book = book
        self.locationServices = locationServices
    }

    public var handlers: [any IntentHandling] {
        StartWorkoutHandler(book: book, locationServices: locationServices)
        CurrentWorkoutHandler(book: book)
    }

    /// The app records workouts, so the app's workers start them.
    public var appHandlers: [any IntentHandling] { WorkoutRecorder(book: book) }

    /// Provides the library to the query that finds activities.
    public func provideDependencies(to manager: AppDependencyManager) { manager.add(WorkoutLibrary.standard) }
}
