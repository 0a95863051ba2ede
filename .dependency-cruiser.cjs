/**
 * The import rules of the architecture, each an error. Reading direction: a module may import what stands in its list and its own
 * folder, nothing else of this repository. What a linter sees better (globals, `new Date()`) is in eslint.config.mjs.
 */

const core = ['shared', 'mediate', 'context', 'engine', 'policy', 'approvals', 'ledger', 'authority', 'verify'];

const mayImport = {
  shared: [],
  mediate: ['shared'],
  context: ['shared', 'mediate'],
  engine: ['shared', 'mediate', 'context'],
  policy: ['shared', 'mediate', 'context', 'engine'],
  ledger: ['shared'],
  approvals: ['shared'],
  authority: ['shared'],
  guards: ['shared', 'mediate', 'context'],
  verify: [...core, 'guards'],
  contracts: [...core, 'guards'],
  ports: [...core, 'guards', 'contracts'],
  services: [...core, 'guards', 'ports', 'contracts'],
  db: [...core, 'ports', 'contracts'],
  auth: [...core, 'ports', 'contracts', 'services'],
  server: [...core, 'guards', 'ports', 'contracts', 'services', 'db', 'auth'],
  plane: [...core, 'guards', 'ports', 'contracts', 'services', 'server'],
  pep: [...core, 'contracts'],
  client: [...core, 'contracts'],
};

/** Libraries the core may use: parsers and matchers that do no I/O. Everything else stays outside. */
const coreLibraries = ['yaml', 'zod', 're2js', '@marcbachmann/cel-js', 'pgsql-ast-parser', 'unbash'];

const tests = '(\\.(test|itest|spec)\\.tsx?$|^lib/testing/|^e2e/)';
const outerModules = 'cli|demo|bench|testing';

const layers = Object.entries(mayImport).map(([module, allowed]) => ({
  name: `layer-${module}`,
  comment: `lib/${module} may import only: ${[module, ...allowed].join(', ')}.`,
  severity: 'error',
  from: { path: `^lib/${module}/`, pathNot: tests },
  to: { path: '^(app|components|lib|e2e|prisma|policies|proxy)', pathNot: `^lib/(${[module, ...allowed].join('|')})/` },
}));

const nodePackages = (names) => `node_modules/(${names.join('|').replaceAll('/', '\\/')})(/|$)`;

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'resolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
    ...layers,
    {
      name: 'core-without-node',
      comment: 'The same code decides in Node and in an auditor’s browser.',
      severity: 'error',
      from: { path: `^lib/(${core.join('|')}|guards|contracts|client)/`, pathNot: tests },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'core-libraries',
      comment: `The core uses no library but ${coreLibraries.join(', ')}.`,
      severity: 'error',
      from: { path: `^lib/(${core.join('|')})/`, pathNot: tests },
      to: { path: 'node_modules/', pathNot: nodePackages(coreLibraries) },
    },
    {
      name: 'database-behind-lib-db',
      comment: 'SQL, Prisma and its generated client are known to lib/db alone.',
      severity: 'error',
      from: { path: '^(app|components|lib|proxy)', pathNot: `^lib/db/|${tests}` },
      to: { path: `${nodePackages(['pg', '@prisma/[^/]+', 'prisma'])}|^lib/db/generated/` },
    },
    {
      name: 'components-are-views',
      comment: 'Components get data from props and lib/client; a server action is the one thing of app they may call.',
      severity: 'error',
      from: { path: '^components/', pathNot: tests },
      to: { path: '^(app|lib)/', pathNot: `^lib/(client|contracts|guards|${core.join('|')})/|^app/.*actions` },
    },
    {
      name: 'no-cross-feature',
      comment: 'A feature’s components use ui, layout, held (an action as its approver saw it, which auditors see again), signing (what a person signs, wherever they are), proof (what a change would do, wherever it is proposed) and their own folder.',
      severity: 'error',
      from: { path: '^components/([^/]+)/', pathNot: tests },
      to: { path: '^components/', pathNot: '^components/(ui|layout|held|signing|proof|$1)/' },
    },
    {
      name: 'ui-knows-no-domain',
      comment: 'Primitives may tell the time and show untrusted text; what the text means they do not know.',
      severity: 'error',
      from: { path: '^components/ui/', pathNot: tests },
      to: { path: '^(lib|components)/', pathNot: '^components/ui/|^lib/(client|shared)/|^lib/approvals/escape' },
    },
    {
      name: 'app-through-services',
      comment: 'Pages and routes reach the database through lib/server only.',
      severity: 'error',
      from: { path: '^(app|proxy)', pathNot: tests },
      to: { path: '^lib/(db|plane|pep|cli|demo|bench|testing)/' },
    },
    {
      name: 'nothing-imports-the-outside',
      comment: 'Commands, demo, bench and test builders are leaves.',
      severity: 'error',
      from: { path: '^(app|components|proxy|lib)', pathNot: `^lib/(${outerModules})/|${tests}` },
      to: { path: `^(lib/(${outerModules})|e2e)/` },
    },
    {
      name: 'demo-ships-without-tests',
      severity: 'error',
      from: { path: '^lib/(cli|demo|bench)/', pathNot: tests },
      to: { path: '^lib/testing/' },
    },
    {
      name: 'no-dev-packages-at-run-time',
      severity: 'error',
      from: { path: '^(app|components|proxy|lib)', pathNot: `^lib/(bench|cli/(bootstrap|checks))/|${tests}` },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'], pathNot: 'node_modules/@types/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules|^lib/db/generated' },
    exclude: { path: '^(\\.next|\\.build)' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'require', 'node', 'default', 'types'] },
  },
};
