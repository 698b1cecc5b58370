export interface MailKindRow {
  /** The placeholders of the text, besides `{site}` and `{link}`. */
  readonly values: readonly string[];
  /**
   * The name of the parameter that carries the token of the link in the fragment of the address; missing for a mail
   * whose link needs no token, and for one without a link.
   */
  readonly fragment?: string;
}

const ROWS = {
  passwordReset: { values: [], fragment: 'passwordReset' },
  passwordChanged: { values: [] },
  emailVerification: { values: [], fragment: 'emailVerification' },
  emailChange: { values: [], fragment: 'emailChange' },
  emailChanged: { values: [], fragment: 'emailUndo' },
  factorAdded: { values: [] },
  factorRemoved: { values: [] },
  newDevice: { values: ['device', 'network'] },
  providerLinked: { values: [] },
  invitation: { values: ['inviter'], fragment: 'invitation' },
  notice: { values: ['notice'] },
  noticeDigest: { values: ['count', 'notices'] },
  test: { values: [] },
} as const satisfies Record<string, MailKindRow>;

export type MailKind = keyof typeof ROWS;

/** Every kind of mail. docs/people.md lists them. */
export const MAIL_KINDS: Readonly<Record<MailKind, MailKindRow>> = ROWS;

export const MAIL_KIND_NAMES = Object.keys(MAIL_KINDS) as readonly MailKind[];
