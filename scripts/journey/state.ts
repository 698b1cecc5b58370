import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { messageOf, UserError } from '../support/user-error.ts';

/** What a run has left on the server: `--state` writes it, `--verify` reads it back. */
export interface JourneyState {
  readonly author: { readonly email: string; readonly password: string };
  readonly live: readonly LiveArticle[];
  /** Unpublished, and so a draft of its author's. */
  readonly drafts: readonly { readonly id: string; readonly title: string }[];
  /** What readers must not find any more. */
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

/** Holds the password of the run's author, hence readable by its owner alone. */
export function writeState(file: string, state: JourneyState): void {
  writeFileSync(file, `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600 });
}

/** @throws UserError when the file is none of ours */
export function readState(file: string): JourneyState {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as JourneyState;
  } catch (error) {
    throw new UserError(`${file} cannot be read: ${messageOf(error)}`);
  }
}
