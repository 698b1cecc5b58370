/** The kinds of acts that people.e2e-spec.ts does. */
export const KINDS_OF_PEOPLE = [
  'password.reset',
  'email.verified',
  'email.changed',
  'email.undone',
  'factor.added',
  'factor.removed',
  'factor.reset',
  'provider.linked',
  'invitation.created',
  'invitation.sent',
  'invitation.withdrawn',
  'invitation.accepted',
  'token.created',
  'token.deleted',
] as const;
