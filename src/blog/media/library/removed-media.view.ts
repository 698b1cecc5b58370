import { ApiProperty } from '@nestjs/swagger';
import { EXAMPLE_ID } from '../../../platform/http/openapi/properties.js';

/** Where a picture was used that was removed. */
export class RemovedMediaView {
  @ApiProperty({
    type: [String],
    example: [EXAMPLE_ID],
    description: 'Ids of your blogs whose drafts have used it; 20 at most',
  })
  readonly usedIn!: readonly string[];
}
