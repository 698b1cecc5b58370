"""Knows which refusals are correct although the request is valid by the schema."""

import re

from schemathesis import Case
from schemathesis.core.transport import Response

# These refusals depend on stored data, or on rules that a JSON schema cannot express.
# (status, message, reason)
CORRECT_REFUSALS = [
    (400, "user already registered", "an email address may have only one account"),
    (400, "blog with slug: .* already exists", "a slug may belong to only one blog"),
    (400, "_id in the body must be the id in the path", "a schema cannot compare two values"),
    (400, "blog cannot be .*: it is .*", "the state of the blog does not allow it"),
    (400, "blog has 100 open previews: .*", "a blog may have only so many"),
    (400, "editor must be the id of an enabled user .*", "it must be a stored editor"),
    (400, "user must be the id of an enabled user .*", "it must be a stored author"),
    (400, "you have 50 tokens, .*", "a user has a limited number of tokens"),
    (400, "the passkey was not added.*", "only a browser can make the response"),
    (400, "you have 10 passkeys, .*", "a user has a limited number of passkeys"),
    (400, "the link is not valid any more.*", "a token is known only from a mail"),
    (400, "the address has an open invitation.*", "an address has one open invitation at most"),
    (422, "(currentPassword|password) is missing, .*", "it may be missing after another kind of sign-in"),
    (422, "name is missing", "it may be missing if the invitation has one"),
    (400, "q must not stand beside unused", "a schema cannot exclude one by another"),
    (400, "(actor|subject|kind) must not stand beside .*", "a schema cannot exclude one by another"),
    (422, "roles must be among your own", "they must be those of the caller"),
    (400, "blog is under review: withdraw it first", "the state of the blog does not allow it"),
    (400, "replyTo must be the _id of a comment on this blog.*", "it must be a stored comment"),
    (422, "mentions must be ids of people who .*", "they must be stored people who may comment"),
    (400, "the blog has 500 comments.*", "a blog has a limited number of comments"),
    (400, "cursor must be taken from the Link header.*", "a cursor is opaque, and excludes page"),
    (400, "include needs a limit of 20 at most.*", "a schema cannot compare two values"),
    (400, "q must have at most 8 words", "a schema cannot count words"),
    (400, "(start|end) must be taken from /sitemap.xml.*", "a position is opaque"),
    (400, "tag must have 1 to 200 characters.*", "a tag is trimmed, and may then be empty"),
    (400, "tag must not stand beside author.*", "a schema cannot exclude one parameter by another"),
    (400, "the last enabled ADMIN cannot be .*", "one enabled ADMIN must remain"),
    (400, "the JSON has more than 1,000 members and elements.*", "a schema counts each list alone"),
    (400, "the JSON is nested too deeply", "unknown members may be of any depth"),
    (422, "Idempotency-Key was used for another request.*", "another request has used it"),
    (404, "there is no single sign-on here.*", "the server has no OIDC_ISSUER"),
    (415, "the file is no picture that is taken.*", "a schema cannot tell a picture"),
    (422, "the picture cannot be used: .*", "a schema cannot tell a whole picture"),
    (422, "validation error: (caption|credit|focus|file) .*", "a form has texts only"),
    (400, "the body is not a whole form.*", "a form has no member of this name"),
    (422, "validation error: the form has more .*", "a schema does not limit the fields of a form"),
    (410, "the secret can no longer be shown.*", "the webhook was rotated"),
    (413, "the body is larger than .*", "a schema counts characters, not bytes"),
    (412, "the blog has changed since you read it.*", "If-Match names another revision"),
    (400, ".* must not contain NUL characters", "the schema has no pattern for it"),
    (422, ".* must not contain NUL characters", "the schema has no pattern for it"),
    (400, ".* must not contain (control )?characters .*", "the schema has no pattern for it"),
    (422, ".* must not contain (control )?characters .*", "the schema has no pattern for it"),
    (400, ".* must have visible characters", "a schema cannot express what is visible"),
    (422, ".* must have visible characters", "a schema cannot express what is visible"),
    (422, "(cover.media|media|profilePicUrl) must be a picture of your library.*", "it must be a stored picture"),
    (422, "draftText must show something.*", "a schema cannot express what is visible"),
    (422, "tags.* must not be one or two dots.*", "the schema has no pattern for it"),
    (422, "slug must not be .*: the site needs .*", "the schema does not contain the list"),
    (422, "name must not look like .*", "a schema cannot express what looks alike"),
    (400, ".* must not contain unpaired surrogates", "the schema has no pattern for it"),
    (422, ".* must not contain unpaired surrogates", "the schema has no pattern for it"),
    (422, ".* must be valid Unicode without NUL", "the schema has no pattern for it"),
    (422, ".* must have at most 72 bytes of UTF-8", "a schema counts characters"),
    (422, ".* is one of the most common passwords.*", "the schema does not contain the list"),
    (422, ".* must not be your address or name", "a schema cannot compare two values"),
    (422, "slug must have .* and at least one .*", "nothing is left after normalisation"),
    (400, "the text of the revision must be .*", "a schema cannot express the cleaning"),
    (422, "expiresAt must be in the future.*", "a schema has no present time"),
    (422, "publishAt or unpublishAt is missing", "each alone may be left out"),
    (422, "(un)?publishAt must be 1 minute to 2 years ahead", "a schema has no present time"),
    (422, "unpublishAt must be later than publishAt", "a schema cannot compare two values"),
    (400, "blog is to be (un)?published .*: send .* as well", "the other time is stored"),
    (422, "expiresIn must be a duration from .*", "a schema cannot compare durations"),
    (422, "draft(Text|Markdown) must be .* after cleaning", "a schema cannot express the cleaning"),
    (422, "draftText is missing", "the schema cannot say: unless draftMarkdown is sent"),
    (422, "draftMarkdown must not stand beside draftText.*", "the schema cannot exclude one by the other"),
    (422, "draftMarkdown cannot be converted: .*", "a schema does not know the bounds of the converter"),
]
REFUSALS = [(status, re.compile(text, re.DOTALL)) for status, text, _reason in CORRECT_REFUSALS]


