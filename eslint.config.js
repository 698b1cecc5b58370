import importX, { createNodeResolver } from 'eslint-plugin-import-x';
import tseslint from 'typescript-eslint';

const FEATURES = [
  'apikey',
  'auth',
  'admin',
  'profile',
  'blog-author',
  'blog-editor',
  'blog-public',
  'contact',
  'health',
  'docs',
  'setup',
];

/** Arrows point one way: features → model modules → cache, background, rate limits → database → common → config. */
const LAYERS = [
  ['config', []],
  ['common', ['config']],
  ['database', ['common', 'config']],
  ['rate-limit', ['database', 'common', 'config']],
  ['cache', ['database', 'common', 'config']],
  ['background', ['database', 'common', 'config']],
  ['user', ['cache', 'database', 'common', 'config']],
  ['blog', ['user', 'background', 'cache', 'database', 'common', 'config']],
];

/** What a feature shows to others: its module, its services, their views and errors. */
const EXPORTED = [
  ...['*.module', '*.service', '*.view', '*.errors', 'api-key'],
  ...['password-hasher', 'password-bulkhead.interceptor', 'password.decorator'],
].join('|');

const ZONES = [
  ...LAYERS.map(([target, below]) => ({
    target: `./src/${target}`,
    from: './src',
    except: [target, ...below].map((folder) => `./${folder}`),
    message: `${target} may import only from ${below.join(', ') || 'itself'}.`,
  })),
  ...FEATURES.map((target) => ({
    target: `./src/${target}/**/*`,
    from: `./src/{${FEATURES.filter((other) => other !== target).join(',')}}/**/!(${EXPORTED}).ts`,
    message: 'Another feature is reached only through its exported service.',
  })),
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

export default tseslint.config(
  { ignores: ['dist', 'node_modules', 'coverage', '.cache', '.data'] },
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
      'import-x/no-cycle': 'error',
      'import-x/no-restricted-paths': ['error', { zones: ZONES }],
      'max-lines': ['error', { max: 300, skipBlankLines: true, skipComments: true }],
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
  { files: ['scripts/**', 'bench/**', '.ci/**'], rules: { 'no-console': 'off' } },
);
