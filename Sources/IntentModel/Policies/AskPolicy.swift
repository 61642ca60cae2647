/// How often a person is asked for one parameter of one request, and what happens then.
///
/// Silence, values that match nothing and values that can't be used are counted apart. Past its limit each goes up the same ladder: the person is
/// offered what there is to choose from, once; and then it ends as ``finally`` says.
public struct AskPolicy: Sendable, Hashable {
    public enum Finally: Sendable, Hashable {
        /// The request fails with this code (after silence: it has timed out, with this code).
        case fail(ResponseCode)
        /// The person goes on in the app, which gets what is known by then.
        case handToApp
    }

    /// How often it is asked for altogether; the coordinator's own limit, which is 5, unless given.
    public var maximum: Int?
    /// How often it is asked again after nobody has answered in time. 0 is not at all.
    public var noAnswer: Int
    /// How often it is asked again after a value that matched nothing or could not be read (`noMatch`, `invalidValue`); `nil` for no limit but
    /// ``maximum``.
    public var noMatch: Int?
    /// How often it is asked again after a value that is understood and can't be used; `nil` for no limit but ``maximum``.
    public var unsupported: Int?
    /// Past a limit the person is offered the parameter's options, if it has at least two.
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
