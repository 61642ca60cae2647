/// Limits how often a person is asked for one parameter of one request.
///
/// Missing answers, values that match nothing, and values that can't be used are counted separately. Past each limit,
/// the person is offered the options once, if there are any; after that, ``finally`` applies.
public struct AskPolicy: Sendable, Hashable {
    public enum Finally: Sendable, Hashable {
        /// The request fails with this code. After missing answers it times out with this code.
        case fail(ResponseCode)
        /// The person continues in the app. The app gets the values that are known by then.
        case handToApp
    }

    /// The maximum number of questions for the parameter in total. Defaults to the coordinator's own limit, which is 5.
    public var maximum: Int?
    /// The maximum number of repeats after an answer timeout; 0 for none.
    public var noAnswer: Int
    /// The maximum number of repeats after a value that matched nothing or could not be read (`noMatch`,
    /// `invalidValue`). If `nil`, only ``maximum`` applies.
    public var noMatch: Int?
    /// The maximum number of repeats after a value that was understood but can't be used. If `nil`, only ``maximum``
    /// applies.
    public var unsupported: Int?
    /// `true` if the person is offered the parameter's options past a limit, provided that there are at least two.
    public var offersOptions: Bool
    public var finally: Finally

    public init(
        maximum: Int? = nil, noAnswer: Int = 0, noMatch: Int? = nil, unsupported: Int? = nil,
        offersOptions: Bool = true,
        finally: Finally = .fail(.failure)
    ) {
        self.maximum = maximum
        self.noAnswer = noAnswer
        self.noMatch = noMatch
        self.unsupported = unsupported
        self.offersOptions = offersOptions
        self.finally = finally
    }
}
