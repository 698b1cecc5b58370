import { ApiProperty } from '@nestjs/swagger';
import { ListCountView } from '../core/lists/list-count.view.js';

/** How many blogs each list of an author has. */
export class AuthorCountsView {
  @ApiProperty()
  readonly drafts!: ListCountView;

  @ApiProperty()
  readonly submitted!: ListCountView;

  @ApiProperty()
  readonly published!: ListCountView;

  @ApiProperty()
  readonly trash!: ListCountView;
}
