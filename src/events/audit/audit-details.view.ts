import { ApiPropertyOptional } from '@nestjs/swagger';
import { EXAMPLE_ID, ID } from '../../platform/http/openapi/properties.js';

/**
 * What an act was about, besides its subject. Every detail of every kind of act is declared here: ids, role codes,
 * names of fields and numbers, never a text of a person.
 */
export class AuditDetailsView {
  @ApiPropertyOptional({
    type: [String],
    example: ['LEARNER', 'EDITOR'],
    description: 'The roles that were set',
  })
  readonly roles?: readonly string[];

  @ApiPropertyOptional({ example: false, description: 'Whether it was enabled or disabled' })
  readonly enabled?: boolean;

  @ApiPropertyOptional({ ...ID, description: 'The session that has ended' })
  readonly session?: string;

  @ApiPropertyOptional({ ...ID, example: EXAMPLE_ID, description: 'The new author' })
  readonly to?: string;

  @ApiPropertyOptional({
    type: 'integer',
    example: 3,
    description: 'How many sign-ins, sessions, records or articles',
  })
  readonly count?: number;

  @ApiPropertyOptional({
    example: 'markdown',
    description: 'What was exported or imported, or where a backup went',
  })
  readonly format?: string;
}

const DETAILS = [
  'roles',
  'enabled',
  'session',
  'to',
  'count',
  'format',
] as const satisfies readonly (keyof AuditDetailsView)[];

/** Takes only the declared details, also from a record of a later version. */
export function toAuditDetailsView(details: AuditDetailsView): AuditDetailsView {
  const given = DETAILS.filter((name) => details[name] !== undefined);
  return Object.fromEntries(given.map((name) => [name, details[name]]));
}
