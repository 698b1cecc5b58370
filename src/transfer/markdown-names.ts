/**
 * The names that the front matter of Markdown files gives to the picture of an article, and to what it says of the
 * picture. The export writes the first name; the import tries all names in this order, the most usual first.
 */
export const PICTURE_NAMES = {
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
  imgAlt: ['imageAlt', 'coverAlt', 'heroImageAlt', 'featuredImageAlt', 'image.alt', 'cover.alt'],
} as const;
