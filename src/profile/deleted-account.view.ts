import { ApiProperty } from '@nestjs/swagger';
import { SettledSchedulesView } from '../blog/schedule/settled-schedules.view.js';
import { ID } from '../platform/http/openapi/properties.js';

/** What follows from the deletion of an account. */
export class DeletedAccountView extends SettledSchedulesView {
  @ApiProperty({
    ...ID,
    description: 'The job that removes the rest; `getJob` shows an ADMIN how far it is',
  })
  readonly job!: string;
}
