export KAFKA_BOOTSTRAP_SERVERS=127.0.0.1:37213
.build/debug/intents chat WaterPlant
# ? Which plant is thirsty?
# > cactus
# ? The Cactus drowns in more than 50 mL.
# > 30 mL
# ? Give the Cactus 30 mL of water?
# y/n: y
# ✓ WaterPlant success: The Cactus says thank you.
