/** What the audit log holds, by kind, with the meaning for its documentation. */
export const AUDIT_KINDS = {
  'user.created': 'an account was created',
  'user.roles': 'the roles of an account were set',
  'user.status': 'an account was disabled or enabled',
  'user.deleted': 'an account was deleted by its owner',
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
  'invitation.created': 'somebody was invited',
  'invitation.sent': 'an invitation was sent again',
  'invitation.withdrawn': 'an invitation was withdrawn',
  'invitation.accepted': 'an invitation was accepted',
  'password.changed': 'a password was changed or set',
} as const satisfies Record<string, string>;

export type AuditKind = keyof typeof AUDIT_KINDS;
