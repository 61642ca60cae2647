public import IntentKit

/// The calls domain for a worker: `IntentRegistry([CallsExtension()])`.
public struct CallsExtension: IntentExtension {
    private let book: PhoneBook
    private let history: CallHistory
    private let service: CallingService

    public init(
        book: PhoneBook = .sample, history: CallHistory = CallHistory(store: .shared()),
        service: CallingService = CallingService()
    ) {
        self.book = book
        self.history = history
        self.service = service
    }

    public var handlers: [any IntentHandling] { MyCallHandler(book: book, history: history, service: service) }

    /// Provides the history to the query that finds calls.
    public func provideDependencies(to manager: AppDependencyManager) { manager.add(history) }
}

/// The service that connects calls. The sample's service is either available or not.
public struct CallingService: Sendable {
    public let isAvailable: Bool

    public init(isAvailable: Bool = true) { self.isAvailable = isAvailable }
}
