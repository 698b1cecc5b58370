import { existsSync, readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { transformSync } from 'rolldown/utils';

const SOURCES = new URL('../../../', import.meta.url).href;
const JEST_GLOBALS = new URL('./globals.ts', import.meta.url).href;

/** Lets Node load the TypeScript of this repository: an import of `./x.js` loads `./x.ts` if this exists. */
registerHooks({
  resolve(specifier, context, next) {
    // The real package refuses to be imported outside of Jest's own module loader.
    if (specifier === '@jest/globals') return { url: JEST_GLOBALS, shortCircuit: true };
    if (specifier.startsWith('.') && specifier.endsWith('.js') && isOwn(context.parentURL)) {
      const source = new URL(specifier.replace(/js$/, 'ts'), context.parentURL);
      if (existsSync(source)) return { url: source.href, shortCircuit: true };
    }
    return next(specifier, context);
  },
  load(url, context, next) {
    if (!isOwn(url) || !url.endsWith('.ts')) return next(url, context);
    return { format: 'module', source: compile(fileURLToPath(url)), shortCircuit: true };
  },
});

// Stack traces show the lines of the TypeScript.
process.setSourceMapsEnabled(true);

function isOwn(url: string | undefined): boolean {
  return url?.startsWith(SOURCES) === true && !url.includes('/node_modules/');
}

function compile(path: string): string {
  const { code, map, errors } = transformSync(path, readFileSync(path, 'utf8'), {
    target: 'es2024',
    // Nest's dependency injection reads the types that the compiler adds to the decorators.
    decorator: { legacy: true, emitDecoratorMetadata: true },
    sourcemap: true,
    tsconfig: false,
  });
  if (errors.length > 0) throw new SyntaxError(errors.map(({ message }) => message).join('\n'));
  const inline = Buffer.from(JSON.stringify(map)).toString('base64');
  return `${code}\n//# sourceMappingURL=data:application/json;base64,${inline}`;
}
