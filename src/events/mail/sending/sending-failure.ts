/** Why a mail was not sent, without texts of the SMTP server, which may contain addresses. */
export interface SendingFailure {
  /** The code of the SMTP client and the status of the SMTP server, such as `EENVELOPE 550`. */
  readonly codes: string;
  /** Whether a further attempt is useless, because the server has refused the receiver or the text (RFC 5321, section 4.2.1). */
  readonly isFinal: boolean;
}

const OF_THIS_MAIL: readonly unknown[] = ['EENVELOPE', 'EMESSAGE'];
const PERMANENT = 500;

/** @param error what nodemailer has thrown */
export function failureOf(error: unknown): SendingFailure {
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown };
  const status = typeof responseCode === 'number' ? responseCode : null;
  const codes = [typeof code === 'string' ? code : 'failed', status].filter(
    (part) => part !== null,
  );
  return {
    codes: codes.join(' '),
    isFinal: OF_THIS_MAIL.includes(code) && status !== null && status >= PERMANENT,
  };
}
