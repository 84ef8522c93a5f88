import base64, hmac, json, os, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

TOLERANCE_SECONDS = 300
KEY = base64.b64decode(os.environ["UPVANE_WEBHOOK_SECRET"].removeprefix("whsec_"))
if len(KEY) < 24:  # with an empty key anybody could sign
    raise SystemExit("UPVANE_WEBHOOK_SECRET must be a whsec_... secret")


def is_signed(headers, body):
    timestamp = headers.get("webhook-timestamp", "")
    if not timestamp.isdecimal() or abs(time.time() - int(timestamp)) > TOLERANCE_SECONDS:
        return False
    content = f"{headers.get('webhook-id', '')}.{timestamp}.".encode() + body
    expected = b"v1," + base64.b64encode(hmac.digest(KEY, content, "sha256"))
    # During a rotation there are several signatures, separated by blanks.
    given = headers.get("webhook-signature", "").encode().split(b" ")
    return any([hmac.compare_digest(each, expected) for each in given])


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        # The bytes as they arrived: parsing and writing them again would change them.
        body = self.rfile.read(int(self.headers["Content-Length"]))
        signed = is_signed(self.headers, body)
        if signed:
            event = json.loads(body)
            print(event["id"], event["type"], flush=True)
        self.send_response(204 if signed else 400)
        self.end_headers()


ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "9900"))), Receiver).serve_forever()
