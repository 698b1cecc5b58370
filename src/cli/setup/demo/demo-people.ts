import type { RoleCode } from '../../../platform/http/access/role-code.js';

/** A demo user. The email addresses use the reserved domain `.example` (RFC 2606). */
export interface DemoPerson {
  readonly email: string;
  readonly name: string;
  readonly roles: readonly RoleCode[];
}

/** Two authors, an editor, and a user who has only the role LEARNER. */
export const DEMO_PEOPLE = {
  ines: { email: 'ines@pressroom.example', name: 'Ines Moreau', roles: ['LEARNER', 'AUTHOR'] },
  kofi: { email: 'kofi@pressroom.example', name: 'Kofi Adeyemi', roles: ['LEARNER', 'AUTHOR'] },
  wen: { email: 'wen@pressroom.example', name: 'Wen Zhao', roles: ['LEARNER', 'EDITOR'] },
  lena: { email: 'lena@pressroom.example', name: 'Lena Haddad', roles: ['LEARNER'] },
} as const satisfies Record<string, DemoPerson>;

export type DemoPersonName = keyof typeof DEMO_PEOPLE;
