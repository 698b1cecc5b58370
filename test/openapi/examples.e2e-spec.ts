import { beforeAll, describe, expect, it } from '@jest/globals';
import { startApp, type TestApp } from '../support/start-app.js';
import { Description } from './description.js';

describe('Examples of the description', () => {
  let server: TestApp;
  let description: Description;

  beforeAll(async () => {
    server = await startApp();
    description = await Description.read(server.url);
  });

  it('should fit their property', () => {
    const found = description.objects().flatMap(([name, properties]) =>
      Object.entries(properties)
        .filter(([, { example }]) => example !== undefined)
        .map(
          ([field, schema]) =>
            [`${name}.${field}`, description.mismatch(schema, schema.example)] as const,
        )
        .filter(([, problem]) => problem !== null),
    );
    expect(found).toEqual([]);
  });

  it('should fit their parameter and header', () => {
    expect(
      description.problems(({ operation: { parameters = [] } }) =>
        parameters.flatMap(({ name, schema, example }) => {
          const problem = description.mismatch(schema, schema.example ?? example);
          return problem === null ? [] : [`${name}: ${problem}`];
        }),
      ),
    ).toEqual([]);
    const headers = Object.entries(description.document.components.headers).map(
      ([name, { schema, example }]) => [name, description.mismatch(schema, example)] as const,
    );
    expect(headers.filter(([, problem]) => problem !== null)).toEqual([]);
  });

  it('should fit their body and response, and be there for each', () => {
    expect(
      description.problems(({ operation: { requestBody, responses } }) => {
        const media = [
          ...(requestBody ? [['body', requestBody.content] as const] : []),
          ...Object.entries(responses).map(([status, { content }]) => [status, content] as const),
        ];
        return media.flatMap(([where, content]) => {
          const [type] = Object.values(content ?? {});
          if (!type) return where === '304' ? [] : [`${where} has no content`];
          const examples =
            type.example === undefined
              ? Object.values(type.examples ?? {}).map(({ value }) => value)
              : [type.example];
          if (examples.length === 0) return [`${where} has no example`];
          return examples
            .map((example) => description.mismatch(type.schema, example))
            .filter((problem) => problem !== null)
            .map((problem) => `${where}: ${problem}`);
        });
      }),
    ).toEqual([]);
  });

  it('should say the status that they are for', () => {
    expect(
      description.problems(({ operation: { responses } }) =>
        Object.entries(responses)
          .filter(([status]) => Number(status) >= 400)
          .flatMap(([status, { content }]) =>
            Object.values(content?.['application/json']?.examples ?? {})
              .map(({ value }) => (value as { status: number }).status)
              .filter((given) => String(given) !== status)
              .map((given) => `an example of ${status} says ${given}`),
          ),
      ),
    ).toEqual([]);
  });

  it('should stand beside the message of their success', () => {
    // Operations with the same envelope share its example, whose message is that of most of them.
    expect(
      description.problems(({ operation, route: { endpoint } }) => {
        const message = operation.responses['200']?.description;
        return message === (endpoint.message ?? 'success') ? [] : [`says ${message}`];
      }),
    ).toEqual([]);
  });

  it('should show one item of every list', () => {
    const lists = description.operations.flatMap(({ name, operation }) => {
      const media = operation.responses['200']?.content?.['application/json'];
      if (!media) return [];
      const isList = description.resolve(media.schema).properties?.['data']?.type === 'array';
      return isList ? [[name, (media.example as { data: unknown[] }).data.length] as const] : [];
    });
    expect(lists.length).toBeGreaterThanOrEqual(12);
    expect(lists.filter(([, length]) => length !== 1)).toEqual([]);
  });

  it('should be accepted by the server: sign-up, contact', async () => {
    const bodyOf = (name: string): unknown =>
      description.operations.find((described) => described.name === name)?.operation.requestBody
        ?.content['application/json']?.example;
    for (const path of ['/auth/signup/basic', '/auth/signin/basic', '/contact']) {
      const { status } = await server.client.post(path, bodyOf(`POST ${path}`));
      expect([path, status]).toEqual([path, 200]);
    }
  });
});
