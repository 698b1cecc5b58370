import type { SearchItemView } from '../../../../src/blog/public/search/results/search.view.js';
import type { TestApp } from '../../../support/start-app.js';

interface Page {
  readonly items: readonly (SearchItemView & { readonly _id: string })[];
  readonly total: number;
  readonly exhaustive: boolean;
  readonly partial: boolean;
}

type Query = Readonly<Record<string, string>>;

export type Searcher = ReturnType<typeof searcherOf>;

/** Searches as a reader does. */
export function searcherOf({ client }: Pick<TestApp, 'client'>) {
  const answer = async (q: string, query: Query = {}) => {
    const path = `/blogs/search?${new URLSearchParams({ q, ...query }).toString()}`;
    const { status, body } = await client.get<Page>(path);
    return { status, data: body.data, ids: body.data.items.map(({ _id }) => _id) };
  };
  return {
    answer,
    page: async (q: string, query?: Query): Promise<Page> => (await answer(q, query)).data,
    ids: async (q: string, query?: Query): Promise<string[]> => (await answer(q, query)).ids,
  };
}
