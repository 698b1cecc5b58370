import type { BlogBody } from './blog-fields.js';
import { randomBytes } from 'node:crypto';
import type { Answer, Client } from './client.js';

export interface NewPreview {
  readonly token: string;
  readonly expiresAt: string;
}

/** Asks for a preview of a blog, as its author or as an editor. */
export function askForPreview(
  { client }: { readonly client: Client },
  kind: 'author' | 'editor',
  blog: string,
  body?: object,
): Promise<Answer<NewPreview>> {
  return client.post<NewPreview>(`/blog/${kind}/preview/id/${blog}`, body);
}

/** @returns the token of a new preview */
export async function newPreview(...args: Parameters<typeof askForPreview>): Promise<string> {
  const { status, body } = await askForPreview(...args);
  if (status !== 200) throw new Error(`no preview: ${body.message}`);
  return body.data.token;
}

/** A token that no preview has. */
export function unknownToken(): string {
  return randomBytes(32).toString('base64url');
}

/** What a preview shows of a working copy: every field but the description and the slug. */
export function previewOf(copy: BlogBody): Partial<BlogBody> & { readonly text: string } {
  const { description: _description, slug: _slug, draftText: text, ...shown } = copy;
  return { ...shown, text };
}
