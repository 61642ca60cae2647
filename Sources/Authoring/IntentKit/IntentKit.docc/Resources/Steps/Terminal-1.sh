ls
# IntentPipeline
mkdir Greenhouse && cd Greenhouse
swift package init --type executable
