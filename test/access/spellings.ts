/** Another spelling of the path of a request. */
export interface Spelling {
  /** How the path is rewritten. One kind may give several spellings. */
  readonly kind: string;
  readonly name: string;
  /** A request target, sent as it is. */
  readonly target: string;
  /** Whether the spelling must get the same answer as the path itself. If not, the server may also refuse it. */
  readonly isEquivalent: boolean;
}

type Rewrite = (path: string) => string;

/** Rewrites of the beginning or the end of a path. The server may refuse the result. */
const PATH_REWRITES: Readonly<Record<string, Rewrite>> = {
  'behind an open path': (path) => `/health/..${path}`,
  'behind an open path, encoded': (path) => `/health/%2e%2e${path}`,
  'behind an open path, with an encoded slash': (path) => `/health%2f..${path}`,
  'as a parameter of an open path': (path) => `/health;${path}`,
  'as the address of another scheme': (path) => `ftp://elsewhere.example${path}`,
  'as an address without a scheme': (path) => `//elsewhere.example${path}`,
  'with two slashes at the end': (path) => `${path}//`,
  'with a dot at the end': (path) => `${path}/.`,
  'with an encoded dot at the end': (path) => `${path}/%2e`,
  'with a segment and two dots at the end': (path) => `${path}/x/..`,
  'with a segment and two encoded dots at the end': (path) => `${path}/x/%2E%2E`,
  'with a parameter': (path) => `${path};x`,
  'with an encoded parameter': (path) => `${path}%3Bx`,
  'with a named parameter': (path) => `${path};jsessionid=x`,
  'with an encoded slash at the end': (path) => `${path}%2F`,
  'with an encoded question mark': (path) => `${path}%3Fx`,
  'with an encoded number sign': (path) => `${path}%23x`,
  'with NUL': (path) => `${path}%00`,
  'with an encoded blank': (path) => `${path}%20`,
  'with an encoded line end': (path) => `${path}%0d%0a`,
  'with an extension': (path) => `${path}.json`,
  'with an undecodable end': (path) => `${path}%c0%af`,
  'with a fragment': (path) => `${path}#x`,
  'with its first letter encoded': (path) => `/%${path.charCodeAt(1).toString(16)}${path.slice(2)}`,
};

/** What a careless server or proxy may read as a slash. */
const SLASH_SUBSTITUTES = {
  'encoded slash': '%2F',
  'encoded slash in small letters': '%2f',
  'slash encoded twice': '%252F',
  'over-long slash': '%c0%af',
  backslash: '\\',
  'encoded backslash': '%5C',
  'double slash': '//',
  dot: '/./',
  'encoded dot': '/%2e/',
  'parent segment': '/x/../',
  'encoded parent segment': '/x/%2e%2E/',
  parameter: ';x/',
} as const;

const EQUIVALENT_REWRITES: Readonly<Record<string, Rewrite>> = {
  'with a trailing slash': (path) => `${path}/`,
  'with an empty query': (path) => `${path}?`,
  'with a method in the query': (path) => `${path}?_method=DELETE&method=DELETE`,
  'as an address of another host': (path) => `http://elsewhere.example:81${path}`,
};

/** Spellings that a careless server or proxy may take for the path itself. */
export function spellingsOf(path: string): Spelling[] {
  const slashes = [...path.matchAll(/\//g)].map(({ index }) => index);
  const rewritten = (rewrites: Readonly<Record<string, Rewrite>>, isEquivalent: boolean) =>
    Object.entries(rewrites).map(([name, rewrite]) => ({
      kind: name,
      name,
      target: rewrite(path),
      isEquivalent,
    }));
  const substituted = Object.entries(SLASH_SUBSTITUTES).flatMap(([kind, slash]) =>
    // Node's parser refuses a target without a slash at its beginning, so some substitutes cannot stand there.
    slashes
      .filter((at) => at > 0 || slash.startsWith('/'))
      .map((at) => ({
        kind,
        name: `${kind} at ${at}`,
        target: path.slice(0, at) + slash + path.slice(at + 1),
        isEquivalent: false,
      })),
  );
  return [
    ...rewritten(PATH_REWRITES, false),
    ...substituted,
    ...rewritten(EQUIVALENT_REWRITES, true),
  ];
}

/** The path with its fixed segments in another letter case. The parameter stays as it is. */
export function letterCaseVariantsOf(path: string, parameter: string | null): string[] {
  const change = (rewrite: Rewrite): string =>
    path
      .split('/')
      .map((segment) => (segment === parameter ? segment : rewrite(segment)))
      .join('/');
  return [
    change((segment) => segment.toUpperCase()),
    change((segment) => segment.charAt(0).toUpperCase() + segment.slice(1)),
  ].filter((changed) => changed !== path);
}

/** Headers by which some servers and proxies route a request. Here they must make no difference. */
export const REROUTING_HEADERS = ['GET', 'PUT', 'POST', 'DELETE'].map((method) => ({
  'x-http-method-override': method,
  'x-http-method': method,
  'x-method-override': method,
  'x-original-method': method,
  'x-original-url': '/health',
  'x-original-uri': '/health',
  'x-rewrite-url': '/health',
  'x-forwarded-uri': '/health',
  'x-forwarded-prefix': '/health',
  'x-forwarded-for': '127.0.0.1',
  forwarded: 'for=127.0.0.1',
}));
