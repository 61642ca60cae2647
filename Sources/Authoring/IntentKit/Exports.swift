// Authors import only `IntentKit`, which must also provide responses, codes, JSON and texts.
@_exported public import IntentModel
