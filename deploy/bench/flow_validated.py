#!/usr/bin/env python3
"""flow_python.py as a team would have it in production, as a measure for the pipeline: each event is validated. One role, as a process.

    flow_validated.py SCHEMAS ROLE --bootstrap-servers HOST:PORT --prefix NAME --sizes BYTES,… [-X NAME=VALUE]…

The events have all members that our contract requires, and less padding. Each event that is read is validated by its schema in the folder SCHEMAS
(deploy/contract/schemas) with jsonschema-rs, a compiled validator. What is written is not validated, as in the pipeline."""
import os
import secrets

import jsonschema_rs
import orjson

from flow_python import Role
from records import OUTCOMES, TYPES, arguments, event_type


class ValidatingRole(Role):
    def __init__(self, options):
        super().__init__(options)
        self.validators = {}
        for name in [*TYPES.values(), *OUTCOMES]:
            with open(os.path.join(options.schemas, f"{name}.json"), "rb") as file:
                self.validators[name] = jsonschema_rs.validator_for(orjson.loads(file.read()))

    def read(self, topic, message):
        event = super().read(topic, message)
        self.validators[event_type(topic, event["step"])].validate(event)
        return event

    def request(self, session, event):
        parameters = {name: {"value": value, "state": "given"} for name, value in event["parameters"].items()}
        return {**super().request(session, event), "parameters": parameters}

    def decide(self, session, event):
        state = super().decide(session, event)
        state["ticket"] = secrets.token_hex(16)
        return state

    def effect(self, state):
        event = {**super().effect(state), "request": state["id"]}
        if state["stage"] == "results":
            parameters = {name: parameter["value"] for name, parameter in state["parameters"].items()}
            return {**event, "sequence": 1, "status": "success", "code": "success", "parameters": parameters, "turns": state["turns"]}
        return {
            **event, "ticket": state["ticket"], "attempt": 1, "parameters": state["parameters"],
            # A time of the right form. No worker reads it.
            "deadline": self.headers.now(), "idempotencyKey": f"{state['session']}/{state['id']}"}

    def outcome(self, event):
        outcome = {"step": event["step"], "id": event["id"], "request": event["request"], "ticket": event["ticket"]}
        if self.phase == "resolve":
            outcome["resolutions"] = [
                {"parameter": name, "success": {"value": parameter["value"]}} for name, parameter in event["parameters"].items()]
        else:
            outcome["code"] = "ready" if self.phase == "confirm" else "success"
        return outcome


if __name__ == "__main__":
    ValidatingRole(arguments(__doc__.splitlines()[0], schemas=True)).run()
