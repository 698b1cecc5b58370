import { IsIn, IsOptional, Length, Matches } from 'class-validator';
import { MailSenderSetting, SmtpUrl } from './mail.decorators.js';
import { isSafeUrl, RoleRules, SafeUrl, type RoleRule } from './provider.decorators.js';
import { ON_OFF, type OnOff } from '../values/on-off.js';
import { parseRate, type Rate } from '../values/rate.js';
import { ROLE_CODES, type RoleCode } from '../../http/access/role-code.js';
import { CommaList, RateSetting } from '../values/setting.decorators.js';
import { SiteUrl } from '../values/site.decorators.js';

/** The settings of accounts and mail. They are a part of Env, which says how settings are declared. */
export class PeopleSettings {
  /** The roles whose sessions need a second factor. */
  @CommaList()
  @IsIn(ROLE_CODES, { each: true })
  readonly REQUIRE_2FA: readonly RoleCode[] = [];

  /** Whether a sign-in by a provider counts as one with a second factor, because the provider asks for it. */
  @IsIn(ON_OFF)
  readonly PROVIDER_2FA: OnOff = 'off';

  /** The provider of OpenID Connect by which people may sign in. */
  @SafeUrl()
  readonly OIDC_ISSUER: string | undefined = undefined;

  @IsOptional()
  @Length(1, 500)
  readonly OIDC_CLIENT_ID: string | undefined = undefined;

  @IsOptional()
  @Length(1, 4_096)
  readonly OIDC_CLIENT_SECRET: string | undefined = undefined;

  /** The pages to which a sign-in by the provider may return, each exactly as a client names it. */
  @CommaList()
  @SafeUrl({ each: true })
  readonly OIDC_RETURN_URLS: readonly string[] = [];

  /** What the provider is asked to tell. */
  @Matches(/^(?:\S+ )*openid(?: \S+)*$/, {
    message: 'OIDC_SCOPES must be scopes with blanks between them, and openid one of them',
  })
  readonly OIDC_SCOPES: string = 'openid email profile';

  /** The roles that a sign-in by the provider gives or takes. */
  @RoleRules()
  readonly OIDC_ROLES: readonly RoleRule[] = [];

  /** Whether people sign in by the provider only. */
  @IsIn(ON_OFF)
  readonly OIDC_ONLY: OnOff = 'off';

  /** Number of steps of sign-ins by the provider that a client prefix may take; a sign-in has three. */
  @RateSetting()
  readonly LIMIT_OIDC: Rate = parseRate('600/1h');

  /** The SMTP server that sends mails; without one, production sends none, and others print them in the log. */
  @SmtpUrl()
  readonly SMTP_URL: string | undefined = undefined;

  /** The sender of mails: an address, or a name and an address. */
  @MailSenderSetting()
  readonly MAIL_FROM: string | undefined = undefined;

  /** A folder with own texts of mails, `<kind>.txt` for each kind that differs. */
  @IsOptional()
  @Length(1, 4_096)
  readonly MAIL_TEMPLATES: string | undefined = undefined;

  /** URL of the page to which the links of mails lead; if unset, `/account` below `PUBLIC_URL`. */
  @SiteUrl()
  readonly SITE_ACCOUNT_URL: string | undefined = undefined;

  /** Number of mails that requests of one client prefix may cause without an account, such as for a forgotten password. */
  @RateSetting()
  readonly LIMIT_MAIL: Rate = parseRate('30/1h');

  /** When the digests of unread notices are sent each day, as `HH:MM` in UTC. */
  @Matches(/^([01]\d|2[0-3]):[0-5]\d$/, {
    message: 'NOTICE_DIGEST_AT must be a time such as 07:00',
  })
  readonly NOTICE_DIGEST_AT: string = '07:00';

  /** Who may make an account: everybody, whoever was invited, or nobody (`off`). */
  @IsIn(['open', 'invited', 'off'])
  readonly SIGNUP: 'open' | 'invited' | 'off' = 'open';

  /** Whether an account that signs up has to confirm its address before it writes anything. */
  @IsIn(ON_OFF)
  readonly EMAIL_VERIFICATION: OnOff = 'off';
}

/** What is wrong with these settings together with others. */
export function peopleProblems(
  env: PeopleSettings & { readonly PUBLIC_URL: string | undefined },
  isProduction: boolean,
): string[] {
  const { SMTP_URL, MAIL_FROM, EMAIL_VERIFICATION, PUBLIC_URL } = env;
  const problems: string[] = [];
  if (SMTP_URL !== undefined && MAIL_FROM === undefined) {
    problems.push('MAIL_FROM must be set with SMTP_URL');
  }
  if (isProduction && SMTP_URL !== undefined && PUBLIC_URL === undefined) {
    problems.push('PUBLIC_URL must be set with SMTP_URL: the links of mails begin with it');
  }
  if (isProduction && EMAIL_VERIFICATION === 'on' && SMTP_URL === undefined) {
    problems.push('SMTP_URL must be set with EMAIL_VERIFICATION=on');
  }
  return [...problems, ...providerProblems(env)];
}

/** What is wrong with the settings of the provider together. */
function providerProblems(env: Parameters<typeof peopleProblems>[0]): string[] {
  const { OIDC_ISSUER, OIDC_ONLY, PUBLIC_URL } = env;
  const own = ['OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET', 'OIDC_RETURN_URLS'] as const;
  const isSet = (name: (typeof own)[number] | 'PUBLIC_URL'): boolean =>
    (env[name]?.length ?? 0) > 0;
  if (OIDC_ISSUER === undefined) {
    const names = [...own.filter(isSet), ...(OIDC_ONLY === 'on' ? ['OIDC_ONLY=on'] : [])];
    return names.map((name) => `OIDC_ISSUER must be set with ${name}`);
  }
  const missing = [...own, 'PUBLIC_URL' as const].filter((name) => !isSet(name));
  return [
    ...missing.map((name) => `${name} must be set with OIDC_ISSUER`),
    ...(PUBLIC_URL === undefined || isSafeUrl(PUBLIC_URL)
      ? []
      : ['PUBLIC_URL must be https with OIDC_ISSUER']),
  ];
}
