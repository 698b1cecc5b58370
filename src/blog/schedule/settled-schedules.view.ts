import { ApiProperty } from '@nestjs/swagger';
import { EXAMPLE_ID } from '../../platform/http/openapi/properties.js';
import { SETTLED_MAX, type SettledSchedules } from './schedule-makers.service.js';

const ids = (description: string): PropertyDecorator =>
  ApiProperty({ type: [String], maxItems: SETTLED_MAX, example: [EXAMPLE_ID], description });

/** What has become of the schedules of a user who is no longer an enabled EDITOR. */
export class SettledSchedulesView {
  @ids('Blogs whose publication was cleared')
  readonly cleared!: readonly string[];

  @ids('Blogs whose unpublication passed to an ADMIN')
  readonly passed!: readonly string[];

  @ApiProperty({ example: false, description: 'Whether more follow; events list them all' })
  readonly more!: boolean;
}

export function toSettledSchedulesView({
  cleared,
  passed,
  more,
}: SettledSchedules): SettledSchedulesView {
  return {
    cleared: cleared.map((id) => id.toHexString()),
    passed: passed.map((id) => id.toHexString()),
    more,
  };
}
