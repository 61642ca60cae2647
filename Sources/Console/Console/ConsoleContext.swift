import HTTPTypes
import Hummingbird
import IntentModel
import Logging

/// What is known of a request to the console.
struct ConsoleContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// `nil` where callers need not say who they are: the page itself and its files.
    var known: Caller?

    init(source: ApplicationRequestContextSource) { coreContext = CoreRequestContextStorage(source: source) }

    var maxUploadSize: Int { 64 << 10 }

    /// - Throws: ``HTTPProblem`` for a route that is not behind ``Authentication``.
    var caller: Caller {
        get throws(HTTPProblem) {
            guard let known else { throw HTTPProblem(.unauthorized, "say who you are with a bearer token", .unauthorized) }
            return known
        }
    }
}
