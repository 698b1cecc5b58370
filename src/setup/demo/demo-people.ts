import type { RoleCode } from '../../common/access/role-code.js';

/** Someone of the demo. The addresses end in a domain that nobody can own (RFC 2606). */
export interface DemoPerson {
  readonly email: string;
  readonly name: string;
  readonly roles: readonly RoleCode[];
}

/** Two who write, one who publishes, one who only reads. */
export const DEMO_PEOPLE = {
  ines: { email: 'ines@pressroom.example', name: 'Ines Moreau', roles: ['LEARNER', 'AUTHOR'] },
  kofi: { email: 'kofi@pressroom.example', name: 'Kofi Adeyemi', roles: ['LEARNER', 'AUTHOR'] },
  wen: { email: 'wen@pressroom.example', name: 'Wen Zhao', roles: ['LEARNER', 'EDITOR'] },
  lena: { email: 'lena@pressroom.example', name: 'Lena Haddad', roles: ['LEARNER'] },
} as const satisfies Record<string, DemoPerson>;

export type DemoPersonName = keyof typeof DEMO_PEOPLE;
