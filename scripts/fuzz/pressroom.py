"""Hooks that give schemathesis what the OpenAPI description cannot express.

Credentials, operations that end a session or an account, links between operations, and records that the
run needs and must not delete. Correct refusals of valid data are in correct_refusals.py.
"""

import atexit
import base64
import json
import os
import random
import time
import uuid
from collections import Counter, defaultdict

import requests
import schemathesis
from schemathesis import AuthContext, Case, GenerationMode, HookContext
from schemathesis.core.failures import Failure
from schemathesis.core.transport import Response

from links import LINKS
from correct_refusals import is_correct_refusal, is_valid_once_trimmed

with open(os.environ["FUZZ_RUN"], encoding="utf-8") as file:
    RUN = json.load(file)

RANDOM = random.Random(RUN["seed"])
HTTP = requests.Session()


def call(method: str, path: str, token: str | None = None, body: object = None) -> dict:
    """Sends a request for the run itself. Raises an error unless it succeeds."""
    headers = {"x-api-key": RUN["apiKey"]}
    if token is not None:
        headers["authorization"] = f"Bearer {token}"
    response = HTTP.request(method, RUN["url"] + path, headers=headers, json=body, timeout=30)
    response.raise_for_status()
    return response.json().get("data")


def sign_in(person: dict) -> dict:
    credentials = {"email": person["email"], "password": person["password"]}
    tokens = call("POST", "/auth/signin/basic", body=credentials)["tokens"]
    claims = tokens["accessToken"].split(".")[1]
    sid = json.loads(base64.urlsafe_b64decode(claims + "=" * (-len(claims) % 4)))["sid"]
    return {**tokens, "sid": sid, "password": person["password"]}


# --- Credentials ---------------------------------------------------------------------------------

# Operations that end the caller's session, with the request fields that must belong to this session.
ENDS_SESSION = {
    "DELETE /auth/signout": {},
    "POST /auth/signout": {},
    "POST /auth/refresh": {"refresh_token": "refreshToken"},
    "POST /auth/token/refresh": {"refresh_token": "refreshToken"},
    "DELETE /auth/sessions": {},
    "DELETE /auth/sessions/id/{id}": {"path.id": "sid"},
}
# Operations that delete the caller's account or change its password, with the request fields that must fit it.
CHANGES_ACCOUNT = {
    "PUT /auth/password": {"currentPassword": "password"},
    "DELETE /profile/mine": {"password": "password"},
}
# A session for each of these operations, until the operation has ended it.
DISPOSABLE_SESSIONS: dict[str, dict] = {}


def needs_disposable_session(ctx: AuthContext) -> bool:
    return ctx.operation.label in ENDS_SESSION or ctx.operation.label in CHANGES_ACCOUNT


ROOT = {"token": "", "until": 0.0}


def root_token() -> str:
    """Returns the token of the seeded admin. It is reused: a sign-in takes as long as fifty requests."""
    if time.monotonic() > ROOT["until"]:
        ROOT.update(token=sign_in(RUN["root"])["accessToken"], until=time.monotonic() + 240)
    return ROOT["token"]


def new_account() -> dict:
    """Makes an account with the roles of the run's identity, which an operation may then end."""
    person = {"email": f"{uuid.uuid4()}@fuzz.example", "password": "a disposable password"}
    user = call("POST", "/auth/signup/basic", body={**person, "name": "Disposable account"})["user"]
    call("PUT", f"/admin/users/id/{user['_id']}/roles", root_token(), {"roles": RUN["roles"]})
    return person


def set_credentials(case: Case, token: str | None) -> None:
    case.headers = case.headers or {}
    case.headers["x-api-key"] = RUN["apiKey"]
    if token is not None:
        case.headers["Authorization"] = f"Bearer {token}"


if RUN["person"] is not None:

    @schemathesis.auth(refresh_interval=None).apply_to(needs_disposable_session)
    class DisposableSession:
        """A separate session for each operation that would end the session of the run."""

        def get(self, case: Case, ctx: AuthContext) -> dict:
            label = ctx.operation.label
            if label not in DISPOSABLE_SESSIONS:
                person = new_account() if label in CHANGES_ACCOUNT else RUN["person"]
                DISPOSABLE_SESSIONS[label] = sign_in(person)
            return DISPOSABLE_SESSIONS[label]

        def set(self, case: Case, data: dict, ctx: AuthContext) -> None:
            set_credentials(case, data["accessToken"])
            fields = {**ENDS_SESSION, **CHANGES_ACCOUNT}[ctx.operation.label]
            if is_valid(case) and RANDOM.random() < 0.5:
                for name, field in fields.items():
                    set_field(case, name, data[field])


def set_field(case: Case, name: str, value: str) -> None:
    if name == "path.id":
        case.path_parameters["id"] = value
    elif isinstance(case.body, dict) and name in case.body:
        case.body = {**case.body, name: value}


