import HTTPTypes
import Hummingbird
import IntentModel
import Logging

/// The context of a request to the console, with its caller.
struct ConsoleContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// The caller; `nil` for the routes without authentication: the page and its files.
    var known: Caller?

    init(source: ApplicationRequestContextSource) { coreContext = CoreRequestContextStorage(source: source) }

    var maxUploadSize: Int { 64 << 10 }

    /// - Throws: ``HTTPProblem`` for a route that is not behind ``Authentication``.
    var caller: Caller {
        get throws(HTTPProblem) {
            guard let known else {
                throw HTTPProblem(.unauthorized, "say who you are with a bearer token", .unauthorized)
            }
            return known
        }
    }
}
