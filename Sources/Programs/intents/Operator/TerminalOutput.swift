import IntentModel

/// Writes a line to standard output, as all commands do: whatever is in it from outside, it can't change the direction of the text around it.
func print(_ line: Any = "", terminator: String = "\n") { Swift.print("\(line)".forTerminal, terminator: terminator) }
