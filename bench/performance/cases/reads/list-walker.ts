interface Item {
  readonly publishedAt: string;
  readonly _id: string;
}

/** One who reads the list of the latest articles from the start, by its links. */
export class ListWalker {
  position = 0;
  readonly #url: string;
  readonly #headers: Readonly<Record<string, string>>;
  #next: string;
  #last: Item = { publishedAt: '9', _id: '' };

  constructor(url: string, headers: Readonly<Record<string, string>>) {
    this.#url = url;
    this.#headers = headers;
    this.#next = `${url}/blogs/latest`;
  }

  /** The address of what comes next, with as many as wanted. */
  pathOf(limit: number): string {
    const url = new URL(this.#next);
    url.searchParams.set('limit', String(limit));
    return `${url.pathname}${url.search}`;
  }

  /** @returns false when no link leads on; @throws Error for what comes out of order */
  async step(limit: number): Promise<boolean> {
    const path = this.pathOf(limit);
    const url = `${this.#url}${path}`;
    const response = await fetch(url, { headers: this.#headers });
    const { message, data } = (await response.json()) as { message: string; data: Item[] };
    if (response.status !== 200) throw new Error(`${path}: ${response.status} ${message}`);
    for (const item of data) this.#follow(item, path);
    this.position += data.length;
    const [, next] = /^<([^>]+)>; rel="next"$/.exec(response.headers.get('link') ?? '') ?? [];
    if (next === undefined) return false;
    // A link is relative to the page that it stands on.
    this.#next = new URL(next, url).href;
    return true;
  }

  /** Newest first, then by id, each once: a later one is strictly below the one before. */
  #follow(item: Item, path: string): void {
    const { publishedAt, _id } = this.#last;
    const isBelow =
      item.publishedAt < publishedAt || (item.publishedAt === publishedAt && item._id < _id);
    if (!isBelow) throw new Error(`${path}: ${item._id} comes after ${_id}`);
    this.#last = item;
  }
}
