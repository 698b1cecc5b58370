/** Patterns of the secrets that every server issues or stores. */
const SECRETS: Readonly<Record<string, RegExp>> = {
  'an API key': /\bpr_[0-9A-Za-z]{49}\b/,
  'a personal access token': /\bprt_[0-9A-Za-z]{49}\b/,
  'an access token': /\beyJ[\w-]+\.eyJ[\w-]+\.[\w-]+/,
  'a refresh token': /\bv1\.[\w-]{43}\.[0-9a-f]{24}\.\d+\.[\w-]{43}/,
  'a preview token': /(?<=\/preview\/)[\w-]{43}/,
  'a bcrypt hash': /\$2[abxy]\$\d\d\$[./0-9A-Za-z]{53}/,
  'a private key': /BEGIN [A-Z ]*PRIVATE KEY[^"]*/,
};

/**
 * Checks that a server's log contains no secret.
 *
 * @param known further secrets in plain text, by a label for the error
 * @throws Error with the line of the log, in which the secret is replaced
 */
export function expectNoSecrets(
  log: readonly string[],
  known: Readonly<Record<string, string>>,
): void {
  const text = log.join('');
  for (const [label, secret] of [...Object.entries(known), ...Object.entries(SECRETS)]) {
    const found = typeof secret === 'string' ? secret : secret.exec(text)?.[0];
    if (found === undefined || !text.includes(found)) continue;
    const line = log.find((candidate) => candidate.includes(found)) ?? '';
    throw new Error(`the log holds ${label}: ${line.replaceAll(found, '(secret)')}`);
  }
}
