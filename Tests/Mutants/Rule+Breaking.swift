extension Rule {
    // Set before histories begin, and read by their threads.
    nonisolated(unsafe) package static var broken: Rule?

    package var holds: Bool { self != Rule.broken }
}
