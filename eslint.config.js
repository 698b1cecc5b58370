import { readdirSync } from 'node:fs';
import { sep } from 'node:path';
import importX, { createNodeResolver } from 'eslint-plugin-import-x';
import tseslint from 'typescript-eslint';

/** Models and what all features use. Each may import from those before it. */
const LAYERS = [
  ...['config', 'common', 'database', 'rate-limit', 'cache', 'background', 'idempotency'],
  ...['apikey', 'event-log', 'user', 'blog'],
];

/** What stands above the features, in order: each may import from those before it. */
const ABOVE = [
  // Parts of the request pipeline that ask services of features.
  'admission',
  'response-cache',
  // Reads the routes of all controllers.
  'docs',
  // Reads what all others have counted.
  'metrics',
  // Seeds by the services of features.
  'setup',
  // Shows people the description, and the credentials that the setup has made.
  'pages',
  // Moves articles in from other programs.
  'import',
  // Exports, imports and backups of all collections.
  'archive',
  // What a process runs; the only folder that imports the application.
  'programs',
];

const sourceFiles = readdirSync('src', { recursive: true }).map(String);
const folders = sourceFiles.filter((path) => !path.includes(sep) && !path.endsWith('.ts'));

/** Every folder of src that has a controller: a new feature is one from its first file on. */
const FEATURES = folders.filter((folder) =>
  sourceFiles.some((path) => path.startsWith(folder + sep) && path.endsWith('.controller.ts')),
);

/** Neither a feature nor listed above: lint refuses its files. */
const UNKNOWN = folders.filter((folder) => ![...LAYERS, ...ABOVE, ...FEATURES].includes(folder));

/** What a feature shows to others: its module, services, views and errors, and these few. */
const EXPORTED = [
  ...['*.module', '*.service', '*.view', '*.errors'],
  ...['check-role', 'password-hasher', 'password-bulkhead.interceptor', 'password.decorator'],
  ...['password-bulkhead', 'signing-keys', 'webhook-dispatcher.job'],
].join('|');

/** Patterns of the files of folders. */
const filesOf = (names, files = '*') => names.map((name) => `./src/${name}/**/${files}`);
const internalsOf = (features) => filesOf(features, `!(${EXPORTED}).ts`);
const ROOT_FILES = './src/*.ts';

const ZONES = [
  ...LAYERS.map((layer, at) => ({
    target: `./src/${layer}`,
    from: './src',
    except: LAYERS.slice(0, at + 1).map((folder) => `./${folder}`),
    message: `${layer} may import only from ${LAYERS.slice(0, at).join(', ') || 'itself'}.`,
  })),
  ...FEATURES.flatMap((feature) => [
    {
      target: `./src/${feature}/**/*`,
      from: internalsOf(FEATURES.filter((other) => other !== feature)),
      message: 'Another feature is reached only through its exported service.',
    },
    {
      target: `./src/${feature}/**/*`,
      from: [...filesOf(ABOVE), ROOT_FILES],
      message: 'A feature knows nothing of what is made of the features.',
    },
  ]),
  ...ABOVE.flatMap((folder, at) => [
    {
      target: `./src/${folder}/**/*`,
      from: internalsOf(FEATURES),
      message: 'A feature is reached only through its exported service.',
    },
    {
      target: `./src/${folder}/**/*`,
      from: [
        ...filesOf(ABOVE.slice(at + 1)),
        ...(folder === 'programs' ? ['./src/main.ts'] : [ROOT_FILES]),
      ],
      message: `${folder} stands below that: see ABOVE in eslint.config.js.`,
    },
  ]),
  {
    target: './client',
    from: ['./src', './test', './scripts', './bench'],
    message: 'The client is a package of its own.',
  },
  {
    // Only bench/support/built.ts names types of the sources; see there.
    target: ['./scripts', './bench/*.ts', './bench/!(support)/**/*'],
    from: './src',
    message: 'Import the built server (dist): Node strips no decorators.',
  },
];

const DTO_TYPE_IMPORTS = [
  {
    selector: 'ImportDeclaration[importKind="type"][source.value=/\\.dto\\.js$/]',
    message: 'Import a DTO as a value: `import type` of it switches validation off.',
  },
];

const THIN_CONTROLLERS = [
  {
    selector: 'ImportSpecifier[importKind="type"][imported.name=/(Dto|Query|Param)$/]',
    message: 'Import a DTO as a value: `import type` of it switches validation off.',
  },
  { selector: 'IfStatement', message: 'A controller makes one call; decide in the service.' },
  { selector: 'TryStatement', message: 'Errors are typed; the filter renders them.' },
];

/** Reports each of the files. */
function refuse(files, message) {
  const rule = ['error', { selector: 'Program', message }];
  return files.length === 0 ? {} : { files, rules: { 'no-restricted-syntax': rule } };
}

export default tseslint.config(
  {
    ignores: ['**/dist', 'node_modules', 'coverage', '.cache', '.data', 'client/src/api-types.ts'],
  },
  ...tseslint.configs.recommendedTypeChecked,
  {
    languageOptions: {
      parserOptions: {
        projectService: { allowDefaultProject: ['*.js'] },
        tsconfigRootDir: import.meta.dirname,
      },
    },
    plugins: { 'import-x': importX },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    settings: {
      // Without the alias './x.js' is not found, and the rules on imports see nothing.
      'import-x/resolver-next': [
        createNodeResolver({
          extensions: ['.ts', '.js'],
          extensionAlias: { '.js': ['.ts', '.js'] },
        }),
      ],
      'import-x/parsers': { '@typescript-eslint/parser': ['.ts'] },
    },
    rules: {
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-unused-vars': [
        'error',
        { ignoreRestSiblings: true, varsIgnorePattern: '^_$' },
      ],
      '@typescript-eslint/require-await': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      'import-x/no-cycle': ['error', { ignoreExternal: true }],
      'import-x/no-restricted-paths': ['error', { zones: ZONES }],
      'max-lines': ['error', { max: 250, skipBlankLines: true, skipComments: true }],
      'no-console': 'error',
      eqeqeq: 'error',
      'no-restricted-syntax': ['error', ...DTO_TYPE_IMPORTS],
    },
  },
  {
    files: ['src/**/*.ts'],
    ignores: ['src/config/**', 'src/**/*.spec.ts'],
    rules: {
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'Read settings from Env (src/config).' },
      ],
    },
  },
  {
    files: ['src/**/*.controller.ts'],
    rules: { 'no-restricted-syntax': ['error', ...DTO_TYPE_IMPORTS, ...THIN_CONTROLLERS] },
  },
  { files: ['**/*.js', '**/*.mjs'], extends: [tseslint.configs.disableTypeChecked] },
  {
    // Answers are loosely typed in tests; the contract check proves their shape at run time.
    files: ['test/**/*.ts'],
    rules: {
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
    },
  },
  { files: ['scripts/**', 'bench/**', 'examples/**', '.ci/**'], rules: { 'no-console': 'off' } },
  refuse(
    UNKNOWN.map((folder) => `src/${folder}/**`),
    'No controller makes this folder a feature: list it in eslint.config.js, LAYERS or ABOVE.',
  ),
  refuse(
    [...LAYERS, ...ABOVE].map((folder) => `src/${folder}/**/*.controller.ts`),
    'A controller makes its folder a feature, and this one is listed as something else.',
  ),
);
