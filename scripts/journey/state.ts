import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { messageOf, UserError } from '../support/user-error.ts';

/** The content of the file that `--state` writes and `--verify` reads: the records that a run leaves on the server. */
export interface JourneyState {
  readonly author: { readonly email: string; readonly password: string };
  readonly live: readonly LiveArticle[];
  /** Unpublished blogs, which are drafts of the author. */
  readonly drafts: readonly { readonly id: string; readonly title: string }[];
  /** Blogs that readers must not find. */
  readonly gone: readonly { readonly id: string; readonly slug: string }[];
}

export interface LiveArticle {
  readonly id: string;
  readonly slug: string;
  readonly title: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly textSha256: string;
}

export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Writes the file. Only its owner may read it, because it contains the password of the author. */
export function writeState(file: string, state: JourneyState): void {
  writeFileSync(file, `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600 });
}

/** @throws UserError when the file cannot be read or is no JSON */
export function readState(file: string): JourneyState {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as JourneyState;
  } catch (error) {
    throw new UserError(`${file} cannot be read: ${messageOf(error)}`);
  }
}
