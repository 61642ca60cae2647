swift build --product intents && swift build --product intent-coordinator
