import { randomBytes } from 'node:crypto';
import { FIELD_NAMES, markedBody } from '../support/blog-fields.js';
import { API_KEY } from '../support/start-app.js';

/** Patterns of the secrets that a server issues. The group matches the part that must not be logged. */
const ISSUED_SECRETS = [
  /\beyJ[\w-]+\.eyJ[\w-]+\.([\w-]{40,})/g,
  /\bv1\.[\w-]{43}\.[0-9a-f]{24}\.\d+\.([\w-]{43})/g,
  /\b(pr_[0-9A-Za-z]{49})\b/g,
  // The token of a preview.
  /"token":"([\w-]{43})"/g,
];

/** The form of the secrets that `newSecret` makes. */
const PLANTED = /sec[0-9a-f]{24}/gi;

/** Secrets that a log must not contain, each with a label. */
export class PlantedSecrets {
  private readonly planted = new Map<string, string>();
  private readonly added = new Map<string, string>();

  /** A new secret; letters and digits only, so that no encoding hides it. */
  newSecret(label: string): string {
    const secret = `sec${randomBytes(12).toString('hex')}`;
    this.planted.set(secret, label);
    return secret;
  }

  /** Adds a secret that was made elsewhere. */
  add(label: string, secret: string): void {
    this.added.set(secret.toLowerCase(), label);
  }

  /** Adds the tokens and keys in an answer. */
  addIssued(text: string): void {
    for (const [, secret = ''] of ISSUED_SECRETS.flatMap((pattern) => [
      ...text.matchAll(pattern),
    ])) {
      this.add('something issued', secret);
    }
  }

  /** How many secrets `newSecret` has made. */
  get size(): number {
    return this.planted.size;
  }

  /** The labels of the secrets that a text contains, in upper or lower case. */
  foundIn(text: string): string[] {
    const lower = text.toLowerCase();
    const planted = [...lower.matchAll(PLANTED)].map(([secret]) => this.planted.get(secret));
    const added = [...this.added].filter(([secret]) => lower.includes(secret));
    return [...planted.map((label) => label ?? 'unknown'), ...added.map(([, label]) => label)];
  }

  /** A secret in every header that a request may have. None of the secrets is a valid credential. */
  headers(): Record<string, string> {
    return {
      'user-agent': `agent/${this.newSecret('user-agent')}`,
      cookie: `session=${this.newSecret('cookie')}`,
      referer: `https://${this.newSecret('referer')}.example/?token=${this.newSecret('query of referer')}`,
      origin: `https://${this.newSecret('origin')}.example`,
      'x-forwarded-for': this.newSecret('x-forwarded-for'),
      forwarded: `for=${this.newSecret('forwarded')}`,
      'x-anything': this.newSecret('unknown header'),
      'x-request-id': `"${this.newSecret('refused x-request-id')}"`,
      'if-none-match': `"${this.newSecret('if-none-match')}"`,
      accept: `text/${this.newSecret('accept')}`,
    };
  }

  /** Credentials that are refused, in the forms in which people send them. */
  credentials(): Readonly<Record<'keys' | 'tokens', readonly Record<string, string>[]>> {
    const basic = Buffer.from(`ada:${this.newSecret('basic password')}`).toString('base64');
    this.add('basic credentials', basic);
    const jwt = [
      '{"alg":"RS256"}',
      `{"sub":"${this.newSecret('claim')}"}`,
      this.newSecret('signature'),
    ];
    const encoded = jwt.map((part) => Buffer.from(part).toString('base64url'));
    for (const part of encoded) this.add('part of a token', part);
    const authorizations = [
      `Bearer ${this.newSecret('token')}`,
      `Bearer ${encoded.join('.')}`,
      `bearer  ${this.newSecret('token')} ${this.newSecret('second token')}`,
      `Basic ${basic}`,
      this.newSecret('token without scheme'),
      `Digest username="${this.newSecret('digest')}"`,
    ];
    return {
      keys: [
        { 'x-api-key': this.newSecret('unknown key') },
        { 'x-api-key': `${this.newSecret('long key')}${'x'.repeat(300)}` },
      ],
      tokens: authorizations.map((authorization) => ({ 'x-api-key': API_KEY, authorization })),
    };
  }

  /** A valid value that contains a secret, or `validValue` if the field takes no free text. */
  inField(field: string, validValue: unknown): unknown {
    const secret = (): string => this.newSecret(field);
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
      text: secret,
      quote: secret,
    };
    return forms[field]?.() ?? validValue;
  }
}
