import { ApiError } from '../platform/http/errors/api.errors.js';

/** 404: `SITE_URL` is not set, so there are no URLs for links to articles. */
export class SiteUrlMissingError extends ApiError {
  constructor() {
    super('site_url_missing', 'feeds and sitemap need the setting SITE_URL');
  }
}
