"""Links between operations: which operations can use the id, slug or token of a response."""

BLOG = {"id": "$response.body#/data/_id"}
SLUG = {"slug": "$response.body#/data/slug"}
FIRST_BLOG = {"id": "$response.body#/data/0/_id"}
COMMENT = {"id": "$request.path.id", "comment": "$response.body#/data/_id"}
BLOG_TRANSITIONS = [
    ("PUT", "/blog/author/submit/{id}"),
    ("PUT", "/blog/author/withdraw/{id}"),
    ("PUT", "/blog/author/discard/{id}"),
    ("PUT", "/blog/editor/id/{id}"),
    ("PUT", "/blog/editor/return/id/{id}"),
    ("PUT", "/blog/editor/assign/id/{id}"),
    ("PUT", "/blog/editor/publish/id/{id}"),
    ("PUT", "/blog/editor/unpublish/id/{id}"),
    ("PUT", "/blog/editor/schedule/id/{id}"),
    ("PUT", "/blog/editor/unschedule/id/{id}"),
]
AUTHOR_COMMENTS = "/blog/author/comments/id/{id}"
EDITOR_COMMENTS = "/blog/editor/comments/id/{id}"
BLOG_USES = [
    *BLOG_TRANSITIONS,
    ("PUT", "/blog/author/id/{id}"),
    ("DELETE", "/blog/author/id/{id}"),
    ("PUT", "/blog/author/undelete/id/{id}"),
    ("DELETE", "/blog/author/trash/id/{id}"),
    ("PUT", "/admin/blogs/id/{id}/author"),
    ("GET", "/blog/author/id/{id}"),
    ("GET", "/blog/author/history/id/{id}"),
    ("GET", "/blog/editor/id/{id}"),
    ("GET", "/blog/editor/history/id/{id}"),
    ("GET", "/blog/id/{id}"),
    ("GET", "/blogs/similar/id/{id}"),
    *((method, path) for method in ("GET", "POST") for path in (AUTHOR_COMMENTS, EDITOR_COMMENTS)),
    ("POST", "/blog/author/preview/id/{id}"),
    ("POST", "/blog/editor/preview/id/{id}"),
    ("DELETE", "/blog/author/preview/id/{id}"),
    ("DELETE", "/blog/editor/preview/id/{id}"),
]
COMMENT_USES = [
    (method, path + "/{comment}")
    for method in ("PUT", "DELETE")
    for path in (AUTHOR_COMMENTS, EDITOR_COMMENTS)
]
PREVIEW = {"token": "$response.body#/data/token"}
PREVIEW_USES = [("GET", "/blog/preview/{token}")]
USER_USES = [
    ("GET", "/profile/id/{id}"),
    ("GET", "/admin/users/id/{id}"),
    ("PUT", "/admin/users/id/{id}/roles"),
    ("PUT", "/admin/users/id/{id}/status"),
    ("PUT", "/admin/users/id/{id}/blogs/author"),
]
TOKEN_USES = [("DELETE", "/auth/tokens/id/{id}")]
KEY_USES = [("PUT", "/admin/apikeys/id/{id}"), ("DELETE", "/admin/apikeys/id/{id}")]
SESSION_USES = [("DELETE", "/auth/sessions/id/{id}")]

# (operation, parameters from its response, operations that use these parameters)
LINKS = [
    *((source, BLOG, BLOG_USES) for source in [("POST", "/blog/author"), *BLOG_TRANSITIONS]),
    (("PUT", "/blog/author/id/{id}"), BLOG, BLOG_TRANSITIONS),
    (("POST", "/blog/author"), SLUG, [("GET", "/blog/slug/{slug}")]),
    (("POST", AUTHOR_COMMENTS), COMMENT, COMMENT_USES),
    (("POST", EDITOR_COMMENTS), COMMENT, COMMENT_USES),
    (("GET", "/blogs/latest"), FIRST_BLOG, BLOG_USES),
    (("GET", "/blog/author/drafts"), FIRST_BLOG, BLOG_USES),
    (("GET", "/blog/author/trash"), FIRST_BLOG, BLOG_USES),
    (("GET", "/blog/editor/submitted"), FIRST_BLOG, BLOG_USES),
    (("GET", "/blog/editor/scheduled"), FIRST_BLOG, BLOG_USES),
    (("POST", "/blog/author/preview/id/{id}"), PREVIEW, PREVIEW_USES),
    (("POST", "/blog/editor/preview/id/{id}"), PREVIEW, PREVIEW_USES),
    (("POST", "/auth/signup/basic"), {"id": "$response.body#/data/user/_id"}, USER_USES),
    (("GET", "/admin/users"), {"id": "$response.body#/data/0/_id"}, USER_USES),
    (("POST", "/auth/tokens"), {"id": "$response.body#/data/_id"}, TOKEN_USES),
    (("POST", "/admin/apikeys"), {"id": "$response.body#/data/_id"}, KEY_USES),
    (("GET", "/auth/sessions"), {"id": "$response.body#/data/0/_id"}, SESSION_USES),
]
