import { randomBytes } from 'node:crypto';
import { FIELD_NAMES, markedBody } from '../support/blog-fields.js';
import { API_KEY } from '../support/start-app.js';

/** What a server issues, wherever it stands in an answer: signature, code or key alone is enough. */
const ISSUED = [
  /\beyJ[\w-]+\.eyJ[\w-]+\.([\w-]{40,})/g,
  /\bv1\.[\w-]{43}\.[0-9a-f]{24}\.\d+\.([\w-]{43})/g,
  /\b(pr_[0-9A-Za-z]{49})\b/g,
];

/** The form of what `plant` makes. */
const PLANTED = /sec[0-9a-f]{24}/gi;

/** Values that a log must not hold, and what each of them was. */
export class Planting {
  private readonly planted = new Map<string, string>();
  private readonly noted = new Map<string, string>();

  /** A new secret; letters and digits only, so that no encoding hides it. */
  plant(what: string): string {
    const secret = `sec${randomBytes(12).toString('hex')}`;
    this.planted.set(secret, what);
    return secret;
  }

  /** What was made elsewhere. */
  note(what: string, secret: string): void {
    this.noted.set(secret.toLowerCase(), what);
  }

  /** The tokens and keys in an answer. */
  noteIssued(text: string): void {
    for (const [, secret = ''] of ISSUED.flatMap((pattern) => [...text.matchAll(pattern)])) {
      this.note('something issued', secret);
    }
  }

  get size(): number {
    return this.planted.size;
  }

  /** What of it stands in a text, in any case. */
  foundIn(text: string): string[] {
    const lower = text.toLowerCase();
    const planted = [...lower.matchAll(PLANTED)].map(([secret]) => this.planted.get(secret));
    const noted = [...this.noted].filter(([secret]) => lower.includes(secret));
    return [...planted.map((what) => what ?? 'unknown'), ...noted.map(([, what]) => what)];
  }

  /** A secret in every header that may be sent with a request; none is valid. */
  headers(): Record<string, string> {
    return {
      'user-agent': `agent/${this.plant('user-agent')}`,
      cookie: `session=${this.plant('cookie')}`,
      referer: `https://${this.plant('referer')}.example/?token=${this.plant('query of referer')}`,
      origin: `https://${this.plant('origin')}.example`,
      'x-forwarded-for': this.plant('x-forwarded-for'),
      forwarded: `for=${this.plant('forwarded')}`,
      'x-anything': this.plant('unknown header'),
      'x-request-id': `"${this.plant('refused x-request-id')}"`,
      'if-none-match': `"${this.plant('if-none-match')}"`,
      accept: `text/${this.plant('accept')}`,
    };
  }

  /** Credentials that are refused, in the forms in which people send them. */
  credentials(): Record<string, string>[] {
    const key = { 'x-api-key': API_KEY };
    const basic = Buffer.from(`ada:${this.plant('basic password')}`).toString('base64');
    this.note('basic credentials', basic);
    const jwt = ['{"alg":"RS256"}', `{"sub":"${this.plant('claim')}"}`, this.plant('signature')];
    const encoded = jwt.map((part) => Buffer.from(part).toString('base64url'));
    for (const part of encoded) this.note('part of a token', part);
    return [
      { 'x-api-key': this.plant('unknown key') },
      { 'x-api-key': `${this.plant('long key')}${'x'.repeat(300)}` },
      { ...key, authorization: `Bearer ${this.plant('token')}` },
      { ...key, authorization: `Bearer ${encoded.join('.')}` },
      { ...key, authorization: `bearer  ${this.plant('token')} ${this.plant('second token')}` },
      { ...key, authorization: `Basic ${basic}` },
      { ...key, authorization: this.plant('token without scheme') },
      { ...key, authorization: `Digest username="${this.plant('digest')}"` },
    ];
  }

  /** A valid value that holds a secret, or the honest one where no text is possible. */
  inField(field: string, honest: unknown): unknown {
    const secret = (): string => this.plant(field);
    const forms: Readonly<Record<string, () => unknown>> = {
      email: () => `${secret()}@example.org`,
      password: secret,
      currentPassword: secret,
      newPassword: secret,
      name: secret,
      profilePicUrl: () => `https://example.org/${secret()}.png`,
      ...Object.fromEntries(FIELD_NAMES.map((name) => [name, () => markedBody(secret())[name]])),
      type: secret,
      msg: secret,
      comment: secret,
    };
    return forms[field]?.() ?? honest;
  }
}
