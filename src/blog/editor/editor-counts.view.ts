import { ApiProperty } from '@nestjs/swagger';
import { ListCountView } from '../core/lists/list-count.view.js';

/** How many blogs each list of an editor has. */
export class EditorCountsView {
  @ApiProperty()
  readonly submitted!: ListCountView;

  @ApiProperty({ description: 'Submitted blogs with `?assigned=me`' })
  readonly assignedToMe!: ListCountView;

  @ApiProperty({ description: 'Submitted blogs with `?assigned=none`' })
  readonly unassigned!: ListCountView;

  @ApiProperty()
  readonly scheduled!: ListCountView;

  @ApiProperty()
  readonly published!: ListCountView;
}
