/// What the pipeline itself tells a person about a value, where neither the resolution nor the declaration says it.
enum ResolutionWording {
    static func notConvertible(_ said: String?, _ typeDescription: String, title: String) -> String {
        guard let said else { return "\(title) has to be \(typeDescription)." }
        return "'\(shortened(said))' is not \(typeDescription)."
    }

    static func outside(_ range: String, _ said: String?, title: String) -> String {
        said.map { "\(title) can be \(range), not \($0)." } ?? "\(title) can be \(range)."
    }

    static func noMatch(_ said: String?, title: String) -> String {
        said.map { "\(title) can't be '\(shortened($0))'." } ?? "\(title) can't be that."
    }

    static func gone(_ said: String?, title: String) -> String {
        said.map { "\(title): '\(shortened($0))' is no longer there." } ?? "\(title): that is no longer there."
    }

    static func tooFew(_ least: Int, title: String) -> String { "\(title): at least \(least), please." }
    static func tooMany(_ most: Int, title: String) -> String { "\(title): at most \(most), please." }
    static let whichOne = "Which one would you like?"

    private static func shortened(_ text: String) -> String { text.count > 60 ? text.prefix(60) + "…" : text }
}
