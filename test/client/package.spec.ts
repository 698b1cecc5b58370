import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import ts from 'typescript';
import { describe, expect, it } from '@jest/globals';
import { ROOT } from '../repository/files.js';
import { temporaryFolder } from '../support/process.js';

const CLIENT = join(ROOT, 'client');
const MAX_BYTES = 6 * 1024;

/** APIs that React Native lacks or has only in part. */
const AVOIDED = /AbortSignal\.|\bURL\b|URLSearchParams|TextDecoder|DOMException|structuredClone/;

/** Bundles the client for a platform that has no built-in modules. */
async function bundle(
  format: 'es' | 'iife',
): Promise<{ code: string; imports: readonly string[] }> {
  const build = await rolldown({ input: join(CLIENT, 'src/index.ts'), platform: 'neutral' });
  const { output } = await build.generate({ format, name: 'client', minify: true });
  return output[0];
}

describe('the package of the client', () => {
  it('should be small, import nothing, and use no API that React Native lacks', async () => {
    const { code, imports } = await bundle('es');
    expect(imports).toEqual([]);
    expect(gzipSync(code).length).toBeLessThanOrEqual(MAX_BYTES);
    expect(code).not.toMatch(AVOIDED);
  });

  it('should have no dependencies', () => {
    const manifest = JSON.parse(readFileSync(join(CLIENT, 'package.json'), 'utf8')) as object;
    expect(Object.keys(manifest).filter((key) => /dependencies$/i.test(key))).toEqual([]);
  });

  it('should run where there is nothing but fetch, AbortController and timers', async () => {
    const { code } = await bundle('iife');
    const answer = JSON.stringify({ code: '10000', data: ['news'] });
    const headers = { 'content-type': 'application/json; charset=utf-8' };
    const platform = {
      fetch: () => Promise.resolve(new Response(answer, { headers })),
      AbortController,
      setTimeout,
      clearTimeout,
    };
    const call = `client.createClient({ url: 'http://localhost', apiKey: 'key' }).post('/contact')`;
    expect(await runInNewContext(`${code}\n${call}`, platform)).toEqual(['news']);
  });

  it('should compile the examples of its README against its declarations', async () => {
    const folder = await temporaryFolder();
    mkdirSync(join(folder, 'node_modules/@pressroom'), { recursive: true });
    symlinkSync(CLIENT, join(folder, 'node_modules/@pressroom/client'));
    const readme = readFileSync(join(CLIENT, 'README.md'), 'utf8');
    const examples = [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code = ''], index) => {
      const file = join(folder, `example-${index}.ts`);
      writeFileSync(file, code);
      return file;
    });
    expect(examples.length).toBeGreaterThan(4);
    const storage = join(folder, 'async-storage.d.ts');
    writeFileSync(storage, ASYNC_STORAGE);
    const program = ts.createProgram([...examples, storage], {
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.ESNext,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
      lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'],
      types: [],
    });
    const problems = ts.getPreEmitDiagnostics(program).map(({ file, messageText }) => {
      return `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
    });
    expect(problems).toEqual([]);
  });
});

/** The declarations of AsyncStorage that the examples use. */
const ASYNC_STORAGE = `declare module '@react-native-async-storage/async-storage' {
  const AsyncStorage: {
    getItem(key: string): Promise<string | null>;
    setItem(key: string, value: string): Promise<void>;
    removeItem(key: string): Promise<void>;
  };
  export default AsyncStorage;
}
`;
