echo 'me|{"intent":"WaterPlant","parameters":{"plant":"fern"}}' |
    kcat -P -b "$KAFKA_BOOTSTRAP_SERVERS" -t intents.requests -K '|' -X topic.partitioner=murmur2_random
.build/debug/intents watch --session me --from-beginning
# 06:51:40  me  ? Which of them? 1. Boston fern, 2. Maidenhair fern
.build/debug/intents reply --session me "Boston fern"
.build/debug/intents reply --session me --yes
