import IntentModel

/// Writes a line to standard output. All commands use this function, so that text from outside can't change the
/// direction of the surrounding text.
func print(_ line: Any = "", terminator: String = "\n") { Swift.print("\(line)".forTerminal, terminator: terminator) }