# The characters that JavaScript's trim() removes. Python's strip() removes others.
JS_WHITESPACE = "\t\n\v\f\r \u00a0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff"
JS_WHITESPACE += "".join(map(chr, range(0x2000, 0x200B)))
UNTRIMMED = {"draftText", "draftMarkdown", "password", "currentPassword", "newPassword"}
TOO_SHORT = re.compile(r"(\S+) must be (\d+) to \d+ characters")


def is_correct_refusal(case: Case, response: Response) -> bool:
    answer = response.json()
    if answer["message"] == "the body is not valid JSON":
        # The parser refuses the keys __proto__ and constructor.prototype at any depth.
        return "__proto__" in str(case.body) or "prototype" in str(case.body)
    return all(
        is_listed(response.status_code, error["message"])
        or is_too_short_once_trimmed(case, error)
        for error in answer.get("errors", [answer])
    )


def is_listed(status: int, message: str) -> bool:
    return any(status == listed and text.fullmatch(message) for listed, text in REFUSALS)


def is_too_short_once_trimmed(case: Case, error: dict) -> bool:
    """The server trims texts before it checks their length. A schema cannot express this."""
    match = TOO_SHORT.fullmatch(error["message"])
    if match is None:
        return False
    if "field" not in error:  # An error in the query has only a message.
        value = case.query[match[1]]
    else:
        value = case.body
        for part in error["field"].split("."):
            value = value[int(part)] if part.isdigit() else value[part]
    return len(value.strip(JS_WHITESPACE)) < int(match[2])


def is_valid_once_trimmed(case: Case) -> bool:
    """Whether the body is valid after trimming, for example because a text is then short enough."""
    body = trimmed(case.body)
    return body != case.body and any(schema.is_valid(body) for schema in case.operation.body)


def trimmed(value: object) -> object:
    if isinstance(value, str):
        return value.strip(JS_WHITESPACE)
    if isinstance(value, list):
        return [trimmed(item) for item in value]
    if isinstance(value, dict):
        # The server does not trim the fields of UNTRIMMED.
        return {key: part if key in UNTRIMMED else trimmed(part) for key, part in value.items()}
    return value
