import { readdirSync } from 'node:fs';
import importX, { createNodeResolver } from 'eslint-plugin-import-x';
import tseslint from 'typescript-eslint';

/** Models that all features use, in order: each may import from those before it. */
const MODELS = ['user'];

/** What is made of the features, in order: each may import from those before it. */
const ABOVE = [
  // Describes the routes of all controllers.
  'openapi',
  // Imports, exports and backups of all collections.
  'transfer',
  // What a process runs, with the setup of a database; the only folder that imports the application.
  'cli',
  // Shows people the description, and the credentials that the setup has made.
  'web',
];

/** Every other folder of src but `platform` is a feature. */
const FEATURES = readdirSync('src', { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
  .filter((name) => !['platform', ...MODELS, ...ABOVE].includes(name));

/**
 * What a feature shows to others: its module, services, views and errors, its inputs, by which an import checks
 * records, and these few.
 */
const EXPORTED = [
  '*.module',
  '*.dto',
  '*.service',
  '*.view',
  '*.errors',
  'api-key',
  'password-hasher',
  'password-bulkhead.interceptor',
  'password.decorator',
  'sending-failure',
  'signing-keys',
  'event-log.schema',
  'credentials',
].join('|');

/** Files of `blog` that others may import besides: what an article is, and its texts. */
const EXPORTED_BY_BLOG = [
  'blog-fields',
  'blog.cache',
  'list-corrections.cache',
  'list-names',
  'blog.indexes',
  'blog.schema',
  'blog.state',
  'checked-fields',
  'cache-tags',
  'clean-html',
  'html-cleaner',
  'imported-blog',
  'imported-record',
  'markdown-html',
  'picture-store',
  'reserved-slugs',
  'transition-table',
  'selected-tag.decorator',
  'slug',
  'counts.migration',
  'cover',
  'visible-text',
  'words',
].join('|');

/** Patterns of the files of folders. */
const filesOf = (names, files = '*') => names.map((name) => `./src/${name}/**/${files}`);
const internalsOf = (features) =>
  features.flatMap((name) =>
    filesOf([name], `!(${name === 'blog' ? `${EXPORTED}|${EXPORTED_BY_BLOG}` : EXPORTED}).ts`),
  );
const ROOT_FILES = './src/*.ts';

const ZONES = [
  {
    target: './src/platform',
    from: './src',
    except: ['./platform'],
    message: 'The platform knows no feature: pass it a function.',
  },
  ...MODELS.map((model, at) => ({
    target: `./src/${model}`,
    from: './src',
    except: ['platform', 'events', ...MODELS.slice(0, at + 1)].map((folder) => `./${folder}`),
    message: `${model} may import only from the platform and the models before it.`,
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
        folder === 'cli' ? './src/main?(.spec).ts' : ROOT_FILES,
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
    // These files have none.
    except: ['./cli/setup/demo/drawing'],
    message: 'Import the compiled server (build): Node strips no decorators.',
  },
];

const DTO_TYPE_IMPORTS = [
  {
    selector: 'ImportDeclaration[importKind="type"][source.value=/\\.dto\\.js$/]',
    message: 'Import a DTO as a value: `import type` of it switches validation off.',
  },
];

/** A literal is written as it is, on as many lines as the formatter takes. */
const NESTED_LITERALS = [
  {
    selector: 'ArrayExpression > SpreadElement > ArrayExpression',
    message: 'List the elements in the array itself.',
  },
  {
    selector: 'ObjectExpression > SpreadElement > ObjectExpression',
    message: 'Write the properties in the object itself.',
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
    ignores: [
      '**/dist',
      'build',
      'node_modules',
      'coverage',
      '.cache',
      '.data',
      'client/src/api-types.ts',
    ],
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
      'no-restricted-syntax': ['error', ...DTO_TYPE_IMPORTS, ...NESTED_LITERALS],
    },
  },
  {
    files: ['src/**/*.ts'],
    ignores: ['src/platform/config/**', 'src/**/*.spec.ts'],
    rules: {
      'no-restricted-properties': [
        'error',
        {
          object: 'process',
          property: 'env',
          message: 'Read settings from Env (src/platform/config).',
        },
      ],
    },
  },
  {
    files: ['src/**/*.controller.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        ...DTO_TYPE_IMPORTS,
        ...NESTED_LITERALS,
        ...THIN_CONTROLLERS,
      ],
    },
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
  {
    // Tables of cases stand one value a line.
    files: ['test/**/*.ts', '**/*.spec.ts'],
    rules: { 'max-lines': ['error', { max: 300, skipBlankLines: true, skipComments: true }] },
  },
  { files: ['scripts/**', 'bench/**', 'examples/**', '.ci/**'], rules: { 'no-console': 'off' } },
  refuse(
    ['platform', 'user', ...ABOVE].map((folder) => `src/${folder}/**/*.controller.ts`),
    'A controller makes its folder a feature, and this one is listed as something else.',
  ),
);
