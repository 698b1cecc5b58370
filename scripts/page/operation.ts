import type { Page } from 'playwright-core';

export interface Input {
  /** Values of the parameters, by name. */
  readonly parameters?: Readonly<Record<string, string>>;
  readonly body?: object;
}

export interface ShownAnswer<Data> {
  readonly status: number;
  readonly data: Data;
  readonly message: string;
}

/**
 * Tries an operation in Swagger UI as a person does: opens its group and the operation, fills in
 * the given values and nothing else, and presses Execute.
 *
 * @returns the answer that the page shows
 */
export async function tryOperation<Data>(
  page: Page,
  group: string,
  route: string,
  { parameters = {}, body }: Input = {},
): Promise<ShownAnswer<Data>> {
  const [method = '', path = ''] = route.split(' ');
  const block = page.locator(`.opblock-${method.toLowerCase()}`, {
    has: page.locator(`[data-path="${path}"]`),
  });
  const header = page.locator(`.opblock-tag[data-tag="${group}"]`);
  if ((await header.getAttribute('data-is-open')) !== 'true') await header.click();
  const execute = block.locator('button.execute');
  if (!(await execute.isVisible())) await block.locator('.opblock-summary-control').click();
  for (const [name, value] of Object.entries(parameters)) {
    await block.locator(`tr[data-param-name="${name}"] input`).fill(value);
  }
  if (body) await block.locator('textarea.body-param__text').fill(JSON.stringify(body));
  const clear = block.locator('button.btn-clear');
  if (await clear.isVisible()) await clear.click();
  await execute.click();
  const answer = block.locator('.live-responses-table .response');
  const status = Number.parseInt(await answer.locator('.response-col_status').innerText(), 10);
  const text = await answer.locator('.highlight-code code').first().innerText();
  return { ...(JSON.parse(text) as Omit<ShownAnswer<Data>, 'status'>), status };
}
