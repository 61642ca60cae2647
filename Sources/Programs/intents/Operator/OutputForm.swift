import ArgumentParser

/// The form of a command's output.
enum OutputForm: String, ExpressibleByArgument, CaseIterable {
    /// Text for people: one line per entry, with fields separated by tabs.
    case text
    /// One JSON object per line.
    case json
}
