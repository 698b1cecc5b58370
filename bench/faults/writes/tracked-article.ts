import { setTimeout as wait } from 'node:timers/promises';
import type { Tokens } from '../../support/newsroom.ts';
import { create, time, untilAnswered, type Client, type Sent } from '../testbed/client.ts';

/** A transition that was acknowledged, or whose outcome was unknown and that was found by reading afterwards. */
export interface KnownTransition {
  readonly name: string;
  /** The revision number of the article after the transition. */
  readonly rev: number;
  readonly how: 'acknowledged' | 'found';
}

interface Body {
  readonly draftText?: string;
  readonly publishAt?: Date;
}

/** The paths of the transitions. The admin, who has all roles, makes those of editors. */
const PATHS = {
  edit: (id: string) => `/blog/author/id/${id}`,
  submit: (id: string) => `/blog/author/submit/${id}`,
  discard: (id: string) => `/blog/author/discard/${id}`,
  publish: (id: string) => `/blog/editor/publish/id/${id}`,
  unpublish: (id: string) => `/blog/editor/unpublish/id/${id}`,
  schedule: (id: string) => `/blog/editor/schedule/id/${id}`,
};
const RESOLVE_MS = 60_000;

/** An article that only this object changes, so that it knows what must be stored. */
export class TrackedArticle {
  readonly id: string;
  readonly slug: string;
  readonly marker: string;
  readonly transitions: KnownTransition[] = [];
  readonly comments: string[] = [];
  /** The text of the last edit that is known to have happened. */
  text: string;
  /** Observations that cannot be explained. */
  readonly violations: string[] = [];
  readonly #pick: () => Client;
  readonly #tokens: Tokens;
  #rev: number;

  private constructor(
    pick: () => Client,
    tokens: Tokens,
    first: Record<'marker' | 'id' | 'slug' | 'text', string> & { readonly rev: number },
  ) {
    this.#pick = pick;
    this.#tokens = tokens;
    this.marker = first.marker;
    this.id = first.id;
    this.slug = first.slug;
    this.text = first.text;
    this.#rev = first.rev;
    this.transitions.push({ name: 'create', rev: first.rev, how: 'acknowledged' });
  }

  /** @param pick chooses the server of each request @param marker the title, which no other article has */
  static async create(
    pick: () => Client,
    tokens: Tokens,
    { marker, tag }: { marker: string; tag: string },
  ): Promise<TrackedArticle> {
    const text = `<p>first of ${marker}</p>`;
    const body = { title: marker, description: `About ${marker}.`, draftText: text, tags: [tag] };
    const sent = { path: '/blog/author', token: tokens.author, body };
    const { status, data, headers, text: answer } = await create(pick, sent);
    if (status >= 300) throw new Error(`an article is refused: ${status} ${answer}`);
    const { _id: id, slug } = data as { _id: string; slug: string };
    return new TrackedArticle(pick, tokens, { marker, id, slug, rev: revOf(headers.etag), text });
  }

  edit(text: string): Promise<KnownTransition | null> {
    return this.change('edit', () => ({ draftText: `<p>${text}</p>` }));
  }

  async comment(text: string): Promise<void> {
    const path = `/blog/author/comments/id/${this.id}`;
    const answer = await create(this.#pick, { path, token: this.#tokens.author, body: { text } });
    if (answer.status >= 300) this.#complain(`a comment is refused: ${answer.text}`);
    else this.comments.push(text);
  }

  /**
   * Makes a transition. It repeats the request, and reads the article after each failure, until it knows that the
   * transition has happened. The revision number in `If-Match` keeps a late request from succeeding after its
   * repetition.
   * @returns null when the transition cannot be made, which is a violation
   */
  async change(
    name: keyof typeof PATHS,
    bodyOf: () => Body = () => ({}),
  ): Promise<KnownTransition | null> {
    const token = ['edit', 'submit', 'discard'].includes(name)
      ? this.#tokens.author
      : this.#tokens.admin;
    const headers = { 'if-match': `"${this.#rev}"` };
    let last = '';
    for (const deadline = performance.now() + RESOLVE_MS; performance.now() < deadline;) {
      const body = bodyOf();
      const sent: Sent = { method: 'PUT', path: PATHS[name](this.id), token, body, headers };
      const outcome = await this.#pick().send(sent);
      if (outcome.kind === 'answered' && outcome.status < 300) {
        return this.#done(name, body, { rev: revOf(outcome.headers.etag), how: 'acknowledged' });
      }
      const rev = await this.#storedRev();
      if (rev > this.#rev) return this.#done(name, body, { rev, how: 'found' });
      last = outcome.kind === 'lost' ? outcome.why : `${outcome.status} ${outcome.text}`;
      await wait(100);
    }
    this.#complain(`${name} is never made, from revision ${this.#rev}: ${last}`);
    return null;
  }

  #done(
    name: string,
    body: Body,
    { rev, how }: Pick<KnownTransition, 'rev' | 'how'>,
  ): KnownTransition {
    if (rev !== this.#rev + 1) {
      this.#complain(`${name} was ${how} as revision ${rev} after ${this.#rev}`);
    }
    this.#rev = rev;
    this.text = body.draftText ?? this.text;
    const known = { name, rev, how };
    this.transitions.push(known);
    return known;
  }

  /** @returns the revision number that the author reads; reads again while it is lower than the known one */
  async #storedRev(): Promise<number> {
    const sent = { path: `/blog/author/id/${this.id}`, token: this.#tokens.author };
    for (const deadline = performance.now() + RESOLVE_MS; ; await wait(100)) {
      const { status, headers, text } = await untilAnswered(this.#pick, sent);
      const rev = status === 200 ? revOf(headers.etag) : -1;
      if (rev >= this.#rev) return rev;
      if (performance.now() < deadline) continue;
      this.#complain(`revision ${this.#rev} is known, and the author reads ${status} ${text}`);
      return this.#rev;
    }
  }

  #complain(what: string): void {
    const before = this.transitions.map(({ name, rev, how }) => `${rev} ${name} ${how}`).join(', ');
    this.violations.push(`${time()} ${this.id}: ${what} (before: ${before})`);
  }
}

function revOf(etag: string | undefined): number {
  return Number(etag?.replaceAll('"', '') ?? NaN);
}
