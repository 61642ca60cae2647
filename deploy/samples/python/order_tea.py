#!/usr/bin/env python3
"""Orders tea, and asks in the terminal what the pipeline wants to know.

./worker.py -b localhost:9092 &
./order_tea.py localhost:9092 "tea"
"""

import sys

from intent_pipeline import Answer, IntentClient, Result


def answer(prompt: Result) -> Answer:
    for number, option in enumerate(prompt.options, 1):
        print(f"  {number}. {option.title}")
    question = " [yes/no]" if prompt.kind == "confirmIntent" else ""
    return Answer.typed(input(f"{prompt.dialog}{question} "))


def main() -> None:
    servers, tea = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else None
    with IntentClient(servers) as client, client.ask("OrderTea", {"kind": tea} if tea else {}) as order:
        completion = order.converse(answer)
        print(completion.dialog or f"{completion.status}: {completion.code}")
        sys.exit(0 if completion.status == "success" else 4)


if __name__ == "__main__":
    main()
