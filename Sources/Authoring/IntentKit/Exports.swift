// Authors write `import IntentKit` alone: responses, codes, JSON and texts come with it.
@_exported public import IntentModel
