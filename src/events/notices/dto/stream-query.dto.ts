import { WholeNumber } from '../../../platform/http/pagination/page-query.dto.js';

/** The query of a stream. */
export class StreamQuery {
  @WholeNumber(3_600, 3_600)
  readonly seconds: number = 3_600;
}
