import { cpSync, readdirSync, rmSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const MODULES = join(ROOT, 'build');
const BUNDLE = join(ROOT, 'dist');
const ASSETS = 'web/assets';

/** The modules with which processes and threads start. They keep their paths, by which others start them. */
const ENTRY = /(^|\/)(main|command-line|clean-html|.+\.main|.+\.worker)\.js$/;

const EXTERNAL = [
  // The types that the compiler adds to decorators need it before any other module runs.
  'reflect-metadata',
  // The server changes a class of the driver, which Mongoose has to load too.
  'mongoose',
  // These start threads with files of their own.
  'pino',
  'piscina',
  // It loads a native library.
  'sharp',
  // Only the download of a mongod needs it.
  /^mongodb-memory-server-core\//,
  // Nest imports these if they are installed, and they are not.
  /^@nestjs\/(microservices|websockets|platform-express)/,
  /^@fastify\/(multipart|view)$/,
];

/** Stands for `import.meta.url` of one of our modules until the path of its chunk is known. */
const OWN_URL = /__OWN_URL__\("([^"]+)"\)/g;

/** Our modules find files by their own URL, so each keeps that of its place in `build`, as if it were in `dist`. */
const keepUrls = {
  name: 'keep-urls',
  transform(code, id) {
    if (!id.startsWith(MODULES) || !code.includes('import.meta.url')) return null;
    const path = posix.relative(MODULES, id);
    return { code: code.replaceAll('import.meta.url', `__OWN_URL__("${path}")`), map: null };
  },
  renderChunk(code, { fileName }) {
    const urlOf = (_, path) => {
      const relative = posix.relative(posix.dirname(fileName), path);
      return `new URL("${relative}", import.meta.url).href`;
    };
    return { code: code.replace(OWN_URL, urlOf), map: null };
  },
};

/** Without this, mapped types would copy the rules of another class-transformer than that of the bundle. */
const bundleMappedTypes = {
  name: 'bundle-mapped-types',
  transform(code, id) {
    if (!id.includes('/@nestjs/mapped-types/')) return null;
    return { code: code.replace('const require = createRequire(import.meta.url);', ''), map: null };
  },
};

const paths = readdirSync(MODULES, { recursive: true }).map(String);
const entries = paths.filter((path) => ENTRY.test(path));
const bundle = await rolldown({
  cwd: ROOT,
  input: Object.fromEntries(entries.map((path) => [path.slice(0, -3), join(MODULES, path)])),
  platform: 'node',
  external: EXTERNAL,
  plugins: [keepUrls, bundleMappedTypes],
  onLog: (_, { message }) => {
    throw new Error(message);
  },
});
const { output } = await bundle.write({
  dir: BUNDLE,
  keepNames: true,
  // Names without hashes: a server that runs finds its files after the next build as well.
  chunkFileNames: 'chunks/[name].js',
  minifyInternalExports: false,
});
cpSync(join(ROOT, 'src', ASSETS), join(BUNDLE, ASSETS), { recursive: true });

// Removes what earlier builds have left.
const written = new Set(output.map(({ fileName }) => fileName));
for (const path of readdirSync(BUNDLE, { recursive: true }).map(String)) {
  if (path.endsWith('.js') && !path.startsWith(ASSETS) && !written.has(path)) {
    rmSync(join(BUNDLE, path));
  }
}
