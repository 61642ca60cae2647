/// Which workers get the work of a request. The coordinator has read it in the catalogue when the request came.
///
/// A class because requests are copied for each decision, and few have a route: a copy counts one reference instead of two names. It never changes, and two
/// are equal if they say the same.
public final class IntentRoute: Sendable, Hashable {
    /// The service whose workers get it; `nil` for the default service.
    public let service: String?
    /// The service whose workers get what runs in the app; `nil` for the default service.
    public let appService: String?
    /// Whether only an app supports the intent: all phases run there.
    public let isInApp: Bool

    public init(service: String? = nil, appService: String? = nil, isInApp: Bool = false) {
        self.service = service
        self.appService = appService
        self.isInApp = isInApp
    }

    /// The service that gets work for the app, or for the extension.
    func service(inApp: Bool) -> String? { inApp ? appService : service }

    public static func == (a: IntentRoute, b: IntentRoute) -> Bool {
        a === b || (a.service == b.service && a.appService == b.appService && a.isInApp == b.isInApp)
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(service)
        hasher.combine(appService)
        hasher.combine(isInApp)
    }
}
