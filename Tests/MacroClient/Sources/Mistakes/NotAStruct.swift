import IntentMacros

@Intent final class Tree {}
