/** Bounds and examples of the fields that create and update share (contract, section 5). */
export const BLOG_TEXT = {
  title: { min: 3, max: 500, example: 'Notes on the Analytical Engine' },
  description: { min: 3, max: 2_000, example: 'What the engine can do, and what it cannot.' },
  draftText: {
    min: 1,
    // As received; after cleaning the service holds it to DRAFT_TEXT_MAX.
    max: 1_048_576,
    trim: false,
    example: '<p>It weaves algebraic patterns.</p>',
    description: 'HTML; cleaned when stored, and then 1 to 100,000 characters',
  },
  imgUrl: { example: 'https://example.org/engine.png' },
  tags: { items: 20, min: 1, max: 50, example: ['history', 'computing'] },
} as const;

/** Characters of the cleaned text at most. */
export const DRAFT_TEXT_MAX = 100_000;
