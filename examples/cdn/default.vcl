vcl 4.1;

# Varnish 7 in front of Pressroom: keeps public answers, asks Pressroom for its verdict on an API key every
# second, and is purged by purge.mjs. docs/cdn.md explains it.

import std;
import xkey;

backend pressroom {
  .host = "127.0.0.1";
  .port = "3000";
  .connect_timeout = 1s;
  .first_byte_timeout = 10s;
  .probe = { .url = "/health/ready"; .interval = 1s; .timeout = 1s; .window = 2; .threshold = 1; }
}

# Who may purge.
acl purgers {
  "127.0.0.1";
  "::1";
}

sub vcl_recv {
  if (req.method == "PURGE") {
    if (client.ip !~ purgers) {
      return (synth(403, "Not allowed to purge"));
    }
    return (synth(200, "Purged " + xkey.purge(req.http.Purge-Tags)));
  }
  if (req.restarts == 0) {
    # No client may send what the steps below tell each other.
    unset req.http.Edge-Key-Is;
    unset req.http.Edge-Url;
    unset req.http.Edge-Origin;
  }
  # What is somebody's own, and every write, goes through.
  if ((req.method != "GET" && req.method != "HEAD") || req.http.Authorization) {
    return (pass);
  }
  # Pressroom refuses it, and says which scope the key lacks.
  if (req.http.Edge-Key-Is == "without the scope") {
    return (pass);
  }
  if (!req.http.Edge-Key-Is && req.url !~ "^/(blog/(id|slug|list)/|blogs/|tags|authors/|feeds/|sitemap)") {
    return (pass);
  }
  unset req.http.Cookie;
  # With PUBLIC_FEEDS=on, feeds and sitemap need no key:
  # if (req.url ~ "^/(feeds/|sitemap)") {
  #   return (hash);
  # }
  if (!req.http.Edge-Key-Is) {
    # First the verdict on the key, as an object of its own; then the answer (see vcl_deliver).
    set req.http.Edge-Url = req.url;
    set req.http.Edge-Key-Is = "asked for";
    set req.url = "/auth/verify/apikey";
  }
  if (req.http.Edge-Key-Is == "asked for" && std.healthy(req.backend_hint) && !req.http.Edge-Origin) {
    # After a second it is asked for again, meanwhile the last one counts. One older than two seconds counts
    # only while Pressroom is down.
    set req.grace = 1s;
  } else {
    set req.grace = 1d;
  }
  return (hash);
}

sub vcl_hash {
  hash_data(req.url);
  if (req.http.Edge-Key-Is == "asked for") {
    hash_data(req.http.X-API-Key);
  } else if (req.http.Origin) {
    hash_data(req.http.Origin);
  }
  return (lookup);
}

sub vcl_backend_fetch {
  if (bereq.url == "/auth/verify/apikey") {
    # All readers with the key wait for it, also where Pressroom hangs and the probe does not know yet.
    set bereq.first_byte_timeout = 1s;
  }
  unset bereq.http.Edge-Key-Is;
  unset bereq.http.Edge-Url;
  unset bereq.http.Edge-Origin;
}

sub vcl_backend_response {
  if (beresp.status >= 500 && (bereq.is_bgfetch || bereq.url == "/auth/verify/apikey")) {
    # The copy, or the verdict, that is there is better than an error.
    return (abandon);
  }
  set beresp.grace = 0s;
  if (bereq.url == "/auth/verify/apikey") {
    unset beresp.http.Cache-Control;
    set beresp.ttl = 1s;
    if (beresp.status == 200) {
      set beresp.grace = 1h;
    }
  } else if (beresp.http.Cache-Tag) {
    set beresp.http.xkey = regsuball(beresp.http.Cache-Tag, ",", " ");
    # The key was checked above: one copy serves all keys.
    set beresp.http.Vary = regsub(beresp.http.Vary, "(?i)X-API-Key, *", "");
    if (beresp.http.CDN-Cache-Control ~ "stale-if-error=") {
      set beresp.grace = std.duration(
        regsub(beresp.http.CDN-Cache-Control, "^.*stale-if-error=(\d+).*$", "\1s"), 0s);
    }
  } else {
    if (beresp.status == 401 || beresp.status == 403) {
      # The key was switched off after its verdict. That says nothing of the copy, which serves all keys.
      if (bereq.is_bgfetch) {
        return (abandon);
      }
      set beresp.ttl = 0s;
    }
    set beresp.uncacheable = true;
  }
  return (deliver);
}

sub vcl_backend_error {
  # An error that is stored replaces the last good verdict. vcl_synth answers.
  return (abandon);
}

sub vcl_synth {
  if (resp.status != 503) {
    return (deliver);
  }
  if (req.http.Edge-Key-Is == "asked for" && !req.http.Edge-Origin) {
    # Pressroom or its database has just gone, and the probe does not know yet: use the last verdict.
    set req.http.Edge-Origin = "down";
    return (restart);
  }
  set resp.http.Content-Type = "application/json; charset=utf-8";
  set resp.http.Retry-After = "5";
  set resp.body = """{"code":"10002","status":503,"message":"the server does not answer: try again in a moment"}""";
  return (deliver);
}

sub vcl_deliver {
  if (req.http.Edge-Key-Is == "asked for" && resp.status == 200) {
    set req.http.Edge-Key-Is = "without the scope";
    if (req.http.Edge-Url ~ "^/blogs/search") {
      if (resp.http.X-API-Key-Scopes ~ "\bsearch\b") {
        set req.http.Edge-Key-Is = "good";
      }
    } else if (req.http.Edge-Url ~ "^/(feeds/|sitemap)") {
      if (resp.http.X-API-Key-Scopes ~ "\bfeeds\b") {
        set req.http.Edge-Key-Is = "good";
      }
    } else if (resp.http.X-API-Key-Scopes ~ "\bread\b") {
      set req.http.Edge-Key-Is = "good";
    }
    set req.url = req.http.Edge-Url;
    return (restart);
  }
  unset resp.http.xkey;
  unset resp.http.Cache-Tag;
  unset resp.http.CDN-Cache-Control;
  if (obj.hits > 0) {
    set resp.http.X-Cache = "hit";
  } else {
    set resp.http.X-Cache = "miss";
  }
}
