import { ApiError } from '../platform/http/errors/api.errors.js';

/** 404: without the site's URL there are no links to write. */
export class SiteUrlMissingError extends ApiError {
  constructor() {
    super('site_url_missing', 'feeds and sitemap need the setting SITE_URL');
  }
}
