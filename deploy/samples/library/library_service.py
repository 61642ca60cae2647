import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

books, lent = ["Dune", "Emma", "Middlemarch", "Mort"], {}  # lent: idempotency keys by book


def resolve(call):
    said = call["parameters"].get("book", "").strip().casefold()
    found = [book for book in books if said in book.casefold()] or books
    if len(found) == 1:
        return {"success": {"value": found[0]}}
    options = [{"id": book, "title": book, "value": book} for book in found]
    return {"disambiguation": {"options": options, "dialog": "Which book?"}}


def confirm(call):
    book = call["parameters"]["book"]
    if book in lent:
        return {"code": "failureLent", "dialog": f"{book} is lent out."}
    return {"code": "ready", "dialog": f"{call['summary']}?"}


def handle(call):
    book, key = call["parameters"]["book"], call["idempotencyKey"]
    if lent.setdefault(book, key) != key:  # a repeat has the same key
        return {"code": "failureLent", "dialog": f"{book} has just gone."}
    return {"code": "success", "dialog": f"Enjoy {book}."}


class Service(BaseHTTPRequestHandler):
    def do_POST(self):
        call = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        reply = json.dumps({"resolve": resolve, "confirm": confirm, "handle": handle}[call["phase"]](call)).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(reply)))
        self.end_headers()
        self.wfile.write(reply)


ThreadingHTTPServer(("127.0.0.1", 8801), Service).serve_forever()
