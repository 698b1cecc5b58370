import { NotFoundException } from '@nestjs/common';

/** 404: without the site's URL there are no links to write. */
export class SiteUrlMissingError extends NotFoundException {
  constructor() {
    super('feeds and sitemap need the setting SITE_URL');
  }
}
