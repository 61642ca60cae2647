/// How often a person is asked for one parameter of one request, and what happens then.
///
/// Missing answers, values that match nothing, and values that can't be used are counted separately. The same happens past each limit: the person is
/// offered the options once, if there are any; after that, ``finally`` applies.
public struct AskPolicy: Sendable, Hashable {
    public enum Finally: Sendable, Hashable {
        /// The request fails with this code; after missing answers it times out with this code.
        case fail(ResponseCode)
        /// The person continues in the app, which gets what is known by then.
        case handToApp
    }

    /// How often it is asked for in total. Defaults to the coordinator's own limit, which is 5.
    public var maximum: Int?
    /// How often it is asked again after an answer timeout. 0 means not at all.
    public var noAnswer: Int
    /// How often it is asked again after a value that matched nothing or could not be read (`noMatch`, `invalidValue`). If `nil`, only ``maximum``
    /// limits it.
    public var noMatch: Int?
    /// How often it is asked again after a value that was understood but can't be used. If `nil`, only ``maximum`` limits it.
    public var unsupported: Int?
    /// Whether the person is offered the parameter's options past a limit, if it has at least two.
    public var offersOptions: Bool
    public var finally: Finally

    public init(
        maximum: Int? = nil, noAnswer: Int = 0, noMatch: Int? = nil, unsupported: Int? = nil, offersOptions: Bool = true,
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
