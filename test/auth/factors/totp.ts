import { Secret, TOTP } from 'otpauth';
import { PASSWORD, type Person } from '../../support/factories.js';

/** An app that shows codes. */
export interface App {
  /** The code at a time in milliseconds since 1970. */
  code(at?: number): string;
  readonly uri: string;
  readonly recoveryCodes: readonly string[];
}

/** Enrols an app for the owner of the client. */
export async function enrolApp({ client }: Pick<Person, 'client'>): Promise<App> {
  const begun = await client.post<{ uri: string; secret: string }>('/auth/factors/totp', {
    name: 'My phone',
    password: PASSWORD,
  });
  const { uri, secret } = begun.body.data;
  const otp = new TOTP({ secret: Secret.fromBase32(secret) });
  const code = (at = Date.now()): string => otp.generate({ timestamp: at });
  const confirmed = await client.post<{ recoveryCodes: string[] }>('/auth/factors/totp/confirm', {
    code: code(),
  });
  if (confirmed.status !== 200) throw new Error(`no app: ${confirmed.body.message}`);
  return { code, uri, recoveryCodes: confirmed.body.data.recoveryCodes };
}
