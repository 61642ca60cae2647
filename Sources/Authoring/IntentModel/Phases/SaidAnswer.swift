/// An answer in words that the coordinator leaves to the resolver, with the question that it answers.
///
/// The resolver reads the words by that question: "18:30" picks among the moments of tomorrow that were offered.
public struct SaidAnswer: Sendable, Hashable {
    /// The words, of 1 to 500 characters.
    public var words: String
    /// The language of the words, as a BCP 47 tag; `nil` for that of the request.
    public var language: Optional<String>
    /// The parameter that the person was asked for; `nil` if they were asked to agree to the intent.
    public var parameter: Optional<String>
    /// The element of the parameter's list that the person was asked for.
    public var element: Optional<Int>
    /// The values that the person was asked about, in wire form: of the options, or the one to confirm. At most
    /// ``maximumOffered``, and none of more than 100 bytes.
    public var offered: [JSON]
    /// `true` if the words may change no other parameter: they come from an agent.
    public var isForParameterAlone: Bool

    /// The largest number of values in ``offered``.
    public static let maximumOffered = 10

    /// - Parameter offered: Values beyond the maximum are left out, and those of more than 100 bytes.
    public init(
        _ words: String, in language: String? = nil, parameter: String? = nil, element: Int? = nil,
        offered: [JSON] = [], isForParameterAlone: Bool = false
    ) {
        self.words = words
        self.language = language
        self.parameter = parameter
        self.element = element
        self.offered = Array(offered.lazy.filter { $0.bytes.count <= 100 }.prefix(Self.maximumOffered))
        self.isForParameterAlone = isForParameterAlone
    }
}
