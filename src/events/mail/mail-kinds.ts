export interface MailKindRow {
  /** The placeholders of the text, besides `{site}` and `{link}`. */
  readonly values: readonly string[];
  /**
   * The name of the parameter that carries the token of the link in the fragment of the address; missing for a mail
   * whose link needs no token, and for one without a link.
   */
  readonly fragment?: string;
  /** How long the link is valid; missing for a mail without a token. */
  readonly linkLife?: string;
}

const ROWS = {
  passwordReset: { values: [], fragment: 'passwordReset', linkLife: '1h' },
  passwordChanged: { values: [] },
  emailVerification: { values: [], fragment: 'emailVerification', linkLife: '7d' },
  emailChange: { values: [], fragment: 'emailChange', linkLife: '1d' },
  emailChanged: { values: [], fragment: 'emailUndo', linkLife: '7d' },
  factorAdded: { values: [] },
  factorRemoved: { values: [] },
  invitation: { values: ['inviter'], fragment: 'invitation', linkLife: '7d' },
  test: { values: [] },
} as const satisfies Record<string, MailKindRow>;

export type MailKind = keyof typeof ROWS;

/** Every kind of mail. docs/people.md lists them. */
export const MAIL_KINDS: Readonly<Record<MailKind, MailKindRow>> = ROWS;

export const MAIL_KIND_NAMES = Object.keys(MAIL_KINDS) as readonly MailKind[];
