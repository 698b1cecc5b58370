import { createHash } from 'node:crypto';

/** The digest of a text that was made from Markdown. It is stored beside the Markdown. */
export function textDigest(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

/** The fields of a stored working copy that belong to its Markdown. */
interface MarkdownFields {
  readonly draftText?: unknown;
  readonly draftMarkdown?: unknown;
  readonly markdownDigest?: unknown;
}

/**
 * The Markdown of a working copy. It is undefined when something else has written the text since: an earlier
 * version, which may run beside this one, leaves the Markdown as it was.
 */
export function markdownOf(fields: MarkdownFields): string | undefined {
  const { draftText, draftMarkdown, markdownDigest } = fields;
  // Most working copies have no Markdown: their texts, which may be long, are not hashed.
  if (typeof draftMarkdown !== 'string' || typeof draftText !== 'string') return undefined;
  return textDigest(draftText) === markdownDigest ? draftMarkdown : undefined;
}
