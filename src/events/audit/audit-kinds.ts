/** What the audit log holds, by kind, with the meaning for its documentation. */
export const AUDIT_KINDS = {
  'user.created': 'an account was created: by its owner, an admin, the command line or an import',
  'user.roles': 'the roles of an account were set',
  'user.status': 'an account was disabled or enabled',
  'user.deleted': 'an account was deleted by its owner',
  'password.changed': 'a password was changed or set, which ended the other sessions',
  'signin.refused':
    'sign-ins with a wrong password, address or passkey, or of a disabled account, in an hour',
  'session.ended': 'a user ended sessions',
  'session.reused': 'a spent refresh token was used again, which ended its session',
  'key.created': 'an API key was created',
  'key.changed': 'an API key was changed',
  'key.deleted': 'an API key was deleted',
  'password.reset': 'a password was set by a link in a mail',
  'email.verified': 'an email address was confirmed',
  'email.changed': 'the email address of an account was changed',
  'email.undone': 'a change of the email address was taken back by a link to the former address',
  'factor.added': 'a second factor was added to an account',
  'factor.removed': 'a second factor of an account was removed by its owner',
  'factor.reset': 'all second factors of an account were removed by an operator',
  'provider.linked': 'an account was linked to a person at the provider, by a sign-in',
  'invitation.created': 'somebody was invited',
  'invitation.sent': 'an invitation was sent again',
  'invitation.withdrawn': 'an invitation was withdrawn',
  'invitation.accepted': 'an invitation was accepted',
  'webhook.created': 'a webhook was created',
  'webhook.changed': 'a webhook was changed',
  'webhook.rotated': 'the secret of a webhook was replaced',
  'webhook.deleted': 'a webhook was deleted',
  'blog.author': 'a blog was handed over to another author',
  'blog.contributors': 'the contributors of a blog were cleared',
  'user.blogs': 'all blogs of an author were handed over to another author',
  'data.exported': 'an export was begun',
  'data.imported': 'an import was done',
  'data.backedup': 'a backup or a copy was begun',
  'data.restored': 'the database was filled from a backup or a copy',
  'token.created': 'a personal access token was created',
  'token.deleted': 'a personal access token was deleted',
} as const satisfies Record<string, string>;

export type AuditKind = keyof typeof AUDIT_KINDS;

export const AUDIT_KIND_NAMES = Object.keys(AUDIT_KINDS) as readonly AuditKind[];
