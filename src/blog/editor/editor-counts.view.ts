import { ApiProperty } from '@nestjs/swagger';
import { ListCountView } from '../core/lists/list-count.view.js';

/** How many blogs each list of an editor has. */
export class EditorCountsView {
  @ApiProperty()
  readonly submitted!: ListCountView;

  @ApiProperty({ description: 'Of those submitted: `?assigned=me`' })
  readonly assignedToMe!: ListCountView;

  @ApiProperty({ description: 'Of those submitted: `?assigned=none`' })
  readonly unassigned!: ListCountView;

  @ApiProperty()
  readonly scheduled!: ListCountView;

  @ApiProperty()
  readonly published!: ListCountView;
}
