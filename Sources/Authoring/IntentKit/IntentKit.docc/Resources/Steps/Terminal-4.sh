swift build
.build/debug/intents dev --worker .build/debug/Greenhouse
#   resolver has partitions 0 1 2 3
#   confirmer has partitions 0 1 2 3
#   handler has partitions 0 1 2 3
#   app-handler has partitions 0 1 2 3
#   coordinator has partitions 0 1 2 3
# The pipeline runs at 127.0.0.1:37213. Ctrl-C ends it.
