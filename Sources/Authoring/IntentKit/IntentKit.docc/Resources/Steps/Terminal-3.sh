swift test
# ✔ Test "One of two ferns gets what it can drink, once the person has agreed" passed
