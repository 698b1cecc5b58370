import { UnavailableError } from '../../../platform/http/errors/api.errors.js';

/** 503: the store of pictures does not answer, or refuses. Nothing was recorded. */
export class PictureStoreError extends UnavailableError {
  /**
   * @param codes names of the failure, without texts of the store, which may hold credentials
   * @param advice what an operator can do, as a whole sentence
   */
  constructor(
    readonly codes: string,
    readonly advice: string,
  ) {
    super('the store of pictures does not work at the moment: try again later');
  }
}
