/** What the audit log holds, by kind, with the meaning for its documentation. */
export const AUDIT_KINDS = {
  'user.created': 'an account was created',
  'user.roles': 'the roles of an account were set',
  'user.status': 'an account was disabled or enabled',
  'user.deleted': 'an account was deleted by its owner',
  'key.created': 'an API key was created',
  'key.changed': 'an API key was changed',
  'key.deleted': 'an API key was deleted',
  'password.changed': 'a password was changed or set',
} as const satisfies Record<string, string>;

export type AuditKind = keyof typeof AUDIT_KINDS;
