import IntentKit

/// Limits the options in an outcome.
///
/// All values of a parameter are offered, and the person's side decides how many it shows at a time. An outcome, and
/// the session's record in the journal, have a maximum size.
enum OptionRoom {
    /// The maximum number of options of one parameter.
    static let maximumCount = 1_000
    /// The maximum number of bytes of all options in an outcome: half of the limit for an outcome.
    static let maximumBytes = JSONLimits.outcome.maximumBytes / 2

    /// The maximum number of names of members in all options of an outcome.
    private static let maximumNames = JSONLimits.outcome.maximumKeys * 9 / 10

    /// Leaves out the options that don't fit, the last options first. Parameters share the room evenly.
    static func fit(_ parameters: inout [ResolvedParameter]) {
        var sharing = 0
        for parameter in parameters where parameter.hasManyOptions { sharing += 1 }
        if sharing == 0 { return }
        let room = maximumBytes / sharing
        for index in parameters.indices where parameters[index].hasManyOptions {
            if case .disambiguation(let options, let dialog) = parameters[index].resolution {
                let fitting = prefix(options, room)
                parameters[index].omitsOptions = fitting.count < options.count
                parameters[index].resolution = .disambiguation(Array(fitting), dialog: dialog)
            }
            let fitting = prefix(parameters[index].options, room)
            if fitting.count < parameters[index].options.count { parameters[index].omitsOptions = true }
            parameters[index].options = Array(fitting)
        }
    }

    /// The options without those that don't fit.
    static func fit(_ options: [ParameterOption]) -> [ParameterOption] { Array(prefix(options, maximumBytes)) }

    private static func prefix(_ options: [ParameterOption], _ room: Int) -> ArraySlice<ParameterOption> {
        var (bytes, names) = (0, 0)
        // A choice has at least two options.
        let end = options.indices.prefix(maximumCount).first { index in
            bytes += options[index].size
            names += options[index].names
            return (bytes > room || names > maximumNames * room / maximumBytes) && index >= 2
        }
        return options.prefix(end ?? maximumCount)
    }
}

extension ResolvedParameter {
    /// `true` if the options may not fit. Up to 20 options always fit, unless their values are documents.
    fileprivate var hasManyOptions: Bool {
        if options.count > 20 { return true }
        if case .disambiguation(let options, _) = resolution { return options.count > 20 }
        return false
    }
}

extension ParameterOption {
    /// The approximate number of bytes of the option in an outcome.
    fileprivate var size: Int {
        let texts = [id, title, subtitle ?? "", section ?? ""] + synonyms
        return texts.reduce(value.bytes.count + 64 + numbers * 32) { $0 + $1.utf8.count + 4 }
    }

    /// The number of names of members, at most.
    fileprivate var names: Int {
        let parts = [subtitle == nil, section == nil, synonyms.isEmpty, numbers == 0].count { !$0 }
        return 3 + parts + (image == nil ? 0 : 3) + numbers + value.bytes.count { $0 == UInt8(ascii: ":") }
    }

    private var numbers: Int {
        comparison.map { comparison in OptionComparison.Quality.allCases.count { comparison[$0] != nil } } ?? 0
    }
}