@schemathesis.auth(refresh_interval=240, retry_on=[401] if RUN["person"] else [])
class Identity:
    """The user of the run. Signs in again before the token expires, and after a 401."""

    def get(self, case: Case, ctx: AuthContext) -> dict:
        return sign_in(RUN["person"]) if RUN["person"] else {"accessToken": None}

    def set(self, case: Case, data: dict, ctx: AuthContext) -> None:
        set_credentials(case, data["accessToken"])


def is_valid(case: Case) -> bool:
    return case.meta is None or case.meta.generation.mode == GenerationMode.POSITIVE


# --- Links ---------------------------------------------------------------------------------------


@schemathesis.hook
def before_load_schema(ctx: HookContext, raw_schema: dict) -> None:
    """Adds the links that the stateful phase follows, and leaves out the stream, which sends as long as it may."""
    paths = raw_schema["paths"]
    paths.pop("/notices/stream", None)
    for (method, path), parameters, targets in LINKS:
        source = paths.get(path, {}).get(method.lower())
        if source is None:
            continue
        links = own_response(raw_schema, source).setdefault("links", {})
        for target_method, target_path in targets:
            target = paths.get(target_path, {}).get(target_method.lower())
            if target is not None:
                name = target["operationId"]
                links[name] = {"operationId": name, "parameters": parameters}


def own_response(raw_schema: dict, operation: dict) -> dict:
    """Returns the 200 response of an operation. If it is a shared response, the operation first gets a copy of it."""
    response = operation["responses"]["200"]
    if "$ref" in response:
        name = response["$ref"].removeprefix("#/components/responses/")
        response = dict(raw_schema["components"]["responses"][name])
        operation["responses"]["200"] = response
    return response


# --- Records that the run needs ------------------------------------------------------------------

NEEDED = frozenset(RUN["needed"])


@schemathesis.hook
def before_call(ctx: HookContext, case: Case, kwargs: dict) -> None:
    """If a request would change an account or API key that the run needs, names a spare one instead."""
    is_change = case.method.upper() in ("PUT", "DELETE")
    is_admin = case.operation.path.startswith("/admin/")
    if is_change and is_admin and case.path_parameters.get("id") in NEEDED:
        kind = "users" if "/users/" in case.operation.path else "keys"
        case.path_parameters["id"] = RANDOM.choice(RUN["spare"][kind])


# --- Correct refusals ----------------------------------------------------------------------------

# Operations that remove a record, or hand it over to another author, with the parameter that names its id.
# schemathesis knows only that DELETE removes the record of its own path.
REMOVES = {
    "DELETE /blog/author/id/{id}": "id",
    "DELETE /blog/author/trash/id/{id}": "id",
    "PUT /admin/blogs/id/{id}/author": "id",
    "DELETE /blog/author/comments/id/{id}/{comment}": "comment",
    "DELETE /blog/editor/comments/id/{id}/{comment}": "comment",
}
UNDELETE = "PUT /blog/author/undelete/id/{id}"
# The ids of removed records. For these 404 is the correct answer.
REMOVED: set[str] = set()


@schemathesis.hook
def filter_failure(ctx: HookContext, failure: Failure, case: Case, response: Response) -> bool:
    """Keeps a failure unless it is a correct refusal or a correct acceptance."""
    if "positive_data_acceptance" in failure.checks:
        return not is_correct_refusal(case, response)
    if "negative_data_rejection" in failure.checks:
        # The server treats the body null as no body, which is valid if no field is required.
        return case.body is not None and not is_valid_once_trimmed(case)
    if "ensure_resource_availability" in failure.checks:
        return REMOVED.isdisjoint(case.path_parameters.values())
    return True


# --- Statistics ----------------------------------------------------------------------------------

ANSWERS: defaultdict[str, Counter] = defaultdict(Counter)
# The credentials that the identity has.
CREDENTIALS = {"apiKey", "accessToken"} if RUN["person"] else {"apiKey"}
# How often each operation succeeded that requires all of these credentials.
ACCEPTED = Counter()


@schemathesis.hook
def after_call(ctx: HookContext, case: Case, response: Response) -> None:
    label = case.operation.label
    if case.method.upper() == case.operation.method.upper():
        ANSWERS[label][response.status_code] += 1
    required = case.operation.definition.raw.get("security", [])
    if response.status_code == 200 and any(CREDENTIALS <= set(option) for option in required):
        ACCEPTED[label] += 1
    if response.status_code == 200 and label in REMOVES:
        REMOVED.add(case.path_parameters[REMOVES[label]])
    if response.status_code == 200 and label == UNDELETE:
        REMOVED.discard(case.path_parameters["id"])
    if response.status_code == 200 or is_invalid_session(response):
        DISPOSABLE_SESSIONS.pop(label, None)


def is_invalid_session(response: Response) -> bool:
    """Returns whether the session is invalid. After a 401 for a wrong password or refresh token it is still valid."""
    return response.status_code == 401 and response.json()["code"] == "10003"


@atexit.register
def write_answers() -> None:
    with open(RUN["answersFile"], "w", encoding="utf-8") as target:
        json.dump({"answers": ANSWERS, "accepted": ACCEPTED.total()}, target)
