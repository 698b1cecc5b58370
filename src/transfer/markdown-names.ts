import type { OptionalLiveField } from '../blog/core/blog-fields.js';

/**
 * The names of the optional fields in the front matter of Markdown files. The export writes the first name of a
 * field; the import tries all names in this order, the most usual first.
 */
export const OPTIONAL_NAMES: Readonly<Record<OptionalLiveField, readonly [string, ...string[]]>> = {
  imgUrl: [
    'image',
    'cover',
    'heroImage',
    'featuredImage',
    'featureImage',
    'thumbnail',
    'banner',
    'coverImage',
    'ogImage',
    'images',
    'header.image',
    'header.teaser',
  ],
};
